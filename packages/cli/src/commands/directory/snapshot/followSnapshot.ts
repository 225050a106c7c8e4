/**
 * `postcode snapshot follow`: brings a snapshot to the version of a service. The file is replaced when all changes are
 * applied, or the credits are used up; until then it stays as it was.
 *
 * Every page is read without coordinates first, which is free and shows what it would cost with them. The
 * `Idempotency-Key` of a page is derived from the file and the page, so a page is charged once in 24 hours even if the
 * command is killed before it has written the file.
 */
import { realpath } from "node:fs/promises"
import { setTimeout } from "node:timers/promises"
import { type Answer, type DataOf, isPostcodeError, type PostcodeClient } from "@postcode/client"
import { type AllowedRemovals, judgeRemovals } from "@postcode/core/Changes"
import { Directory, formatVersion } from "@postcode/core/Directory"
import { defaultPriceList } from "@postcode/core/Prices"
import { compareDirectories } from "@postcode/gateway/directory/imports/compareDirectories"
import { mergeInWorker, writeSnapshotFile } from "@postcode/node"
import { openSnapshot } from "@postcode/server/directory/openSnapshot"
import { CommandFailure, exitCodes, failUsage, toFailure } from "@postcode/server/process/ExitCode"
import { printable, say } from "@postcode/server/process/Output"
import { counted, grouped, makeProgress } from "@postcode/server/process/Progress"
import { untilSettled } from "@postcode/server/process/UntilSettled"
import { Effect } from "effect"
import { clientWithKey, type KeyConnection, type KeyFlags, requireKey } from "../../../management/apiKey.ts"
import { Charges, type PaidCall, type Purchase } from "../../../management/Charges.ts"
import { failureOf } from "../../../management/connect.ts"
import { letterHash } from "../../../management/letterHash.ts"
import { untilServed } from "../../../management/untilServed.ts"
import { printRecord } from "../../../terminal/Print.ts"
import type { View } from "../../../terminal/Table.ts"
import { removalsDecision } from "../AllowRemovals.ts"
import { pricedUnits, SnapshotCopy } from "./SnapshotCopy.ts"

/** The snapshot, the service, and what it may cost. */
export interface FollowInput extends KeyFlags {
  readonly file: string
  /** Whether to go on when the snapshot has the version of the service. */
  readonly watch: boolean
  readonly coordinates: boolean
  /** The most that this run may cost. */
  readonly maxCredits: number | undefined
  readonly allowRemovals: AllowedRemovals | undefined
  readonly json: boolean
}

/** Prints a report at the end. With `watch` only a failure or an interruption ends it. */
export const followSnapshot = (input: FollowInput): Effect.Effect<void, CommandFailure> =>
  Effect.gen(function* () {
    const { coordinates, file, maxCredits } = input
    if (maxCredits !== undefined && !coordinates) {
      return yield* failUsage(needsCoordinates)
    }
    const connection = yield* requireKey(input)
    const path = yield* Effect.promise(() => realpath(file).catch(() => file))
    const { directory } = yield* openSnapshot(path, 1_000)
    const run = yield* Effect.try({ try: () => new Run(input, connection, path, directory), catch: toFailure })
    yield* printRecord(input, yield* untilSettled((signal) => run.toEnd(signal)), fields)
  })

const needsCoordinates = "--max-credits is for --coordinates: without them nothing is charged"

type Page = DataOf<"GET /v1/directory/changes">

const pageSize = 1_000
const pause_ms = 5_000

class Run {
  private readonly input: FollowInput
  private readonly connection: KeyConnection
  private readonly client: PostcodeClient
  /** The file itself if `input.file` is a symbolic link. */
  private readonly path: string
  private readonly hasAddresses: boolean
  private copy: SnapshotCopy
  private readonly counts = { changes: 0 }
  private readonly charges = new Charges()
  /** The last page with coordinates, which may be asked for again with the same `Idempotency-Key`. */
  private paid: { readonly key: string; readonly call: PaidCall } | undefined
  private readonly leftOut = { new_units: 0, moved_units: 0 }
  private written: string
  private isWaiting = false
  private write_ms = 0

  /** @throws CommandFailure if the key cannot be sent */
  constructor(input: FollowInput, connection: KeyConnection, path: string, directory: Directory) {
    this.input = input
    this.connection = connection
    this.client = clientWithKey(connection, { retries: 0 })
    this.path = path
    this.hasAddresses = directory.addresses !== undefined
    this.copy = new SnapshotCopy(directory)
    this.written = this.version
  }

