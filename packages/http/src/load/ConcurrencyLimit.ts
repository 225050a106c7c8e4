/**
 * An adaptive concurrency limit: it grows by 1 with each request that ends while requests are fast and the limit is
 * reached, and shrinks by 1 with each that ends while they are slow.
 */

/** Bounds of a limit, in requests in flight. */
export interface ConcurrencySettings {
  readonly minimum: number
  readonly maximum: number
  readonly initial: number
  /** Requests are slow if their mean latency exceeds this, and also twice the lowest mean so far. */
  readonly target_ms: number
}

export class ConcurrencyLimit {
  value: number
  private readonly settings: ConcurrencySettings
  /** An exponentially weighted moving average of latencies. */
  private mean_ms: number | undefined
  private lowestMean_ms = Number.POSITIVE_INFINITY

  constructor(settings: ConcurrencySettings) {
    this.settings = settings
    this.value = settings.initial
  }

  /** @param inFlight how many requests were in flight, including the one that has ended */
  record(latency_ms: number, inFlight: number): void {
    const { maximum, minimum, target_ms } = this.settings
    const before_ms = this.mean_ms ?? latency_ms
    this.mean_ms = before_ms + (latency_ms - before_ms) * weight
    this.lowestMean_ms = Math.min(this.lowestMean_ms, this.mean_ms)
    if (this.mean_ms > Math.max(target_ms, 2 * this.lowestMean_ms)) this.value = Math.max(minimum, this.value - 1)
    else if (inFlight >= this.value) this.value = Math.min(maximum, this.value + 1)
  }
}

const weight = 1 / 64
