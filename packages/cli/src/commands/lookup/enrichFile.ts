/**
 * `postcode enrich`: asks a service about the rows of a CSV file, and writes them with the answers. It can be killed at
 * any time and run again: each row is charged once and written once.
 *
 * Lines are asked for in batches of fixed ranges, one request at a time. The `Idempotency-Key` of a batch is derived from
 * the content of the file, the options and the range, so a batch whose answer was lost is answered again without a
 * charge. A batch is confirmed on disk before the next one is asked for.
 */
import { createHash } from "node:crypto"
import { stat } from "node:fs/promises"
import { isPostcodeError, type PostcodeClient } from "@postcode/client"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { FormOptions } from "@postcode/core/Csv"
import { defaultPriceList } from "@postcode/core/Prices"
import { maxBatch } from "@postcode/gateway/InputLimits"
import { type InputBytes, openInput } from "@postcode/server/directory/InputBytes"
import { CommandFailure, exitCodes, failUsage, toFailure } from "@postcode/server/process/ExitCode"
import { say } from "@postcode/server/process/Output"
import { counted, grouped, makeProgress, type Progress } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { CsvInput } from "../../csv/CsvInput.ts"
import { csvToWorkbook, isWorkbookName } from "../../csv/csvToWorkbook.ts"
import { type FormFlags, formOf } from "../../csv/Delimiter.ts"
import { clientWithKey, type KeyConnection, type KeyFlags, requireKey, resolveKey } from "../../management/apiKey.ts"
import { certaintyOf, isRefusal } from "../../management/Charges.ts"
import { failureOf } from "../../management/connect.ts"
import { letterHash } from "../../management/letterHash.ts"
import { untilServed } from "../../management/untilServed.ts"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import { headerTest } from "../postcode/CsvColumns.ts"
import type { Asked, Enrichment, Outcome, Prices } from "./Enrichment.ts"
import { EnrichRows, itemsOf, type LineBatch } from "./EnrichRows.ts"
import { findAddressRows } from "./findAddressRows.ts"
import { lookUpRows } from "./lookUpRows.ts"
import { type Job, ResumableOutput } from "./ResumableOutput.ts"
import { reverseRows } from "./reverseRows.ts"
import { type Survey, surveyFile } from "./surveyFile.ts"

/** The file, and what to add to it. */
export interface EnrichOptions extends KeyFlags, FormFlags {
  readonly file: string
  /** Of the lookups; undefined if addresses or coordinates are resolved. */
  readonly level: AccessLevel | undefined
  /** The postcodes' column. */
  readonly column: string | undefined
  /** The columns that make up an address, in order. */
  readonly address: ReadonlyArray<string>
  /** The columns of a coordinate. */
  readonly lat: string | undefined
  readonly lng: string | undefined
  readonly maxDistance_m: number | undefined
  /** The most credits that may be charged for the file; undefined for any number. */
  readonly limitCredits: number | undefined
  readonly noHeader: boolean
  /** By default beside the file. */
  readonly output: string | undefined
  readonly json: boolean
}

/** Enriches what is left of a file, and prints a report. */
export const enrichFile = (options: EnrichOptions): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { address, column, delimiter, file, lat, level, lng, maxDistance_m, noHeader, sheet, skipLines } = options
    if (file === "-") return yield* failUsage(needsFile)
    if (!isOneEnrichment(options)) return yield* failUsage(chooseOne)
    const connection = yield* level === 1 ? resolveKey(options) : requireKey(options)
    const client = yield* Effect.try({ try: () => clientWithKey(connection, { retries: 0 }), catch: toFailure })
    const workbook = workbookOf(options)
    const output = workbook?.replace(/\.xlsx$/i, ".csv") ?? options.output ?? enrichedName(file, ".csv")
    const job = {
      level: level ?? null,
      column: column ?? null,
      address: address.length === 0 ? null : address.join(", "),
      lat: lat ?? null,
      lng: lng ?? null,
      max_distance_m: maxDistance_m ?? null,
      no_header: noHeader,
      delimiter: delimiter ?? null,
      skip_lines: skipLines ?? null,
      sheet: sheet ?? null
    }
    const { limitCredits } = options
    const task = {
      file,
      output,
      workbook,
      connection,
      noHeader,
      limitCredits,
      sheet,
      form: { ...formOf(options), isHeader: headerOf(options) },
      job
    }
    yield* enrichWith(options, client, (enrichment) =>
      Effect.flatMap(
        Effect.tryPromise({ try: (signal) => enrichRows(task, enrichment, client, signal), catch: toFailure }),
        (report) => printRecord(options, { output: workbook ?? output, ...report }, fieldsOf(enrichment.statuses))
      )
    )
  })