  async toEnd(signal: AbortSignal) {
    const onAbort = () => say(`interrupted; ${this.input.file} is whole, and has version ${this.written}`)
    signal.addEventListener("abort", onAbort, { once: true })
    try {
      for (let isFirst = true; ; isFirst = false) {
        await this.catchUp(signal).catch((error: unknown) => {
          if (isFirst || !isOutage(error)) throw error
        })
        if (!this.input.watch) return this.report()
        // A large file is written for at most a fifth of the time.
        await setTimeout(Math.max(pause_ms, 4 * this.write_ms), undefined, { signal })
      }
    } catch (error) {
      if (signal.aborted) throw error
      throw this.explain(error)
    } finally {
      signal.removeEventListener("abort", onAbort)
    }
  }

  /** The version of the copy, which may be after that of the file. */
  private get version(): string {
    const { changes, version } = this.copy.current
    return formatVersion({ edition: version, changes })
  }

  private report() {
    return {
      file: this.input.file,
      data_version: this.written,
      ...this.counts,
      credits_charged: this.charges.charged,
      credits_uncertain: this.charges.most - this.charges.charged,
      left_out: this.leftOut
    }
  }

  /** Applies all changes that the service has, and writes the file if there were any. */
  private async catchUp(signal: AbortSignal): Promise<void> {
    const before = this.copy.current.changes
    const progress = makeProgress({ doing: `following ${this.input.file}`, what: "changes" })
    try {
      let page = await this.page(pageSize, signal)
      if (this.input.coordinates) await this.sayMaximum(page, signal)
      while (page.changes.length > 0) {
        this.take(this.input.coordinates ? await this.withCoordinates(page, signal) : page)
        const { changes } = this.copy.current
        progress.update(changes - before, (changes - before) / (numberOf(page.latest) - before))
        if (this.version === page.latest) break
        page = await this.page(pageSize, signal)
      }
      progress.finish(this.copy.current.changes - before)
    } catch (error) {
      // What was paid for is kept.
      if (!signal.aborted && this.explain(error).exitCode === exitCodes.notEnoughCredits) {
        await this.write(signal)
      }
      throw error
    } finally {
      progress.clear()
    }
    await this.write(signal)
  }

  /** The same changes, with coordinates if some have them. */
  private async withCoordinates(page: Page, signal: AbortSignal): Promise<Page> {
    const units = pricedUnits(page.changes)
    if (units === 0) return page
    const { maxCredits = Number.POSITIVE_INFINITY } = this.input
    const key = this.keyOf(this.version, page.changes.length)
    // A page that was asked for before is charged once, and counts already.
    const call = this.paid?.key === key ? this.paid.call : this.charges.call(purchaseOf(units))
    const isCounted = this.paid?.call === call
    const [most, cost] = [this.charges.most, this.charges.costOf(call.purchase)]
    if (most + (isCounted ? 0 : cost) <= maxCredits) {
      this.paid = { key, call }
      const send = (signal: AbortSignal) =>
        call.attempt(() => this.send(page.changes.length, signal, this.version, key))
      return await this.served(send, signal)
    }
    const reason = `the next changes cost up to ${counted(cost, "credit")}, and ${chargedSoFar(this.charges)}`
    throw new CommandFailure(`${reason}: more than --max-credits ${maxCredits}`, exitCodes.notEnoughCredits)
  }

  private take({ changes }: Page): void {
    const expected = this.copy.current.changes + 1
    if (changes[0]?.number !== expected) {
      throw new CommandFailure(`the service did not return change ${expected}: it has another version`)
    }
    this.copy.take(changes)
    this.counts.changes += changes.length
  }

  /** Each unit of each page is charged once, so the pages are counted as they will be read. */
  private async sayMaximum(first: Page, signal: AbortSignal): Promise<void> {
    let units = pricedUnits(first.changes)
    let [page, changes] = [first, first.changes.length]
    while (page.version !== page.latest) {
      page = await this.page(pageSize, signal, page.version)
      units += pricedUnits(page.changes)
      changes += page.changes.length
    }
    if (units === 0) return
    const { maxCredits } = this.input
    const price = this.charges.priceOf(purchaseOf(1))
    const limit = maxCredits === undefined ? "" : `, and no more than ${grouped(maxCredits)} in all (--max-credits)`
    const cost = `${counted(units, "lookup")} at level 5: at most ${counted(units * price, "credit")}`
    say(
      `${counted(changes, "change")} since ${this.version} ${changes === 1 ? "costs" : "cost"} ${cost}, at ${price} each${limit}`
    )
  }

