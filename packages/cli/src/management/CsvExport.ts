/** Exports a whole list as CSV, page by page. */
import { type FileHandle, open, rm } from "node:fs/promises"
import { csvCell, csvLine } from "@postcode/core/Csv"
import { Effect, Exit, type Scope } from "effect"
import { CommandFailure, messageOf } from "../ExitCode.ts"
import { writeData } from "../Output.ts"
import { makeProgress } from "../Progress.ts"
import type { Column } from "../Table.ts"
import { type ConnectionOptions, given, type ManagementApi, manage } from "./ManagementApi.ts"
import { maxPageSize } from "./Pages.ts"
import { retrying } from "./RetryingClient.ts"

/** What to export, and where to. */
export interface CsvExport<Row> extends ConnectionOptions {
  /** The file; `-` is standard output. */
  readonly csv: string
  /** The name of the rows: `events`. */
  readonly what: string
  readonly columns: ReadonlyArray<Column<Row>>
  readonly fetch: (
    api: ManagementApi,
    page: { readonly limit: number; readonly cursor?: string }
  ) => Effect.Effect<FetchedPage<Row>, unknown>
}

interface FetchedPage<Row> {
  readonly rows: ReadonlyArray<Row>
  readonly next_cursor: string | null
}

/** Never replaces a file, removes an incomplete one, and retries requests that are refused for load. */
export const exportCsv = <Row>(input: CsvExport<Row>): Effect.Effect<void, CommandFailure> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { columns, csv, fetch, what } = input
      const write = csv === "-" ? writeData : yield* newFile(csv)
      const progress = makeProgress({ doing: csv === "-" ? "exporting" : `writing ${csv}`, what })
      const sendAll = (api: ManagementApi) =>
        Effect.gen(function* () {
          yield* write(csvLine(columns.map(({ title }) => title)))
          let [count, next]: [number, string | null | undefined] = [0, undefined]
          while (next !== null) {
            const { next_cursor, rows }: FetchedPage<Row> = yield* fetch(api, {
              limit: maxPageSize,
              ...given({ cursor: next })
            })
            const lines = rows.map((row) => csvLine(columns.map(({ cell }) => csvCell(cell(row)))))
            yield* write(lines.join(""))
            count += rows.length
            next = next_cursor
            // The total is unknown.
            progress.update(count, 0)
          }
          progress.finish(count)
        })
      yield* Effect.onError(manage(input, sendAll, retrying(progress.say)), () => Effect.sync(progress.clear))
    })
  )

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
      ? `${name} is there already: choose another name`
      : `${name} cannot be written: ${messageOf(error)}`
  )
