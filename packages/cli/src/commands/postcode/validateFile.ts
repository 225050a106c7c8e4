/**
 * `postcode validate`: checks the postcode and resolves the address in each row of a CSV file. It writes the results of a chunk before it reads
 * the next one, so that memory does not grow with the file.
 */
import type { Directory } from "@postcode/core/Directory"
import { reportBadRows } from "@postcode/server/directory/BadRowReport"
import { type InputBytes, openInput } from "@postcode/server/directory/InputBytes"
import { type DirectoryFlags, openDirectory } from "@postcode/server/directory/openDirectory"
import { CommandFailure, failUsage, toFailure } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { counted, grouped, makeProgress } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { CsvInput } from "../../csv/CsvInput.ts"
import { isWorkbookName } from "../../csv/csvToWorkbook.ts"
import { formOf } from "../../csv/Delimiter.ts"
import { headerTest } from "./CsvColumns.ts"
import { RowCheck, type RowCheckOptions } from "./RowCheck.ts"
import type { RowCounts } from "./RowCounts.ts"
import { type OutputFlags, openOutput, type ValidationOutput } from "./ValidationOutput.ts"

/** The file, and the directory to check against. */
export interface ValidateOptions extends RowCheckOptions, DirectoryFlags, OutputFlags {
  /** `-` is standard input. */
  readonly file: string
}

/** Writes all results, then fails if somebody needs to look at a row. */
export const validateFile = (options: ValidateOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    if (options.json && options.jsonLines) {
      return yield* failUsage("choose --json or --json-lines")
    }
    if ((options.json || options.jsonLines) && options.output !== undefined && isWorkbookName(options.output)) {
      return yield* failUsage("--output: a workbook has no JSON: name another file, or leave out --json")
    }
    const onNote = (note: string) => say(`${options.file}: ${note}`)
    const input = yield* failing("", () => openInput(options.file, { sheet: options.sheet, onNote }))
    const addresses = options.address.length > 0
    const { directory } = yield* openDirectory({
      data: options.data,
      directory: options.directory,
      quiet_ms: 1_000,
      keepsAttributes: false,
      addresses
    })
    const output = yield* failing("", () => openOutput(options))
    const { bad, rows } = yield* failing(`${input.name}: `, (signal) =>
      validateRows({ input, directory, options, signal, output })
    ).pipe(Effect.onError(() => Effect.promise(output.discard)))
    if (bad > 0) {
      const [is, needs] = bad === 1 ? ["is", "needs"] : ["are", "need"]
      const problem = addresses ? `${needs} to be looked at` : `${is} not valid`
      return yield* Effect.fail(new CommandFailure(`${grouped(bad)} of ${counted(rows, "row")} ${problem}`))
    }
  })

/** @param where the prefix of the messages */
const failing = <A>(where: string, work: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, CommandFailure> =>
  Effect.tryPromise({
    try: work,
    catch: (error) => {
      const { exitCode, message } = toFailure(error)
      return new CommandFailure(where + message, exitCode)
    }
  })

/** The parts of a validation. */
export interface Validating {
  readonly input: InputBytes
  readonly directory: Directory
  readonly options: RowCheckOptions
  readonly output: Pick<ValidationOutput, "write" | "finish">
  /** Aborted on an interruption. */
  readonly signal: AbortSignal
}

/** Validates all rows of an input, reports problems on standard error, and returns the counts of the results. */
export const validateRows = async ({ directory, input, options, output, signal }: Validating): Promise<RowCounts> => {
  const progress = makeProgress({ doing: `validating ${input.name}`, what: "rows" })
  const badLines = reportBadRows({ file: input }, progress)
  const check = new RowCheck(directory, options, {
    onColumns: (line, note) => progress.say(`${input.name}:${line}: ${note}`),
    onBadLine: (line, reason) => badLines.add("file", line, reason)
  })
  const { address, column, noHeader } = options
  const wanted = column === undefined ? address : [column, ...address]
  const csv = new CsvInput(check, {
    ...formOf(options),
    noHeader,
    isHeader: headerTest(wanted, column === undefined && address.length === 0, noHeader),
    onNote: (note) => progress.say(`${input.name}: ${note}`)
  })
  const flush = async () => {
    const text = check.takeOutput()
    if (text !== "") await output.write(Buffer.from(text, "latin1"))
  }
  for await (const chunk of input.chunks) {
    signal.throwIfAborted()
    csv.write(chunk)
    await flush()
    progress.update(check.counts.rows, input.share())
  }
  csv.end()
  check.finish()
  badLines.sayReasons()
  const footer = check.footer.note()
  if (footer !== undefined) progress.say(`${input.name}: ${footer}`)
  await flush()
  const numericColumns = input.numericColumns?.() ?? new Set()
  await output.finish({ delimiter: csv.delimiter, numericColumns, width: check.width }, signal)
  progress.finish(check.counts.rows)
  say(`${input.name}: ${counted(check.counts.rows, "row")}: ${check.counts.summary()}`)
  return check.counts
}
