/**
 * Series of metrics that count by plain addition. Effect keeps them, reads them and writes them for Prometheus. Its own
 * `update` is not used: it looks the series up on each call, and a bucket of its histograms restarts at 2^32.
 */
import { Context, Metric } from "effect"
import { formatUnsafe } from "effect/observability/PrometheusMetrics"

type Labels = Readonly<Record<string, string>>

/** The value of a counter or gauge. */
export class MetricValue {
  value = 0

  add(change: number): void {
    this.value += change
  }
}

/** The values of a histogram. */
export class MetricHistogram {
  private readonly boundaries: ReadonlyArray<number>
  /**
   * The count of each bucket, and at the end the sum of the values. An array of numbers, so that counting allocates
   * nothing.
   */
  private readonly numbers: Float64Array

  /** @param boundaries the upper bounds of the buckets, ascending, without the last one, which has none */
  constructor(boundaries: ReadonlyArray<number>) {
    this.boundaries = boundaries
    this.numbers = new Float64Array(boundaries.length + 2)
  }

  observe(value: number): void {
    const { boundaries, numbers } = this
    const { length } = boundaries
    let bucket = 0
    // Most values are small, so a linear search ends early.
    while (bucket < length && value > (boundaries[bucket] as number)) bucket++
    numbers[bucket] = (numbers[bucket] as number) + 1
    numbers[length + 1] = (numbers[length + 1] as number) + value
  }

  /** Minimum and maximum are not part of the text format. */
  get state(): Metric.HistogramState {
    let count = 0
    const counts = Array.from(this.numbers.subarray(0, -1), (observed) => (count += observed))
    const buckets = this.boundaries.map((bound, i): [number, number] => [bound, counts[i] as number])
    return { buckets, count, sum: this.numbers.at(-1) as number, min: 0, max: 0 }
  }
}

/** The metrics of one thread. */
export class Metrics<Name extends string> {
  private readonly context = Context.make(Metric.MetricRegistry, new Map())
  private readonly descriptions: Readonly<Record<Name, string>>

  /** @param descriptions one line of plain text for each metric */
  constructor(descriptions: Readonly<Record<Name, string>>) {
    this.descriptions = descriptions
  }

  /**
   * Adds a series.
   *
   * @param read the value at each reading; by default that of the result, which begins at 0
   */
  counter(name: Name, attributes: Labels = {}, read?: () => number): MetricValue {
    const counted = new MetricValue()
    const metric = Metric.counter(name, { description: this.descriptions[name], attributes })
    this.add(metric, () => ({ count: read?.() ?? counted.value, incremental: true }))
    return counted
  }

  /** Adds a series whose value can also decrease. NaN is an unknown value. */
  gauge(name: Name, attributes: Labels = {}, read?: () => number): MetricValue {
    const current = new MetricValue()
    const metric = Metric.gauge(name, { description: this.descriptions[name], attributes })
    this.add(metric, () => ({ value: read?.() ?? current.value }))
    return current
  }

  /** Adds a histogram. */
  histogram(name: Name, boundaries: ReadonlyArray<number>, attributes: Labels = {}): MetricHistogram {
    const histogram = new MetricHistogram(boundaries)
    const metric = Metric.histogram(name, { description: this.descriptions[name], attributes, boundaries })
    this.add(metric, () => histogram.state)
    return histogram
  }

  /** All series and their values, as plain data. */
  snapshots(): ReadonlyArray<MetricSnapshot> {
    return Metric.snapshotUnsafe(this.context)
  }

  private add<Input, State>(metric: Metric.Metric<Input, State>, get: () => State): void {
    Metric.registerUnsafe(metric, this.context, hooksOf(get))
  }
}

const hooksOf = <State>(get: () => State) => ({ get, update: () => {}, modify: () => {} })

/** A series and its value, as plain data. */
export type MetricSnapshot = Metric.Metric.Snapshot

/** Series in the text format of Prometheus. Each name with the same labels occurs once. */
export const metricsText = (snapshots: ReadonlyArray<MetricSnapshot>): string => {
  const registry = snapshots.map(
    ({ state, ...series }, i) => [String(i), { ...series, hooks: hooksOf<unknown>(() => state) }] as const
  )
  return formatUnsafe(Context.make(Metric.MetricRegistry, new Map(registry)))
}

/** The content type of `metricsText`. */
export const metricsContentType = "text/plain; version=0.0.4; charset=utf-8"