  /** The file is replaced at once, or stays as it was. */
  private async write(signal: AbortSignal): Promise<void> {
    if (this.version === this.written) {
      if (!this.input.watch) say(`${this.input.file} has the version of the service, ${this.version}`)
      return
    }
    const started_ms = performance.now()
    const directory = new Directory(await mergeInWorker(this.copy.current, { signal }))
    const verdict = judgeRemovals(compareDirectories(this.copy.base, directory).removals)
    if (verdict.isLarge) await removalsDecision(this.input.allowRemovals, signal)(verdict)
    await writeSnapshotFile(directory, this.path, { addresses: this.hasAddresses, signal })
    this.write_ms = performance.now() - started_ms
    this.leftOut.new_units += this.copy.missingUnits
    this.leftOut.moved_units += this.copy.unmovedUnits
    say(`${this.input.file}: ${this.written} → ${this.version}${describeLeftOut(this.copy)}`)
    this.copy = new SnapshotCopy(directory)
    this.written = this.version
  }

  /** The rest of a message about a run that ends early. */
  private get soFar(): string {
    return `; ${this.input.file} has version ${this.written}`
  }

  private explain(error: unknown): CommandFailure {
    const { exitCode, message } = isPostcodeError(error) ? failureOf(error, this.connection) : toFailure(error)
    const isExpired = isPostcodeError(error) && error.code === "version_expired"
    if (isExpired)
      return new CommandFailure(`${this.input.file} cannot follow from ${this.version}: ${message}\n${anew}`)
    return new CommandFailure(message + this.soFar, exitCode)
  }

  private page(limit: number, signal: AbortSignal, since = this.version): Promise<Page> {
    return this.served((signal) => this.send(limit, signal, since), signal)
  }

  /** @param key of a page with coordinates */
  private send(limit: number, signal: AbortSignal, since: string, key?: string): Promise<Answer<Page>> {
    const query = { since, limit, coordinates: key !== undefined }
    return this.client.directory.changes(query, { signal, idempotencyKey: key, retries: 0 })
  }

  private keyOf(since: string, limit: number): string {
    return `snapshot-${letterHash(`${this.path} ${since} ${limit}`)}`
  }

  /** Sends until the service responds. */
  private async served(send: (signal: AbortSignal) => Promise<Answer<Page>>, signal: AbortSignal): Promise<Page> {
    const attempt = Effect.tryPromise({ try: send, catch: (error) => error })
    const { data } = await Effect.runPromise(
      untilServed(attempt, (reason) => this.sayWaiting(reason)),
      { signal }
    )
    this.isWaiting = false
    return data
  }

  private sayWaiting(reason: string): void {
    if (!this.isWaiting) say(`waiting: ${printable(reason)}`)
    this.isWaiting = true
  }
}

const purchaseOf = (units: number): Purchase => ({ kind: "unit", listPrice: defaultPriceList.lookup[5], units })

const chargedSoFar = ({ charged, most }: Charges): string =>
  `${grouped(charged)} are charged` +
  (most === charged ? "" : `, and up to ${grouped(most - charged)} more for requests whose first response was lost`)

/** Whether the service may be back later; `untilServed` has waited for a minute. */
const isOutage = (error: unknown): boolean => isPostcodeError(error) && [0, 502, 503, 504].includes(error.status)

const anew =
  "the file is as it was: build a snapshot of the edition that the service has with postcode snapshot build, or copy " +
  "one, and follow from there"

const numberOf = (version: string): number => Number(/\+(\d+)$/.exec(version)?.[1] ?? 0)

const describeLeftOut = ({ missingUnits, unmovedUnits }: SnapshotCopy): string =>
  missingUnits + unmovedUnits === 0
    ? ""
    : `; without coordinates ${counted(missingUnits, "new unit")} ${missingUnits === 1 ? "is" : "are"} left out, and ` +
      `${counted(unmovedUnits, "moved unit")} ${unmovedUnits === 1 ? "is where it was" : "are where they were"}`

const fields: View<ReturnType<Run["report"]>> = {
  file: "file",
  "data version": "data_version",
  changes: ({ changes }) => grouped(changes),
  "new units left out": ({ left_out }) => grouped(left_out.new_units),
  "moves left out": ({ left_out }) => grouped(left_out.moved_units),
  "credits charged": ({ credits_charged }) => grouped(credits_charged),
  "perhaps charged": ({ credits_uncertain }) => (credits_uncertain === 0 ? null : grouped(credits_uncertain))
}
