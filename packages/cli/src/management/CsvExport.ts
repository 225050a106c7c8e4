/** Exports a whole list as CSV, page by page. */
import { type FileHandle, open, rm } from "node:fs/promises"
import type { InputOf, ItemOf, ListRoute } from "@postcode/client"
import { csvCell, csvLine } from "@postcode/core/Csv"
import { CommandFailure, messageOf } from "@postcode/server/process/ExitCode"
import { writeData } from "@postcode/server/process/Output"
import { makeProgress } from "@postcode/server/process/Progress"
import { Effect, Exit, type Scope } from "effect"
import { type ConnectionOptions, connect } from "./connect.ts"
import { eachPage } from "./lists.ts"

/** What to export, and where to. */
export interface CsvExport<R extends ListRoute> {
  readonly route: R
  readonly input: InputOf<R>
  /** The file; `-` is standard output. */
  readonly csv: string
  /** The name of the rows: `events`. */
  readonly what: string
  readonly columns: ReadonlyArray<keyof ItemOf<R> & string>
}

/** Never replaces a file, removes an incomplete one, and repeats requests that are refused for load. */
export const exportCsv = <R extends ListRoute>(
  options: ConnectionOptions,
  { columns, csv, input, route, what }: CsvExport<R>
): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const write = csv === "-" ? writeData : yield* newFile(csv)
      const progress = makeProgress({ doing: csv === "-" ? "exporting" : `writing ${csv}`, what })
      let count = 0
      const writeAll = Effect.gen(function* () {
        const call = yield* connect(options, progress.say)
        yield* write(csvLine(columns))
        yield* eachPage({ options, call, route, input }, wholeList, ({ items }) => {
          count += items.length
          // The total is unknown.
          progress.update(count, 0)
          return write(items.map((item) => csvLine(columns.map((name) => cellOf(item[name])))).join(""))
        })
        progress.finish(count)
      })
      yield* Effect.onError(writeAll, () => Effect.sync(progress.clear))
    })
  )

/** Writes a CSV text into a new file, or to standard output for `-`. */
export const writeCsv = (csv: string, text: string): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const write = csv === "-" ? writeData : yield* newFile(csv)
      yield* write(text)
    })
  )

const wholeList = { all: true, cursor: undefined, limit: undefined }

/** Objects, such as the details of an audit event, differ between rows: they are one cell of JSON. */
const cellOf = (value: unknown): string =>
  csvCell(typeof value === "object" && value !== null ? JSON.stringify(value) : (value as string | number | null))

type Write = (text: string) => Effect.Effect<void, CommandFailure>

const newFile = (name: string): Effect.Effect<Write, CommandFailure, Scope.Scope> => {
  const opened = Effect.tryPromise({ try: () => open(name, "wx"), catch: (error) => cannotOpen(name, error) })
  const close = (file: FileHandle, exit: Exit.Exit<unknown, unknown>) =>
    Effect.promise(async () => {
      await file.close()
      if (Exit.isFailure(exit)) await rm(name, { force: true })
    })
  return Effect.map(
    Effect.acquireRelease(opened, close),
    (file) => (text) =>
      Effect.tryPromise({
        try: () => file.appendFile(text),
        catch: (error) => new CommandFailure(`${name} could not be written: ${messageOf(error)}`)
      })
  )
}

const cannotOpen = (name: string, error: unknown): CommandFailure =>
  new CommandFailure(
    (error as NodeJS.ErrnoException).code === "EEXIST"
      ? `${name} already exists: choose another name`
      : `${name} cannot be written: ${messageOf(error)}`
  )
