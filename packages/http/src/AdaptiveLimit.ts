/**
 * How many requests may wait for the store at once, found by how long they take: what is more than the store can do only
 * waits there, and makes all of them late. As long as they are quick and the limit is in use, it grows by a tenth each tenth
 * of a second; once they are slow, it shrinks by as much.
 */

/** Where a limit begins and between what it stays, in requests in flight. */
export interface AdaptiveLimitSettings {
  readonly minimum: number
  readonly maximum: number
  readonly initial: number
  /** How long requests may take on average, or twice as long as they did when they were quickest, if that is longer. */
  readonly target_ms: number
}

/** Whole, and never outside of its bounds. Times are those of one monotonic clock, in milliseconds. */
export class AdaptiveLimit {
  value: number
  private readonly settings: AdaptiveLimitSettings
  /** What is seen in a while goes into one decision. */
  private whileBegan_ms = Number.NEGATIVE_INFINITY
  private ended = 0
  private took_ms = 0
  private wasReached = false
  private quickest_ms = Number.POSITIVE_INFINITY

  constructor(settings: AdaptiveLimitSettings) {
    this.settings = settings
    this.value = settings.initial
  }

  /** Says how long a request took that has just ended, and how many were in flight with it, itself among them. */
  note(took_ms: number, inFlight: number, now_ms: number): void {
    this.ended++
    this.took_ms += took_ms
    this.wasReached ||= inFlight >= this.value
    if (this.ended >= fewest && now_ms - this.whileBegan_ms >= while_ms) this.decide(now_ms)
  }

  private decide(now_ms: number): void {
    const { maximum, minimum, target_ms } = this.settings
    const mean_ms = this.took_ms / this.ended
    this.quickest_ms = Math.min(this.quickest_ms, mean_ms)
    if (mean_ms > Math.max(target_ms, 2 * this.quickest_ms)) {
      this.value = Math.max(minimum, Math.floor(this.value * shrink))
    } else if (this.wasReached) this.value = Math.min(maximum, Math.ceil(this.value * grow))
    this.whileBegan_ms = now_ms
    this.ended = 0
    this.took_ms = 0
    this.wasReached = false
  }
}

const while_ms = 100
/** So few say little about all. */
const fewest = 10
const shrink = 0.9
const grow = 1.1
