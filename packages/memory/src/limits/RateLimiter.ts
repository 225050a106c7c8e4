/** Rate limits in memory: exact within one process, bounded in memory whoever calls. */
import { isOfCustomer, RateLimiter } from "@postcode/core/limits/RateLimiter"
import { SlidingWindows } from "@postcode/core/SlidingWindows"
import { Clock, Effect, Exit, Layer } from "effect"

/** How much is remembered. */
export interface RateLimiterOptions {
  /**
   * How many API keys with organizations are remembered at most, and how many addresses: 100,000 of each by default. The
   * one that asked longest ago is forgotten first, a key never for an address. Each takes up to 500 bytes.
   */
  readonly maximumSubjects?: number
}

export const layerRateLimiter = (options: RateLimiterOptions = {}): Layer.Layer<RateLimiter> =>
  Layer.effect(
    RateLimiter,
    Effect.gen(function* () {
      const { maximumSubjects = 100_000 } = options
      const customers = new SlidingWindows(maximumSubjects)
      const addresses = new SlidingWindows(maximumSubjects)
      const now_ms = steady(yield* Clock.Clock)
      return RateLimiter.of({
        take: (subject, limit, cost) =>
          Exit.succeed((isOfCustomer(subject) ? customers : addresses).take(subject, limit, cost, now_ms()))
      })
    })
  )

/** Milliseconds since the first call, which stand still when the wall clock is set back instead of going with it. */
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
