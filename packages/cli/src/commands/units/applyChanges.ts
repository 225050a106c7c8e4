/**
 * `postcode units apply`: applies the changes of a file, in order, in batches. All lines are checked first. The reference
 * of a batch is derived from the content of the file and the number of the batch, so the command can be killed at any
 * time and run again: no change is applied twice.
 */
import { createHash } from "node:crypto"
import type { DataOf } from "@postcode/client"
import { Effect } from "effect"
import { openInput } from "../../csv/InputBytes.ts"
import { CommandFailure, exitCodes, failUsage, toFailure } from "../../ExitCode.ts"
import { type Call, connect } from "../../management/connect.ts"
import { inLetters } from "../../management/letterHash.ts"
import { printable, say, standardErrorDrained } from "../../terminal/Output.ts"
import { printRecord } from "../../terminal/Print.ts"
import { grouped, makeProgress, type Progress } from "../../terminal/Progress.ts"
import type { View } from "../../terminal/Table.ts"
import type { Work } from "../commandsOf.ts"
import { batchesOf, type LineChange, readChanges } from "./ChangeFile.ts"
import type { ChangeInput } from "./changeUnit.ts"

interface ApplyInput extends ChangeInput {
  readonly file: string
}

/** Applies what is not applied yet. Stops at the first batch with a bad change; those before it stay applied. */
export const applyChanges: Work<ApplyInput> = (input, options) =>
  Effect.gen(function* () {
    const { dryRun, file, reason } = input
    if (file === "-") return yield* failUsage(needsFile)
    const checked = yield* Effect.tryPromise({ try: (signal) => checkFile(file, signal), catch: toFailure })
    const { reference = `apply-${inLetters(checked.sha256).slice(0, 32)}` } = input
    const run = new Run({ file, reason, reference, dryRun }, checked)
    const call = yield* connect(options, (reason) => run.sayWaiting(reason))
    const report = yield* Effect.tryPromise({ try: (signal) => run.toEnd(call, signal), catch: toFailure })
    yield* printRecord(options, report, fields)
  })

const needsFile = "FILE: expected a file, not standard input, because it is read twice"

interface CheckedFile {
  readonly sha256: string
  readonly changes: number
}

/** Reads all lines, and reports those that can never be applied. */
const checkFile = async (file: string, signal: AbortSignal): Promise<CheckedFile> => {
  const input = await openInput(file)
  const progress = makeProgress({ doing: `checking ${file}`, what: "changes" })
  const hash = createHash("sha256")
  let changes = 0
  let bad = 0
  try {
    for await (const lines of readChanges(input, hash, signal)) {
      for (const found of lines) {
        if ("change" in found) changes++
        else {
          bad++
          progress.say(`${file}:${found.line}: ${printable(found.fault)}`)
        }
      }
      await standardErrorDrained(signal)
      progress.update(changes, input.share())
    }
  } catch (error) {
    throw error instanceof CommandFailure ? new CommandFailure(`${file}: ${error.message}`) : error
  } finally {
    progress.clear()
  }
  if (bad > 0) throw new CommandFailure(`nothing was applied: ${counted(bad, "bad change")}`)
  if (changes === 0) throw new CommandFailure(`${file} holds no change`)
  return { sha256: hash.digest("hex"), changes }
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
      const hash = createHash("sha256")
      for await (const batch of batchesOf(readChanges(await openInput(file), hash, signal))) {
        this.take(batch, await this.send(call, batch, signal))
      }
      if (hash.digest("hex") !== this.checked.sha256) throw new CommandFailure(`${file} has changed while it was read`)
      this.progress.finish(this.done)
      if (this.repeated > 0 && this.repeated === this.batches) say(repeatedBefore(reference))
      const { batches, counts, done: changes, repeated: repeated_batches, version } = this
      const outcome = dryRun ? "checked" : "applied"
      return { outcome, changes, ...counts, version, batches, repeated_batches, reference }
    } catch (error) {
      if (signal.aborted) throw error
      const { exitCode, message } = toFailure(error)
      throw new CommandFailure(message + this.soFar, exitCode)
    } finally {
      signal.removeEventListener("abort", onAbort)
      this.progress.clear()
    }
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

  private take(batch: ReadonlyArray<LineChange>, { applied, repeated, unchanged, version }: Outcome): void {
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
    const body = {
      reason: this.input.reason,
      reference: `${this.input.reference}/${this.batches + 1}`,
      changes: batch.map(({ change }) => change)
    }
    const ask = (dry_run: boolean) =>
      Effect.runPromise(call(route, { body: { ...body, dry_run } }), { signal }).catch((error: CommandFailure) => {
        throw this.atLine(batch, error)
      })
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

const counted = (count: number, what: string): string => `${grouped(count)} ${what}${count === 1 ? "" : "s"}`

type Report = Awaited<ReturnType<Run["toEnd"]>>

const fields: View<Report> = {
  outcome: "outcome",
  changes: ({ changes }) => grouped(changes),
  applied: ({ applied }) => grouped(applied),
  unchanged: ({ unchanged }) => grouped(unchanged),
  version: "version",
  batches: ({ batches }) => grouped(batches),
  "applied before": ({ repeated_batches }) => (repeated_batches === 0 ? null : `${grouped(repeated_batches)} batches`),
  reference: "reference"
}
