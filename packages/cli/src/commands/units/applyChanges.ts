/**
 * `postcode units apply`: applies the changes of a file, in order, in batches. All lines are checked first, and whether
 * the whole file takes many active units away. The reference of a batch is derived from the content of the file and the
 * number of the batch, so the command can be killed at any time and run again: no change is applied twice.
 */
import { createHash } from "node:crypto"
import type { DataOf } from "@postcode/client"
import { type AllowedRemovals, allowedByChanges, freeChanges } from "@postcode/core/Changes"
import { BadRowList } from "@postcode/server/directory/BadRowFile"
import { reportBadRows } from "@postcode/server/directory/BadRowReport"
import { type InputBytes, openInput } from "@postcode/server/directory/InputBytes"
import { CommandFailure, exitCodes, failUsage, toFailure } from "@postcode/server/process/ExitCode"
import { printable, say, standardErrorDrained } from "@postcode/server/process/Output"
import { counted, grouped, makeProgress, type Progress } from "@postcode/server/process/Progress"
import { Effect } from "effect"
import { type Call, connect } from "../../management/connect.ts"
import { inLetters } from "../../management/letterHash.ts"
import { printRecord } from "../../terminal/Print.ts"
import type { View } from "../../terminal/Table.ts"
import type { Work } from "../commandsOf.ts"
import { removalsDecision } from "../directory/AllowRemovals.ts"
import { batchesOf, type LineChange, readChanges } from "./ChangeFile.ts"
import type { ChangeInput } from "./changeUnit.ts"

interface ApplyInput extends ChangeInput {
  readonly file: string
  /** Of a workbook. */
  readonly sheet: string | undefined
  readonly allowRemovals: AllowedRemovals | undefined
  /** Where to write line and reason of each bad line. */
  readonly badRows: string | undefined
}

/** Applies what is not applied yet. Stops at the first batch with a bad change; those before it stay applied. */
export const applyChanges: Work<ApplyInput> = (input, options) =>
  Effect.gen(function* () {
    const { allowRemovals, dryRun, file, reason, sheet } = input
    if (file === "-") return yield* failUsage(needsFile)
    const checked = yield* Effect.tryPromise({ try: (signal) => checkFile(input, signal), catch: toFailure })
    const { reference = `apply-${inLetters(checked.sha256).slice(0, 32)}` } = input
    const run = new Run({ file, sheet, badRows: input.badRows, reason, reference, dryRun, allowRemovals }, checked)
    const call = yield* connect(options, (reason) => run.sayWaiting(reason))
    const report = yield* Effect.tryPromise({ try: (signal) => run.toEnd(call, signal), catch: toFailure })
    yield* printRecord(options, report, fields)
  })

const needsFile = "FILE: expected a file, not standard input, because it is read twice"

interface CheckedFile {
  readonly sha256: string
  readonly changes: number
  /** Number of changes that may take an active unit away. */
  readonly removing: number
}

/** Whether a change may take an active unit away. */
const isRemoving = ({ change }: LineChange): boolean => removingKinds.has(change.change)

const removingKinds: ReadonlySet<string> = new Set(["move", "retire", "replace"])

/** Reads all lines, and reports those that can never be applied. */
const checkFile = async ({ badRows, file, sheet }: ApplyInput, signal: AbortSignal): Promise<CheckedFile> => {
  const input = await openInput(file, { sheet, onNote: (note) => say(`${file}: ${note}`) })
  const progress = makeProgress({ doing: `checking ${file}`, what: "changes" })
  const list = badRows === undefined ? undefined : new BadRowList(badRows)
  const report = reportBadRows({ file: { name: file } }, progress)
  const hash = createHash("sha256")
  let changes = 0
  let removing = 0
  let bad = 0
  try {
    for await (const lines of readChanges(input, hash, signal, (note) => progress.say(`${file}: ${note}`))) {
      for (const found of lines) {
        if ("change" in found) {
          changes++
          if (isRemoving(found)) removing++
        } else {
          bad++
          report.add("file", found.line, found.fault)
          list?.add(found.line, found.fault)
        }
      }
      await standardErrorDrained(signal)
      progress.update(changes, input.share())
    }
  } catch (error) {
    throw error instanceof CommandFailure ? new CommandFailure(`${file}: ${error.message}`) : error
  } finally {
    progress.clear()
    list?.close()
  }
  report.sayReasons()
  if (bad > 0) throw new CommandFailure(`nothing was applied: ${counted(bad, "bad change")}`)
  if (changes === 0) throw new CommandFailure(`${file} holds no change`)
  return { sha256: hash.digest("hex"), changes, removing }
}

