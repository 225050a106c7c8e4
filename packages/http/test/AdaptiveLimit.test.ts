import { describe, expect, it } from "vitest"
import { AdaptiveLimit } from "../src/AdaptiveLimit.ts"

const settings = { minimum: 8, initial: 20, maximum: 100, target_ms: 50 }

/** So many seconds in which requests take so long, and the limit is reached or not. */
const spend = (limit: AdaptiveLimit, begin_s: number, time_s: number, took_ms: number, isReached = true): void => {
  for (let now_ms = begin_s * 1_000; now_ms < (begin_s + time_s) * 1_000; now_ms += 5) {
    limit.note(took_ms, isReached ? limit.value : 1, now_ms)
  }
}

describe("how many may wait for the store at once", () => {
  it("becomes more while they are quick and as many as may do", () => {
    const limit = new AdaptiveLimit(settings)
    spend(limit, 0, 1, 10)
    expect(limit.value).toBeGreaterThan(20)
  })

  it("stays where it is while fewer do", () => {
    const limit = new AdaptiveLimit(settings)
    spend(limit, 0, 10, 10, false)
    expect(limit.value).toBe(20)
  })

  it("becomes less once they are slow", () => {
    const limit = new AdaptiveLimit(settings)
    spend(limit, 0, 1, 10)
    spend(limit, 1, 1, 100)
    expect(limit.value).toBeLessThan(20)
  })

  it("never leaves its bounds", () => {
    const limit = new AdaptiveLimit(settings)
    spend(limit, 0, 100, 1)
    expect(limit.value).toBe(100)
    spend(limit, 100, 100, 1_000)
    expect(limit.value).toBe(8)
  })

  it("takes a store for slow only where it was quicker before", () => {
    const limit = new AdaptiveLimit(settings)
    spend(limit, 0, 1, 200)
    expect(limit.value).toBeGreaterThan(20)
    spend(limit, 1, 1, 500)
    expect(limit.value).toBeLessThan(50)
  })

  it("is not changed by a few requests", () => {
    const limit = new AdaptiveLimit(settings)
    for (let i = 0; i < 9; i++) limit.note(1_000, 20, i * 1_000)
    expect(limit.value).toBe(20)
  })
})
