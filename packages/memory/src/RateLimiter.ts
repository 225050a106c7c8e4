/** Rate limits in memory: exact within one process, with bounded memory. */
import { isOfCustomer, RateLimiter, takeInOrder } from "@postcode/gateway/limits/RateLimiter"
import { SlidingWindows } from "@postcode/gateway/limits/SlidingWindows"
import { Clock, Effect, Exit, Layer } from "effect"

/** The capacity of the limiter. */
export interface RateLimiterOptions {
  /**
   * Maximum number of keys and organizations, and of addresses and identifiers: 100,000 each by default. The least
   * recently used subject is evicted, never a key for an address. Each takes up to 500 bytes.
   */
  readonly maxSubjects?: number
}

export const layerRateLimiter = (options: RateLimiterOptions = {}): Layer.Layer<RateLimiter> =>
  Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const { maxSubjects = 100_000 } = options
      const customers = new SlidingWindows(maxSubjects)
      const addresses = new SlidingWindows(maxSubjects)
      const now_ms = steady(yield* Clock.Clock)
      const take: RateLimiter["Service"]["take"] = (subject, limit, cost) =>
        Exit.succeed((isOfCustomer(subject) ? customers : addresses).take(subject, limit, cost, now_ms()))
      return RateLimiter.of({ take, takeAll: takeInOrder(take) })
    })
  )

/** Monotonic milliseconds since the first call; they stop while the wall clock is set back. */
const steady = (clock: Clock.Clock): (() => number) => {
  let last_ms = clock.currentTimeMillisUnsafe()
  let elapsed_ms = 0
  return () => {
    const wall_ms = clock.currentTimeMillisUnsafe()
    if (wall_ms > last_ms) elapsed_ms += wall_ms - last_ms
    last_ms = wall_ms
    return elapsed_ms
  }
}
