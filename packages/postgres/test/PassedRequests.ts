/** Allowed requests and their times, to check against a limit. */
import { assert } from "@effect/vitest"
import { window_s } from "@postcode/gateway/limits/RateLimiter"

export class PassedRequests {
  private readonly times_ms: Array<number> = []

  get count(): number {
    return this.times_ms.length
  }

  add(time_ms: number, cost = 1): void {
    for (let i = 0; i < cost; i++) this.times_ms.push(time_ms)
  }

  within(from_ms: number, to_ms: number): number {
    return this.times_ms.filter((time_ms) => time_ms >= from_ms && time_ms < to_ms).length
  }

  /** Asserts that no interval of one window contains more requests than the limit. */
  assertWithin(limit: number, about: string): void {
    const sorted = this.times_ms.toSorted((a, b) => a - b)
    for (const [i, first_ms] of sorted.entries()) {
      const next_ms = sorted[i + limit]
      if (next_ms === undefined) return
      const apart_ms = next_ms - first_ms
      if (apart_ms < 1000 * window_s) {
        assert.fail(
          `${about}: ${limit + 1} requests within ${apart_ms} ms, from ${first_ms} ms on; the limit is ${limit}`
        )
      }
    }
  }
}
