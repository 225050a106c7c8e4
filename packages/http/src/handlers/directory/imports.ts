import { findingKinds, unitColumns } from "@postcode/core/Csv"
import type { DirectoryImport, ImportCheck } from "@postcode/gateway/directory/imports/DirectoryImports"
import { importDirectory } from "@postcode/gateway/directory/imports/importDirectory"
import { InvalidParameter } from "@postcode/gateway/Errors"
import type { Manager } from "@postcode/gateway/ManagementAccess"
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { GroupHandlers } from "../../pipeline/Handler.ts"

type Handlers = Pick<
  GroupHandlers<"management">,
  "addImportPart" | "cancelImport" | "getImport" | "openImport" | "runImport"
>

export const importHandlers = Effect.gen(function* () {
  const imports = yield* importDirectory

  const handlers: Handlers = {
    getImport: ({ manager }) =>
      Effect.map(imports.get(manager as Manager), (found) => ({
        data: { import: found === undefined ? null : toImport(found) }
      })),
    openImport: ({ manager, payload }) => Effect.map(imports.open(payload, manager as Manager), toData),
    addImportPart: ({ manager, params: { id }, payload: { file, offset, pieces } }) =>
      Effect.flatMap(Effect.fromResult(bytesOf(pieces)), (bytes) =>
        Effect.map(imports.append({ id, file, offset, bytes }, manager as Manager), toData)
      ),
    runImport: ({ manager, params: { id }, payload }) => {
      const {
        columns = {},
        delimiter,
        drop_implausible = false,
        dry_run = false,
        skip_bad_rows = false,
        ...task
      } = payload
      const unknown = Object.keys(columns).find((name) => !isUnitColumn(name))
      if (unknown !== undefined) {
        const message = "columns: expected names of columns of units.csv, such as lat"
        return Effect.fail(new InvalidParameter({ parameter: "columns", message }))
      }
      const whole = {
        ...task,
        columns,
        dry_run,
        drop_implausible,
        skip_bad_rows,
        ...(delimiter !== undefined && { delimiter: delimiters[delimiter] })
      }
      return Effect.map(imports.run(id, whole, manager as Manager), toData)
    },
    cancelImport: ({ manager, params: { id } }) =>
      Effect.map(imports.cancel(id, manager as Manager), () => ({ data: { id } }))
  }
  return handlers
})

const isUnitColumn = (name: string): boolean => (unitColumns as ReadonlyArray<string>).includes(name)

const delimiters = { comma: ",", semicolon: ";", tab: "\t", bar: "|" } as const

const nameOf = (delimiter: string) => delimiterNames.find((name) => delimiters[name] === delimiter) ?? "comma"

const delimiterNames = Object.keys(delimiters) as ReadonlyArray<keyof typeof delimiters>

const bytesOf = (pieces: ReadonlyArray<string>): Result.Result<Uint8Array, InvalidParameter> => {
  const decoded: Array<Uint8Array> = []
  for (const piece of pieces) {
    const bytes = Base64.decode(piece)
    if (Result.isFailure(bytes)) return Result.fail(notBase64)
    decoded.push(bytes.success)
  }
  const all = new Uint8Array(decoded.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const bytes of decoded) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all.length === 0 ? Result.fail(notBase64) : Result.succeed(all)
}

const notBase64 = new InvalidParameter({ parameter: "pieces", message: "pieces: expected bytes as base64" })

const toData = (found: DirectoryImport) => ({ data: toImport(found) })

const toImport = ({ check, ...found }: DirectoryImport) => ({ ...found, ...(check && { check: toCheck(check) }) })

const toCheck = ({ reading: { columns, delimiter, drop_implausible, skip_lines }, ...check }: ImportCheck) => ({
  ...check,
  reading: {
    columns,
    drop_implausible,
    ...(delimiter !== undefined && { delimiter: nameOf(delimiter) }),
    ...(skip_lines !== undefined && { skip_lines })
  },
  warnings: check.warnings.map((warning) => ({ ...warning, meaning: findingKinds[warning.kind] }))
})
