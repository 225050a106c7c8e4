/** What a run of the fuzzer found, and how it is shown. */
import type { Received } from "@postcode/conformance/wire"

export interface Failure {
  /** What is wrong, in words. */
  readonly fault: string
  /** The number of the first request that failed so. */
  readonly index: number
  count: number
  /** A command that sends it again, made small. */
  reproduction: string
}

export interface FuzzReport {
  readonly store: string
  readonly seed: number
  readonly requests: number
  readonly seconds: number
  /** Answers by kind of request, and by status. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, number>>>>
  /** Operations that answered a success at least once, of all. */
  readonly succeeded: readonly [number, number]
  /** Those that never did. */
  readonly neverSucceeded: ReadonlyArray<string>
  /** Of requests that were asked alone again since they had taken more than 50 ms beside others. */
  readonly askedAgain: number
  readonly slowestAlone_ms: number
  /** Beside others, the time in the queue included. */
  readonly slowest_ms: number
  readonly memory_mb: { readonly first: number; readonly last: number; readonly most: number }
  readonly failures: ReadonlyArray<Failure>
}

export class Tally {
  private readonly byKind = new Map<string, Map<string, number>>()
  private readonly failuresByFault = new Map<string, Failure>()

  count(kind: string, received: ReadonlyArray<Received>): void {
    const statuses = this.byKind.get(kind) ?? new Map<string, number>()
    this.byKind.set(kind, statuses)
    const outcomes = received.length === 0 ? ["none"] : received.map(({ status }) => `${status}`)
    for (const status of outcomes) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }

  /** @returns the failure if it is the first of its kind */
  fail(fault: string, index: number): Failure | undefined {
    const kind = fault.replace(/\d+/g, "0").slice(0, 100)
    const known = this.failuresByFault.get(kind)
    if (known !== undefined) {
      known.count++
      return undefined
    }
    const failure = { fault, index, count: 1, reproduction: "" }
    this.failuresByFault.set(kind, failure)
    return failure
  }

  answers(): FuzzReport["answers"] {
    return Object.fromEntries([...this.byKind].map(([kind, statuses]) => [kind, Object.fromEntries(statuses)]))
  }

  failures(): ReadonlyArray<Failure> {
    return [...this.failuresByFault.values()]
  }
}

/** For people. */
export const describeReport = (report: FuzzReport): string => {
  const { answers, askedAgain, failures, memory_mb, neverSucceeded, requests, seconds, seed, store, succeeded } = report
  const statuses = [...new Set(Object.values(answers).flatMap((counts) => Object.keys(counts)))].sort()
  const row = (cells: ReadonlyArray<string | number>) =>
    cells.map((cell, i) => (i === 0 ? String(cell).padEnd(12) : String(cell).padStart(7))).join(" ")
  return [
    `${requests} requests, ${store}, seed ${seed}, ${seconds.toFixed(0)} s`,
    row(["kind", ...statuses]),
    ...Object.entries(answers).map(([kind, counts]) => row([kind, ...statuses.map((status) => counts[status] ?? 0)])),
    `operations that answered a success: ${succeeded[0]} of ${succeeded[1]}${neverSucceeded.length > 0 ? `; never: ${neverSucceeded.join(", ")}` : ""}`,
    `slowest beside others ${report.slowest_ms.toFixed(0)} ms; ${askedAgain} asked again alone, the slowest of them ${report.slowestAlone_ms.toFixed(1)} ms`,
    `memory ${memory_mb.first.toFixed(0)} MB at first, ${memory_mb.last.toFixed(0)} at last, ${memory_mb.most.toFixed(0)} at most`,
    `failures: ${failures.length}`,
    ...failures.map(
      ({ count, fault, index, reproduction }) =>
        `\n  ${count} × ${fault}\n  first: request ${index}, --seed ${seed}\n  ${reproduction}`
    )
  ].join("\n")
}
