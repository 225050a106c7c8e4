/** The process that searches, seen from the one that measures. */
import type { ChildProcess } from "node:child_process"
import { forkSource } from "./forkSource.ts"
import type { SearchReport, Times } from "./LivingOptions.ts"
import type { SearchOptions, SearchTally } from "./Searches.ts"

export class SearchProcess {
  private readonly process: ChildProcess

  private constructor(child: ChildProcess) {
    this.process = child
  }

  /** Starts it, and waits until it searches. */
  static async start(options: SearchOptions): Promise<SearchProcess> {
    const child = forkSource(new URL("./runSearches.ts", import.meta.url), options, -10)
    const searches = new SearchProcess(child)
    await searches.take()
    return searches
  }

  /** The answers since the last call. */
  take(): Promise<SearchTally> {
    return new Promise((resolve, reject) => {
      const ended = () => reject(new Error("the process that searches ended"))
      this.process.once("exit", ended)
      this.process.once("message", (tally: SearchTally) => {
        this.process.off("exit", ended)
        resolve(tally)
      })
      this.process.send({})
    })
  }

  end(): void {
    this.process.kill("SIGKILL")
  }
}

export const timesOf = (times_ms: ReadonlyArray<number>): Times => {
  const sorted = Float64Array.from(times_ms).sort()
  const at = (part: number) => rounded(sorted[Math.ceil(sorted.length * part) - 1] ?? Number.NaN)
  return { count: sorted.length, p50_ms: at(0.5), p99_ms: at(0.99), max_ms: at(1) }
}

export const searchReportOf = (tallies: ReadonlyArray<SearchTally>): SearchReport => {
  const byKind: Record<string, Array<number>> = {}
  const failed: Record<number, number> = {}
  for (const tally of tallies) {
    for (const [kind, times_ms] of Object.entries(tally.times_ms)) byKind[kind] = (byKind[kind] ?? []).concat(times_ms)
    for (const [status, count] of Object.entries(tally.failed)) {
      failed[Number(status)] = (failed[Number(status)] ?? 0) + count
    }
  }
  return {
    all: timesOf(Object.values(byKind).flat()),
    byKind: Object.fromEntries(Object.entries(byKind).map(([kind, times_ms]) => [kind, timesOf(times_ms)])),
    failed,
    lag_p99_ms: timesOf(tallies.flatMap(({ lags_ms }) => lags_ms)).p99_ms
  }
}

const rounded = (value: number): number => Math.round(value * 100) / 100