type Outcome = DataOf<"POST /v1/admin/directory/changes">

const route = "POST /v1/admin/directory/changes"

/** One run over a file. */
class Run {
  private readonly input: ApplyInput & { readonly reference: string }
  private readonly checked: CheckedFile
  private readonly progress: Progress
  private isWaiting = false
  private done = 0
  private batches = 0
  private repeated = 0
  private readonly counts = { applied: 0, unchanged: 0 }
  private version: string | null = null
  private removals = 0
  private activeUnits = 0
  private allowed: AllowedRemovals | undefined

  constructor(input: ApplyInput & { readonly reference: string }, checked: CheckedFile) {
    this.input = input
    this.checked = checked
    const doing = `${input.dryRun ? "checking" : "applying"} ${input.file}`
    this.progress = makeProgress({ doing, what: "changes" })
  }

  async toEnd(call: Call, signal: AbortSignal) {
    const { dryRun, file, reference } = this.input
    const onAbort = () => this.progress.say(`interrupted${this.soFar}`)
    signal.addEventListener("abort", onAbort)
    try {
      if (!dryRun) await this.decideOnRemovals(call, signal)
      const hash = createHash("sha256")
      for await (const batch of batchesOf(readChanges(await this.open(), hash, signal))) {
        this.take(batch, await this.send(call, batch, signal))
      }
      if (hash.digest("hex") !== this.checked.sha256) throw new CommandFailure(`${file} has changed while it was read`)
      this.progress.finish(this.done)
      if (this.repeated > 0 && this.repeated === this.batches) say(repeatedBefore(reference))
      const { batches, counts, done: changes, repeated: repeated_batches, version } = this
      const outcome = dryRun ? "checked" : "applied"
      const removals = this.removals > 0 && { removals: this.removals, active_units: this.activeUnits }
      return { outcome, changes, ...counts, ...removals, version, batches, repeated_batches, reference }
    } catch (error) {
      if (signal.aborted) throw error
      const { exitCode, message } = toFailure(error)
      throw new CommandFailure(message + this.soFar, exitCode)
    } finally {
      signal.removeEventListener("abort", onAbort)
      this.progress.clear()
    }
  }

  private open(): Promise<InputBytes> {
    const { file, sheet } = this.input
    return openInput(file, { sheet })
  }

  sayWaiting(reason: string): void {
    if (!this.isWaiting) this.progress.say(`waiting: ${reason}`)
    this.isWaiting = true
  }

  /** The rest of a message about a run that ends early. */
  private get soFar(): string {
    if (this.input.dryRun || this.done === 0) return ""
    return `; the first ${counted(this.done, "change")} are applied, and the same command continues after them`
  }

  /**
   * Counts what the whole file takes away, by a dry run of its batches: each of many batches may be small. A batch that
   * has faults before the others are applied counts nothing here; the service decides on it alone.
   */
  private async decideOnRemovals(call: Call, signal: AbortSignal): Promise<void> {
    const { removing } = this.checked
    const { allowRemovals } = this.input
    this.allowed = allowRemovals
    if (removing <= freeChanges || allowRemovals === "all") return
    let count = 0
    let active = 0
    let number = 0
    for await (const batch of batchesOf(readChanges(await this.open(), createHash("sha256"), signal))) {
      number++
      const outcome = await this.ask(call, batch, number, true, signal)
      active = outcome.active_units ?? active
      if (removing <= allowedByChanges(active, allowRemovals)) return
      count += outcome.removals ?? 0
    }
    if (count <= allowedByChanges(active, allowRemovals)) return
    const what = `retire ${grouped(count)} of ${grouped(active)} active units or move them by more than 1 km`
    this.allowed = await removalsDecision(allowRemovals, signal)({ count, description: what })
  }

