/** A benchmark: a name and figures, each compared with a peer. */

/** Command-line options of a benchmark. */
export interface Options {
  /** The number of delivery units in the directory, if the benchmark has one. */
  readonly units: number | undefined
  /** The number of organizations, if the benchmark has some. */
  readonly organizations?: number | undefined
  /** The duration, if the benchmark has one. */
  readonly minutes?: number | undefined
  /** Whether to run on PostgreSQL, if the benchmark can also run in memory. */
  readonly postgres?: boolean | undefined
  /** The folder of a directory's CSV files, if the benchmark can take one. */
  readonly directory?: string | undefined
  /** Whether to measure on the half that may be tuned on, if the benchmark holds one back. */
  readonly tune?: boolean | undefined
  /** The path of a picture of the result, if the benchmark can draw one. */
  readonly picture?: string | undefined
  /** Reports progress on standard error. */
  readonly progress: (message: string) => void
}

/** One comparison: a line of the table, or a JSON object. */
export interface Figure {
  readonly bench: string
  readonly figure: string
  /** Our value, in `unit`. */
  readonly value: number
  /** `ns`, `bytes`, `requests/s`, … */
  readonly unit: string
  /** The peer and its version; null if nothing is comparable. */
  readonly peer: string | null
  /** Null if there is no peer or it is missing; `progress` then reports the reason. */
  readonly peer_value: number | null
  /** Our advantage: above 1 is better than the peer. */
  readonly ratio: number | null
}

export type Bench = (options: Options) => AsyncIterable<Figure>

/** Adds the ratio. Lower is better for times and sizes, higher for rates. */
export const compared = (better: "less" | "more", measured: Omit<Figure, "ratio">): Figure => {
  const { bench, figure, value, unit, peer, peer_value } = measured
  const [dividend, divisor] = better === "less" ? [peer_value, value] : [value, peer_value]
  const ratio = dividend === null || divisor === null ? null : dividend / divisor
  return { bench, figure, value, unit, peer, peer_value, ratio }
}
