import { assert, describe, it } from "@effect/vitest"
import { rateLimiterSuite } from "@postcode/conformance"
import { RateLimiter } from "@postcode/gateway/limits/RateLimiter"
import { layerRateLimiter } from "@postcode/memory"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"

rateLimiterSuite("in memory, alone", Layer.provideMerge(layerRateLimiter(), TestClock.layer()), {
  advance: TestClock.adjust
})

describe("RateLimiter in memory", () => {
  it.effect("drops the subjects with the oldest requests if there are more than the maximum", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      for (const subject of ["address:a", "address:b", "address:c"] as const) yield* take(subject, 5, 5)
      yield* take("address:a", 5, 1)
      yield* take("address:d", 5, 2)
      assert.strictEqual((yield* take("address:b", 5, 0)).remaining, 5, "b asked longest ago")
      assert.strictEqual((yield* take("address:a", 5, 0)).remaining, 0)
      assert.strictEqual((yield* take("address:c", 5, 0)).remaining, 0)
      assert.strictEqual((yield* take("address:d", 5, 0)).remaining, 3, "d does not inherit what b used")
    }).pipe(Effect.provide(layerRateLimiter({ maxSubjects: 3 })))
  )

  it.effect("reading an unknown subject drops no other subject", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      yield* take("address:a", 5, 5)
      for (let i = 0; i < 10; i++) yield* take(`address:onlooker ${i}`, 5, 0)
      assert.strictEqual((yield* take("address:a", 5, 0)).remaining, 0)
    }).pipe(Effect.provide(layerRateLimiter({ maxSubjects: 1 })))
  )

  it.effect("a flood of addresses drops no window of a key, and vice versa", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      yield* take("key:a", 5, 5)
      for (let i = 0; i < 1_000; i++) yield* take(`address:${i}`, 5, 1)
      assert.isFalse((yield* take("key:a", 5, 1)).allowed)
      yield* take("address:a", 5, 5)
      for (let i = 0; i < 1_000; i++) yield* take(`key:${i}`, 5, 1)
      assert.isFalse((yield* take("address:a", 5, 1)).allowed)
      assert.isTrue((yield* take("key:a", 5, 1)).allowed, "of the keys, it asked longest ago")
    }).pipe(Effect.provide(layerRateLimiter({ maxSubjects: 10 })))
  )

  it.effect("many subjects keep separate counts while others are added and dropped", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      const subjects = 5_000
      const used = (i: number) => 1 + (i % 7)
      for (let i = 0; i < subjects; i++) yield* take(`key:subject ${i}`, 10, used(i))
      for (let i = 0; i < subjects; i++) {
        const kept = i >= subjects - 3_000
        const { remaining } = yield* take(`key:subject ${i}`, 10, 0)
        if (remaining !== (kept ? 10 - used(i) : 10)) assert.fail(`subject ${i} has ${remaining} left`)
      }
    }).pipe(Effect.provide(layerRateLimiter({ maxSubjects: 3_000 })))
  )

  it.effect("setting the clock back neither resets a limit nor locks a client out", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      yield* TestClock.setTime(3_600_000)
      yield* take("address:a", 2, 2)
      yield* TestClock.setTime(0)
      assert.deepInclude(yield* take("address:a", 2, 1), { allowed: false, retry_after_s: 60 })
      yield* TestClock.adjust(59_999)
      assert.isFalse((yield* take("address:a", 2, 1)).allowed)
      yield* TestClock.adjust(1)
      assert.isTrue((yield* take("address:a", 2, 1)).allowed)
    }).pipe(Effect.provide(layerRateLimiter()))
  )

  it.effect("a limit of 0 lets nothing pass", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      const nothing = { limit: 0, remaining: 0, reset_s: 0, retry_after_s: 60 }
      assert.deepStrictEqual(yield* take("address:a", 0, 0), { ...nothing, allowed: true })
      assert.deepStrictEqual(yield* take("address:a", 0, 1), { ...nothing, allowed: false })
    }).pipe(Effect.provide(layerRateLimiter()))
  )

  it.effect("a decision is counted once, when it is requested", () =>
    Effect.gen(function* () {
      const { take } = yield* RateLimiter
      const request = take("address:a", 5, 1)
      assert.strictEqual((yield* take("address:a", 5, 0)).remaining, 4)
      assert.strictEqual((yield* request).remaining, 4)
      assert.strictEqual((yield* request).remaining, 4)
    }).pipe(Effect.provide(layerRateLimiter()))
  )

  it.effect("times with fractions of milliseconds are accepted", () => {
    let now_ms = 1_000.75
    const clock: Clock.Clock = Object.assign(Object.create(Clock.Clock.defaultValue()), {
      currentTimeMillisUnsafe: () => now_ms
    })
    return Effect.gen(function* () {
      const { take } = yield* RateLimiter
      yield* take("address:a", 1, 1)
      now_ms += 59_999
      assert.isFalse((yield* take("address:a", 1, 1)).allowed)
      now_ms += 1.5
      assert.isTrue((yield* take("address:a", 1, 1)).allowed)
    }).pipe(Effect.provide(layerRateLimiter()), Effect.provideService(Clock.Clock, clock))
  })
})