  private take(batch: ReadonlyArray<LineChange>, outcome: Outcome): void {
    const { active_units, applied, removals = 0, repeated, unchanged, version } = outcome
    this.removals += removals
    this.activeUnits = active_units ?? this.activeUnits
    this.isWaiting = false
    this.version = version
    this.batches++
    this.done += batch.length
    if (repeated) this.repeated++
    this.counts.applied += applied
    this.counts.unchanged += unchanged
    this.progress.update(this.done, this.done / this.checked.changes)
  }

  private async send(call: Call, batch: ReadonlyArray<LineChange>, signal: AbortSignal): Promise<Outcome> {
    const ask = (dryRun: boolean) => this.ask(call, batch, this.batches + 1, dryRun, signal)
    const { dryRun } = this.input
    const outcome = await ask(dryRun).catch(async (error: CommandFailure) => {
      // The message of a refusal names only the first changes.
      if (dryRun || signal.aborted || error.exitCode !== exitCodes.wrongUsage) throw error
      const checked = await ask(true)
      return checked.valid ? Promise.reject(error) : checked
    })
    if (outcome.valid) return outcome
    for (const { index, reason } of outcome.faults) {
      this.progress.say(`${this.input.file}:${batch[index]?.line}: ${printable(reason)}`)
    }
    await standardErrorDrained(signal)
    throw new CommandFailure(refused(batch, outcome.faults.length))
  }

  /** @param number of the batch in the file, from 1 */
  private ask(
    call: Call,
    batch: ReadonlyArray<LineChange>,
    number: number,
    dry_run: boolean,
    signal: AbortSignal
  ): Promise<Outcome> {
    const { reason, reference } = this.input
    const changes = batch.map(({ change }) => change)
    const allow_removals = this.allowed
    const body = { reason, reference: `${reference}/${number}`, dry_run, allow_removals, changes }
    return Effect.runPromise(call(route, { body }), { signal }).catch((error: CommandFailure) => {
      throw this.atLine(batch, error)
    })
  }

  /** Replaces the index of the change in an error by its line. */
  private atLine(batch: ReadonlyArray<LineChange>, failure: CommandFailure): CommandFailure {
    const [, index, rest] = /^changes\[(\d+)\][.:] ?(.*)$/s.exec(failure.message) ?? []
    const line = batch[Number(index)]?.line
    return line === undefined ? failure : new CommandFailure(`${this.input.file}:${line}: ${rest}`, failure.exitCode)
  }
}

const refused = (batch: ReadonlyArray<LineChange>, faults: number): string =>
  `nothing of lines ${batch[0]?.line} to ${batch.at(-1)?.line} was applied: ${counted(faults, "bad change")}`

const repeatedBefore = (reference: string): string =>
  `nothing was changed: all of it was applied before, as ${reference}; another --reference applies it again`

type Report = Awaited<ReturnType<Run["toEnd"]>>

/** Of a dry run, if there are any. */
const describeShare = ({ active_units, removals }: Report): string | null =>
  removals === undefined || active_units === undefined
    ? null
    : `${grouped(removals)} of ${grouped(active_units)} active units` +
      (removals > allowedByChanges(active_units) ? `; needs --allow-removals ${removals}` : "")

const fields: View<Report> = {
  outcome: "outcome",
  changes: ({ changes }) => grouped(changes),
  applied: ({ applied }) => grouped(applied),
  unchanged: ({ unchanged }) => grouped(unchanged),
  "retired or moved away": describeShare,
  version: "version",
  batches: ({ batches }) => grouped(batches),
  "applied before": ({ repeated_batches }) => (repeated_batches === 0 ? null : `${grouped(repeated_batches)} batches`),
  reference: "reference"
}
