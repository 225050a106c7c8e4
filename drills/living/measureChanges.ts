/** Measures in rounds, with changes and without in turns. */
import { setTimeout } from "node:timers/promises"
import { type JournalEntry, now_ms, readJournal } from "./Journal.ts"
import type { LivingOptions, MeasuredReport } from "./LivingOptions.ts"
import type { PosterProcess } from "./PosterProcess.ts"
import type { SearchTally } from "./Searches.ts"
import { type SearchProcess, searchReportOf, timesOf } from "./SearchProcess.ts"
import type { Seen, Watcher } from "./Watcher.ts"

export interface Measuring {
  readonly poster: PosterProcess
  readonly searches: SearchProcess
  readonly watcher: Watcher
  /** The path of the journal. */
  readonly journal: string
}

export const measureChanges = async (
  { progress, rate, replicas, seconds }: LivingOptions,
  { journal, poster, searches, watcher }: Measuring
): Promise<MeasuredReport> => {
  const rounds = Math.max(2, Math.min(6, Math.floor(seconds / 10)))
  const round_ms = (1_000 * seconds) / rounds
  const [quiet, changing]: [Array<SearchTally>, Array<SearchTally>] = [[], []]
  // The first requests compile code.
  await setTimeout(Math.min(round_ms, warmUp_ms))
  for (let round = 1; round <= rounds; round++) {
    progress(`round ${round} of ${rounds}: ${round_ms / 1_000} s of searches, then of changes, too`)
    await searches.take()
    await setTimeout(round_ms)
    quiet.push(await searches.take())
    poster.start(rate)
    await setTimeout(round_ms)
    changing.push(await searches.take())
    await poster.pause()
    await setTimeout(settle_ms)
  }
  const entries = readJournal(journal)
  const changes = entries.reduce((sum, { applied }) => sum + (applied?.applied ?? 0), 0)
  return {
    changes,
    changes_per_s: Math.round(changes / seconds),
    batches: entries.length,
    visible: await visibleTimes(entries, watcher, replicas),
    quiet: searchReportOf(quiet),
    changing: searchReportOf(changing),
    p99_ratio: medianRatio(quiet, changing)
  }
}

const warmUp_ms = 5_000

/** Until replicas are done with what they were sent. */
const settle_ms = 1_500

/** From the answer to a batch until every connection to a replica has shown its version. */
const visibleTimes = async (
  entries: ReadonlyArray<JournalEntry>,
  watcher: Watcher,
  replicas: number
): Promise<MeasuredReport["visible"]> => {
  const answered = entries.flatMap(({ answered_ms, applied }) =>
    applied === undefined || applied.applied === 0 ? [] : [{ answered_ms, changes: numberOf(applied.version) }]
  )
  const last = Math.max(0, ...answered.map(({ changes }) => changes))
  const edition = watcher.seenBy(0)[0]?.at(-1)?.edition ?? ""
  if (!(await watcher.untilShown(edition, last, lostAfter_ms))) {
    throw new Error(`not every replica shows version ${last} within ${lostAfter_ms / 1_000} s`)
  }
  const times_ms: Array<number> = []
  for (let replica = 0; replica < replicas; replica++) {
    const connections = watcher.seenBy(replica)
    for (const { answered_ms, changes } of answered) {
      const shown_ms = Math.max(...connections.map((seen) => firstShown_ms(seen, changes)))
      times_ms.push(Math.max(0, shown_ms - answered_ms))
    }
  }
  const within = times_ms.filter((time_ms) => time_ms <= 1_000).length / times_ms.length
  return { ...timesOf(times_ms), within_1_s: Math.round(within * 10_000) / 10_000 }
}

const lostAfter_ms = 60_000

const numberOf = (version: string): number => Number(version.split("+")[1] ?? 0)

/** The time at which a connection first showed a version, or a later one. */
const firstShown_ms = (seen: ReadonlyArray<Seen>, changes: number): number => {
  let [low, high] = [0, seen.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((seen[middle] as Seen).changes < changes) low = middle + 1
    else high = middle
  }
  return seen[low]?.at_ms ?? now_ms()
}

const medianRatio = (quiet: ReadonlyArray<SearchTally>, changing: ReadonlyArray<SearchTally>): number => {
  const p99_ms = (tally: SearchTally) => searchReportOf([tally]).all.p99_ms
  const ratios = quiet
    .map((tally, round) => p99_ms(changing[round] as SearchTally) / p99_ms(tally))
    .sort((a, b) => a - b)
  return Math.round((ratios[Math.floor(ratios.length / 2)] ?? Number.NaN) * 100) / 100
}
