/** Conformance suite of the port `RateLimiter`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { RateLimiter, type RateSubject, window_s } from "@postcode/gateway/limits/RateLimiter"
import { Effect, type Layer, Schema } from "effect"
import { unique } from "../fixtures/Records.ts"
import type { SuiteOptions } from "../fixtures/SuiteOptions.ts"

type It = Vitest.MethodsNonLive<RateLimiter>

/** Registers the tests of the port `RateLimiter`. */
export const rateLimiterSuite = <E>(
  name: string,
  adapter: Layer.Layer<RateLimiter, E>,
  { advance, runs = 100 }: SuiteOptions = {}
): void =>
  layer(adapter, { excludeTestServices: true })(`RateLimiter ${name}`, (it) => {
    addCountingTests(it)
    addSeveralLimitsTests(it)
    if (advance === undefined) addTimeBoundTests(it)
    else {
      addBatchTests(it, advance)
      addSlidingTests(it, advance, runs)
    }
  })

const addCountingTests = (it: It): void => {
  it.effect("requests pass up to the limit, and each returns the remaining quota", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const subject = newAddress()
      for (const remaining of [4, 3, 2, 1, 0]) {
        const decision = yield* limiter.take(subject, 5, 1)
        assert.deepInclude(decision, { allowed: true, limit: 5, remaining })
        assert.strictEqual(decision.retry_after_s > 0, remaining === 0)
      }
      assert.deepInclude(yield* limiter.take(subject, 5, 1), { allowed: false, limit: 5, remaining: 0 })
    })
  )

  it.effect("a request that is refused does not count", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const subject = newAddress()
      yield* limiter.take(subject, 5, 3)
      for (const cost of [3, 6]) {
        const decision = yield* limiter.take(subject, 5, cost)
        assert.deepInclude(decision, { allowed: false, remaining: 2 })
        assert.isTrue(decision.retry_after_s > 0 && decision.retry_after_s <= window_s, `${decision.retry_after_s} s`)
      }
      assert.deepInclude(yield* limiter.take(subject, 5, 2), { allowed: true, remaining: 0 })
    })
  )

  it.effect("a cost of 0 reads the state without counting", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const subject = newAddress()
      const untouched = { allowed: true, limit: 2, remaining: 2, reset_s: 0, retry_after_s: 0 }
      assert.deepStrictEqual(yield* limiter.take(subject, 2, 0), untouched)
      assert.deepStrictEqual(yield* limiter.take(subject, 2, 0), untouched)
      yield* limiter.take(subject, 2, 2)
      const full = yield* limiter.take(subject, 2, 0)
      assert.deepInclude(full, { allowed: true, limit: 2, remaining: 0 })
      assert.deepInclude(yield* limiter.take(subject, 1, 0), { allowed: true, limit: 1, remaining: 0 })
    })
  )

  it.effect("subjects are counted separately", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const [first, second] = [newAddress(), newAddress()]
      yield* limiter.take(first, 2, 2)
      assert.deepInclude(yield* limiter.take(second, 2, 1), { allowed: true, remaining: 1 })
      assert.deepInclude(yield* limiter.take(first, 2, 1), { allowed: false, remaining: 0 })
    })
  )

  it.effect("a key and an address of the same name are counted separately", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const name = unique("name")
      yield* limiter.take(`key:${name}`, 2, 2)
      assert.deepInclude(yield* limiter.take(`address:${name}`, 2, 1), { allowed: true, remaining: 1 })
      assert.deepInclude(yield* limiter.take(`key:${name}`, 2, 1), { allowed: false, remaining: 0 })
    })
  )

  it.effect("a changed limit includes the requests already counted", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const subject = newKey()
      yield* limiter.take(subject, 3, 3)
      assert.deepInclude(yield* limiter.take(subject, 10, 1), { allowed: true, limit: 10, remaining: 6 })
      assert.deepInclude(yield* limiter.take(subject, 2, 1), { allowed: false, limit: 2, remaining: 0 })
    })
  )

  it.effect("concurrent requests do not exceed the limit", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const subject = newKey()
      const takes = Array.from({ length: 200 }, () => limiter.take(subject, 60, 1))
      const decisions = yield* Effect.all(takes, { concurrency: "unbounded" })
      assert.strictEqual(decisions.filter(({ allowed }) => allowed).length, 60)
    })
  )
}

const addSeveralLimitsTests = (it: It): void => {
  it.effect("each of several limits counts what the one before it allows, and the strictest decision is returned", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const [key, organization] = [`key:${unique("key")}`, `organization:${unique("org")}`] as const
      const takeAll = (limits: readonly [number, number], cost: number) =>
        limiter.takeAll(
          [
            { subject: key, limit: limits[0] },
            { subject: organization, limit: limits[1] }
          ],
          cost
        )
      const first = yield* takeAll([5, 9], 3)
      assert.strictEqual(first.subject, key)
      assert.deepInclude(first.decision, { allowed: true, limit: 5, remaining: 2 })
      const refused = yield* takeAll([5, 9], 3)
      assert.strictEqual(refused.subject, key)
      assert.deepInclude(refused.decision, { allowed: false, limit: 5, remaining: 2 })
      const second = yield* takeAll([9, 9], 2)
      assert.strictEqual(second.subject, key, "both have the same number left")
      assert.deepInclude(second.decision, { allowed: true, limit: 9, remaining: 4 })
      const third = yield* takeAll([50, 6], 2)
      assert.strictEqual(third.subject, organization)
      assert.deepInclude(third.decision, { allowed: false, limit: 6, remaining: 1 })
      assert.deepInclude(yield* limiter.take(key, 9, 0), { remaining: 2 }, "the key had allowed it")
    })
  )
}