/** The workbook to write, beside the CSV file that is continued after an interruption. Default: for a workbook. */
const workbookOf = ({ file, output }: EnrichOptions): string | undefined => {
  if (output !== undefined) return isWorkbookName(output) ? output : undefined
  return /\.xls[xm]$/i.test(file) ? enrichedName(file, ".xlsx") : undefined
}

const enrichedName = (file: string, ending: string): string =>
  `${file.replace(/\.gz$/i, "").replace(/\.(csv|xls[xm])$/i, "")}.enriched${ending}`

const headerOf = ({ address, column, lat, level, lng, noHeader }: EnrichOptions) => {
  const wanted = [...(level === undefined ? [] : [column]), ...address, lat, lng].filter((name) => name !== undefined)
  return headerTest(wanted, level !== undefined && column === undefined, noHeader)
}

const isOneEnrichment = ({ address, lat, level, lng }: EnrichOptions): boolean => {
  const asked = [level, address[0], lat ?? lng].filter((given) => given !== undefined)
  return asked.length === 1 && (lat === undefined) === (lng === undefined)
}

/** Hands the enrichment of the options to its use. */
const enrichWith = <A>(
  { address, column, lat, level, lng, maxDistance_m: max_distance_m }: EnrichOptions,
  client: PostcodeClient,
  use: <Item>(enrichment: Enrichment<Item>) => A
): A => {
  if (level !== undefined) return use(lookUpRows({ client, level, column }))
  if (lat !== undefined && lng !== undefined) return use(reverseRows({ client, lat, lng, max_distance_m }))
  return use(findAddressRows({ client, address }))
}

const chooseOne =
  "choose one: --level to look postcodes up, --address to find addresses, or --lat and --lng to find the nearest units"
const needsFile = "FILE: expected a file, not standard input, so that the work can be resumed"

interface Task {
  readonly file: string
  /** The CSV file. */
  readonly output: string
  /** Written at the end. */
  readonly workbook: string | undefined
  readonly connection: KeyConnection
  readonly noHeader: boolean
  /** What is known of how the file is written. */
  readonly form: FormOptions
  readonly sheet: string | undefined
  readonly limitCredits: number | undefined
  /** The options that decide what is written. */
  readonly job: Job
}

/** What is known of the rows that are written. */
interface Report {
  /** Lines of the file after its header. */
  readonly lines: number
  readonly rows: number
  /** Rows by status. */
  readonly counts: Readonly<Record<string, number>>
  /** The sum over the answers that arrived. */
  readonly credits_charged: number
  /** The most that may be charged besides, at the list price, for requests whose first response was lost. */
  readonly credits_uncertain: number
  /** The balance with the last answer; null if none was metered. */
  readonly credits_remaining: number | null
  readonly complete: boolean
}

const nothing: Report = {
  lines: 0,
  rows: 0,
  counts: {},
  credits_charged: 0,
  credits_uncertain: 0,
  credits_remaining: null,
  complete: false
}

const enrichRows = async <Item>(
  task: Task,
  enrichment: Enrichment<Item>,
  client: PostcodeClient,
  signal: AbortSignal
): Promise<Report> => {
  const survey = await surveyFile(task, enrichment, signal)
  const job = { sha256: survey.sha256, ...task.job }
  await using run = new Run({ task, survey, job, enrichment, client })
  const onAbort = () => say(`interrupted${run.soFar}`)
  signal.addEventListener("abort", onAbort)
  try {
    return await run.toEnd(signal)
  } catch (error) {
    if (signal.aborted) throw error
    const { exitCode, message } = isPostcodeError(error) ? failureOf(error, task.connection) : toFailure(error)
    throw new CommandFailure(message + run.soFar, exitCode)
  } finally {
    signal.removeEventListener("abort", onAbort)
  }
}

interface RunParts<Item> {
  readonly task: Task
  readonly survey: Survey
  readonly job: Job & { readonly sha256: string }
  readonly enrichment: Enrichment<Item>
  readonly client: PostcodeClient
}

/** One run over what is left of a file. */
class Run<Item> implements AsyncDisposable {
  private readonly task: Task
  private readonly survey: Survey
  private readonly job: Job & { readonly sha256: string }
  private readonly jobHash: string
  private readonly enrichment: Enrichment<Item>
  private readonly client: PostcodeClient
  /** Those of the service, once something is asked for. */
  private prices: Prices = defaultPriceList
  private readonly progress: Progress
  /** Opened once the columns are found, so that a wrong option leaves nothing behind. */
  private output: ResumableOutput<Report> | undefined
  private rowsBefore = 0
  private isWaiting = false
  private hasNotice = false
  /** Whether the next batch may have been asked for, and charged, without a response: by a killed run, too. */
  private mayBeCharged = false

