/**
 * What a benchmark is: a name, and figures that it yields one by one, each beside that of a peer.
 */

/** What a benchmark is told from the command line. */
export interface Options {
  /** How many delivery units to build a directory of, for benchmarks that have one. */
  readonly units: number | undefined
  /** How long to go on, for benchmarks that take their time. */
  readonly minutes?: number | undefined
  /** Whether on PostgreSQL, for benchmarks that can be in memory as well. */
  readonly postgres?: boolean | undefined
  /** Says on standard error what is going on. */
  readonly progress: (message: string) => void
}

/** One comparison: one line of the table, one JSON object. */
export interface Figure {
  readonly bench: string
  readonly figure: string
  /** Ours, in `unit`. */
  readonly value: number
  /** `ns`, `bytes`, `requests/s`, … */
  readonly unit: string
  /** What ours is held against, with its version; null where nothing is comparable. */
  readonly peer: string | null
  /** Null where there is no peer, or where it is missing; `progress` then says why. */
  readonly peer_value: number | null
  /** How many times better ours is than the peer: above 1 is better. */
  readonly ratio: number | null
}

export type Bench = (options: Options) => AsyncIterable<Figure>

/** Adds the ratio. Less is better for times and sizes, more for rates. */
export const compared = (better: "less" | "more", measured: Omit<Figure, "ratio">): Figure => {
  const { bench, figure, value, unit, peer, peer_value } = measured
  const [dividend, divisor] = better === "less" ? [peer_value, value] : [value, peer_value]
  const ratio = dividend === null || divisor === null ? null : dividend / divisor
  return { bench, figure, value, unit, peer, peer_value, ratio }
}