const newAddress = (): RateSubject => `address:${unique("ip")}`
const newKey = (): RateSubject => `key:${unique("key")}`

/** Assertions about time without waiting. */
const addTimeBoundTests = (it: It): void => {
  it.effect("a full window returns when it opens: within a minute, and not after it is empty", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const subject = newAddress()
      yield* limiter.take(subject, 5, 5)
      const { reset_s, retry_after_s } = yield* limiter.take(subject, 5, 1)
      for (const seconds of [reset_s, retry_after_s]) {
        assert.isTrue(Number.isInteger(seconds) && seconds > 0 && seconds <= window_s, `${seconds} s`)
      }
      assert.isAtMost(retry_after_s, reset_s)
    })
  )
}

const addBatchTests = (it: It, advance: (duration_ms: number) => Effect.Effect<void>): void => {
  it.effect("several requests that were refused together pass after retry_after_s, and not one second earlier", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const subject = newKey()
      for (const cost of [2, 3, 3]) {
        yield* limiter.take(subject, 9, cost)
        yield* advance(10_000)
      }
      const { allowed, retry_after_s } = yield* limiter.take(subject, 9, 5)
      assert.isFalse(allowed)
      yield* advance((retry_after_s - 1) * 1000)
      assert.deepInclude(yield* limiter.take(subject, 9, 5), { allowed: false, retry_after_s: 1 })
      yield* advance(1000)
      assert.deepInclude(yield* limiter.take(subject, 9, 5), { allowed: true })
    })
  )
}

const addSlidingTests = (it: It, advance: (duration_ms: number) => Effect.Effect<void>, runs: number): void => {
  it.effect("one more request passes after retry_after_s, and not one second earlier", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const subject = newAddress()
      yield* limiter.take(subject, 3, 1)
      yield* advance(20_300)
      yield* limiter.take(subject, 3, 2)
      yield* advance(7_100)
      const { allowed, retry_after_s } = yield* limiter.take(subject, 3, 1)
      assert.isFalse(allowed)
      yield* advance((retry_after_s - 1) * 1000)
      assert.deepInclude(yield* limiter.take(subject, 3, 1), { allowed: false, retry_after_s: 1 })
      yield* advance(1000)
      assert.deepInclude(yield* limiter.take(subject, 3, 0), { remaining: 1, retry_after_s: 0 })
      assert.deepInclude(yield* limiter.take(subject, 3, 1), { allowed: true, remaining: 0 })
    })
  )

  it.effect("the window is empty after reset_s, and not one second earlier", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      const subject = newAddress()
      yield* limiter.take(subject, 9, 4)
      yield* advance(31_900)
      const { reset_s } = yield* limiter.take(subject, 9, 1)
      assert.strictEqual(reset_s, window_s)
      yield* advance((reset_s - 1) * 1000)
      assert.deepInclude(yield* limiter.take(subject, 9, 0), { remaining: 8, reset_s: 1 })
      yield* advance(1000)
      assert.deepInclude(yield* limiter.take(subject, 9, 0), { remaining: 9, reset_s: 0, retry_after_s: 0 })
    })
  )

  it.effect("a subject that requests continuously gets at least 95 % of its limit", () =>
    Effect.gen(function* () {
      const limiter = yield* RateLimiter
      for (const step_ms of [130, 1_000, 3_700]) {
        const subject = newKey()
        const limit = 10
        const minutes = 20
        let passed = 0
        for (let elapsed_ms = 0; elapsed_ms < minutes * 60_000; elapsed_ms += step_ms) {
          if ((yield* limiter.take(subject, limit, 1)).allowed) passed++
          yield* advance(step_ms)
        }
        assert.isAtLeast(passed, 0.95 * limit * minutes, `asking every ${step_ms} ms`)
      }
    })
  )

  const Step = Schema.Struct({
    wait_ms: Schema.Union([
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000 })),
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 70_000 }))
    ]),
    cost: Schema.Literals([0, 1, 1, 1, 2, 4])
  })

  it.effect.prop(
    "no minute exceeds the limit, and a request is refused only if it exceeds the limit of the last 61 seconds",
    [Schema.Array(Step).check(Schema.isMaxLength(150)), Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 6 }))],
    ([steps, limit]) =>
      Effect.gen(function* () {
        const limiter = yield* RateLimiter
        const subject = newKey()
        const passed: Array<number> = []
        let now_ms = 0
        for (const { cost, wait_ms } of steps) {
          yield* advance(wait_ms)
          now_ms += wait_ms
          const { allowed, remaining } = yield* limiter.take(subject, limit, cost)
          if (allowed) passed.push(...Array(cost).fill(now_ms))
          const within = (span_ms: number) => passed.filter((at) => at > now_ms - span_ms).length
          assert.isAtMost(within(window_s * 1000), limit)
          if (!allowed) assert.isAbove(within((window_s + 1) * 1000) + cost, limit, "refused, though there was room")
          assert.isAtMost(remaining, limit - within(window_s * 1000))
          assert.isAtLeast(remaining, limit - within((window_s + 1) * 1000))
        }
      }),
    { arbitrary: { runs, size: 150, seed: 20260131 } }
  )
}