  constructor({ client, enrichment, job, survey, task }: RunParts<Item>) {
    this.task = task
    this.survey = survey
    this.job = job
    this.client = client
    this.jobHash = letterHash(JSON.stringify(job))
    this.enrichment = enrichment
    this.progress = makeProgress({ doing: `enriching ${task.file}`, what: "rows" })
  }

  /** The rest of a message about a run that ends early. */
  get soFar(): string {
    if (this.output === undefined) return ""
    return `; ${counted(this.state.rows, "row")} ${this.state.rows === 1 ? "is" : "are"} in ${this.task.output}; the same command continues after them`
  }

  async toEnd(signal: AbortSignal): Promise<Report> {
    try {
      const { file, form, noHeader, sheet } = this.task
      const onNote = (note: string) => this.progress.say(`${file}: ${note}`)
      const input = await openInput(file, { sheet, onNote })
      const rows = new EnrichRows(this.enrichment, noHeader)
      const csv = new CsvInput(rows, { ...form, noHeader, onNote })
      const hash = createHash("sha256")
      for await (const chunk of input.chunks) {
        signal.throwIfAborted()
        hash.update(chunk)
        csv.write(chunk)
        await this.enrich(rows, input.share, signal, false)
        if (this.state.complete && !(await this.lacksWorkbook())) return this.state
      }
      csv.end()
      rows.end()
      if (rows.note !== undefined) onNote(rows.note)
      await this.enrich(rows, input.share, signal, true)
      if (hash.digest("hex") !== this.job.sha256) {
        throw new CommandFailure(`${this.task.file} has changed while it was read`)
      }
      if (!this.state.complete) await this.output?.confirm(Buffer.alloc(0), { ...this.state, complete: true })
      await this.writeWorkbook(rows.width, csv.delimiter, input, signal)
      this.progress.finish(this.state.rows - this.rowsBefore)
      return this.state
    } finally {
      this.progress.clear()
    }
  }

  /** Whether the output is complete, but was not brought into the workbook, or that is gone. */
  private async lacksWorkbook(): Promise<boolean> {
    const { workbook } = this.task
    return workbook !== undefined && (await stat(workbook).catch(() => undefined)) === undefined
  }

  private async writeWorkbook(width: number, delimiter: string, input: InputBytes, signal: AbortSignal): Promise<void> {
    const { output: path, workbook } = this.task
    if (workbook === undefined) return
    const numericColumns = input.numericColumns?.() ?? new Set()
    await csvToWorkbook({ path, width, delimiter, numericColumns }, workbook, signal)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.output?.[Symbol.asyncDispose]()
  }

  private get state(): Report {
    return this.output?.state ?? nothing
  }

  /** Enriches the batches that were read and are not confirmed. */
  private async enrich(
    rows: EnrichRows<Item>,
    share: () => number,
    signal: AbortSignal,
    isEnd: boolean
  ): Promise<void> {
    if (rows.header === undefined) return
    if (this.output === undefined) {
      this.output = await this.open(rows.header, rows.renamed)
      if (!this.state.complete) await this.estimate(signal)
    }
    if (this.state.complete) return
    for (const batch of rows.take(isEnd)) {
      if (batch.first < this.state.lines) continue
      this.requireCredits(itemsOf(batch))
      const asked = await this.ask(batch, signal)
      const { outcomes, text } = rows.write(batch, asked.outcomes)
      const state = stateAfter(this.state, batch.lines.length, outcomes, asked)
      await this.output.confirm(Buffer.from(text, "latin1"), state)
      this.progress.update(state.rows - this.rowsBefore, share())
    }
  }

  /** Asks for the prices, and says what the rest of the file costs at most. */
  private async estimate(signal: AbortSignal): Promise<void> {
    const { price } = this.enrichment
    if (price === undefined) return
    const attempt = Effect.tryPromise({
      try: (signal) => this.client.request("GET /v1/reference/prices", {}, { signal }),
      catch: (error) => error
    })
    const { data } = await Effect.runPromise(
      untilServed(attempt, (reason) => this.sayWaiting(reason)),
      { signal }
    )
    this.isWaiting = false
    this.prices = data
    const items = this.survey.distinct.slice(this.state.lines / maxBatch).reduce((sum, count) => sum + count, 0)
    const each = price(data)
    const rest = this.state.lines === 0 ? "it" : "the rest"
    if (items * each === 0) return
    this.progress.say(
      `${this.task.file}: ${rest} costs at most ${counted(items * each, "credit")}, ${grouped(items)} at ${grouped(each)} each`
    )
  }

