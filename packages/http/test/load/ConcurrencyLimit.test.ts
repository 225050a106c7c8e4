import { describe, expect, it } from "vitest"
import { ConcurrencyLimit } from "../../src/load/ConcurrencyLimit.ts"

const settings = { minimum: 8, initial: 20, maximum: 100, target_ms: 50 }

/** So many requests that take so long, with the limit reached or not. */
const record = (limit: ConcurrencyLimit, requests: number, latency_ms: number, isReached = true): void => {
  for (let i = 0; i < requests; i++) limit.record(latency_ms, isReached ? limit.value : 1)
}

describe("an adaptive concurrency limit", () => {
  it("grows while requests are fast and it is reached", () => {
    const limit = new ConcurrencyLimit(settings)
    record(limit, 20, 10)
    expect(limit.value).toBeGreaterThan(20)
  })

  it("stays as it is while it is not reached", () => {
    const limit = new ConcurrencyLimit(settings)
    record(limit, 2_000, 10, false)
    expect(limit.value).toBe(20)
  })

  it("shrinks once they are slow", () => {
    const limit = new ConcurrencyLimit(settings)
    record(limit, 20, 10)
    record(limit, 200, 100)
    expect(limit.value).toBeLessThan(20)
  })

  it("never leaves its bounds", () => {
    const limit = new ConcurrencyLimit(settings)
    record(limit, 10_000, 1)
    expect(limit.value).toBe(100)
    record(limit, 10_000, 1_000)
    expect(limit.value).toBe(8)
  })

  it("counts requests as slow only where they were faster before", () => {
    const limit = new ConcurrencyLimit(settings)
    record(limit, 50, 200)
    expect(limit.value).toBe(70)
    record(limit, 300, 500)
    expect(limit.value).toBeLessThan(50)
  })

  it("changes by at most 1 with a request", () => {
    const limit = new ConcurrencyLimit(settings)
    for (let i = 0; i < 9; i++) limit.record(1_000, 20)
    expect(Math.abs(limit.value - 20)).toBeLessThanOrEqual(9)
  })
})