  /** Stops before the next batch may exceed the limit. */
  private requireCredits(items: ReadonlyArray<Item>): void {
    const { limitCredits } = this.task
    if (limitCredits === undefined) return
    const spent = this.state.credits_charged + this.state.credits_uncertain
    const most = this.enrichment.distinct(items) * (this.enrichment.price?.(this.prices) ?? 0)
    if (spent + most <= limitCredits) return
    throw new CommandFailure(
      `--limit-credits ${grouped(limitCredits)}: ${grouped(spent)} are charged, and the next rows may cost ${grouped(most)}`,
      exitCodes.notEnoughCredits
    )
  }

  private async open(header: string, renamed: ReadonlyArray<string>): Promise<ResumableOutput<Report>> {
    const { file, output: path } = this.task
    const output = await ResumableOutput.open<Report>({ path, input: file, job: this.job })
    const { complete, rows } = output.state ?? nothing
    this.rowsBefore = rows
    this.mayBeCharged = output.state !== undefined
    if (complete) say(`${path} is complete: nothing was asked for`)
    else if (rows > 0) say(`continuing after ${counted(rows, "row")} of ${path}`)
    if (output.state === undefined) {
      for (const problem of renamed) say(`${file}: ${problem}`)
      await output.confirm(Buffer.from(header, "latin1"), nothing)
    }
    return output
  }

  private async ask(batch: LineBatch<Item>, signal: AbortSignal): Promise<AskedBatch> {
    const items = itemsOf(batch)
    if (items.length === 0)
      return { outcomes: [], credits: undefined, listPrice: 0, notice: undefined, isRepeated: false }
    const { first, lines } = batch
    const request = {
      idempotencyKey: `enrich-${letterHash(`${this.jobHash} ${first}`)}`,
      requestId: `enrich-${this.jobHash.slice(0, 16)}-${first + 1}-${first + lines.length}`
    }
    const attempt = Effect.tryPromise({
      try: (signal) => this.enrichment.ask(items, { ...request, prices: this.prices, signal }),
      catch: (error) => {
        if (!isRefusal(error)) this.mayBeCharged = true
        return error
      }
    })
    const asked = await Effect.runPromise(
      untilServed(attempt, (reason) => this.sayWaiting(reason)),
      { signal }
    )
    const isRepeated = this.mayBeCharged
    this.mayBeCharged = false
    this.isWaiting = false
    if (asked.outcomes.length !== items.length) throw otherVersion
    if (asked.notice !== undefined && !this.hasNotice) this.progress.say(asked.notice)
    this.hasNotice ||= asked.notice !== undefined
    return { ...asked, isRepeated }
  }

  private sayWaiting(reason: string): void {
    if (!this.isWaiting) this.progress.say(`waiting: ${reason}`)
    this.isWaiting = true
  }
}

interface AskedBatch extends Asked {
  /** Whether an earlier attempt may have been charged. */
  readonly isRepeated: boolean
}

const otherVersion = new CommandFailure("the service did not return a result for each row: it has another version")

const stateAfter = (before: Report, lines: number, outcomes: ReadonlyArray<Outcome>, asked: AskedBatch): Report => {
  const { credits, isRepeated, listPrice } = asked
  const { charged, uncertain } = certaintyOf(credits?.charged, { isRepeated, most: listPrice })
  const counts: Record<string, number> = { ...before.counts }
  for (const { status } of outcomes) counts[status] = (counts[status] ?? 0) + 1
  return {
    lines: before.lines + lines,
    rows: before.rows + outcomes.length,
    counts,
    credits_charged: before.credits_charged + charged,
    credits_uncertain: before.credits_uncertain + uncertain,
    credits_remaining: credits?.remaining ?? before.credits_remaining,
    complete: false
  }
}

const fieldsOf = (statuses: ReadonlyArray<string>): View<Report & { readonly output: string }> => ({
  output: "output",
  rows: ({ rows }) => grouped(rows),
  ...Object.fromEntries(
    statuses.map((status) => [status.replace("_", " "), ({ counts }: Report) => grouped(counts[status] ?? 0)])
  ),
  "credits charged": ({ credits_charged }) => grouped(credits_charged),
  "perhaps charged": ({ credits_uncertain }) => (credits_uncertain === 0 ? null : grouped(credits_uncertain)),
  "credits left": ({ credits_remaining }) => (credits_remaining === null ? null : grouped(credits_remaining))
})
