/** Rate limits while the database is unavailable or silent, and afterwards. */
import { assert, describe, it } from "@effect/vitest"
import { unique } from "@postcode/conformance"
import { RateLimiter, type RateSubject } from "@postcode/gateway/limits/RateLimiter"
import { migrate } from "@postcode/postgres"
import { Context, Effect, Fiber, Layer, Logger } from "effect"
import { layerRateLimiter } from "../../src/limits/RateLimiter.ts"
import { connectionsTo, migratedDatabase, proxyTo } from "../MigratedDatabase.ts"
import { ownServer } from "../OwnServer.ts"
import { layerTestSecrets } from "../TestSecrets.ts"

const timeout_ms = 200
/** Additional time on a busy machine: less than the general timeout of five seconds. */
const tolerance_ms = 4_000
const limit = 40

/** A replica. Logs are off, because the database is made unavailable. */
const startReplica = (url: string) =>
  Effect.map(
    Layer.build(
      layerRateLimiter({ timeout_ms }).pipe(Layer.provide(connectionsTo(url)), Layer.provide(layerTestSecrets))
    ),
    (context) => Context.get(context, RateLimiter)
  ).pipe(Effect.provideService(Logger.CurrentLoggers, new Set()))

/** Takes one request after the other; returns how many were allowed and how many waited. */
const takeMany = (limiter: RateLimiter["Service"], subject: RateSubject, times: number) =>
  Effect.gen(function* () {
    let passed = 0
    let waited = 0
    for (let i = 0; i < times; i++) {
      const start_ms = performance.now()
      const taking = yield* Effect.forkChild(limiter.take(subject, limit, 1), { startImmediately: true })
      // Decisions without a query are synchronous, even on a busy machine.
      const isQuerying = taking.pollUnsafe() === undefined
      if ((yield* Fiber.join(taking)).allowed) passed++
      const took_ms = performance.now() - start_ms
      assert.isBelow(took_ms, timeout_ms + tolerance_ms)
      if (isQuerying && took_ms >= timeout_ms - 1) waited++
    }
    return { passed, waited }
  })

/** Maximum unused allowance of two replicas, a twentieth of the limit each. */
const held = (2 * limit) / 20

/** Reads the state until it has the expected number of remaining requests. */
const untilRemaining = (limiter: RateLimiter["Service"], subject: RateSubject, expected: number) =>
  Effect.gen(function* () {
    const start_ms = performance.now()
    let { remaining } = yield* limiter.take(subject, limit, 0)
    while (remaining > expected || remaining < expected - held) {
      assert.isBelow(performance.now() - start_ms, 60_000, `${remaining} remain, not ${expected}`)
      yield* Effect.sleep(50)
      remaining = (yield* limiter.take(subject, limit, 0)).remaining
    }
  })

describe("rate limits without the database", () => {
  it.live(
    "a database that goes silent: each replica applies the whole limit, one request waits, and sharing resumes",
    () =>
      Effect.gen(function* () {
        const url = yield* migratedDatabase
        const proxy = yield* proxyTo(url)
        const [near, far] = [yield* startReplica(url), yield* startReplica(proxy.url)]
        const subject: RateSubject = `key:${unique("key")}`
        yield* takeMany(near, subject, 4)
        yield* takeMany(far, subject, 6)
        yield* untilRemaining(near, subject, limit - 10)

        proxy.goSilent()
        const silent = yield* takeMany(far, subject, 20)
        assert.strictEqual(silent.passed, 20)
        assert.isAtMost(silent.waited, 1)
        yield* untilRemaining(near, subject, limit - 10)
        const overdrawn = yield* takeMany(far, subject, 60)
        assert.strictEqual(overdrawn.passed, limit - 26, "by its own count")
        assert.isAtMost(overdrawn.waited, 1)

        proxy.resume()
        yield* untilRemaining(near, subject, 0)
        assert.strictEqual((yield* takeMany(near, subject, 10)).passed, 0, "what passed meanwhile counts")
        const another: RateSubject = `key:${unique("key")}`
        const both = [takeMany(near, another, limit / 2), takeMany(far, another, limit / 2)]
        const passed = (yield* Effect.all(both, { concurrency: 2 })).reduce((sum, one) => sum + one.passed, 0)
        assert.isAtLeast(passed, limit - held, "only what the other holds is refused")
        yield* untilRemaining(near, another, limit - passed)
        assert.isAtMost((yield* takeMany(far, another, 10)).passed, limit - passed)
      }).pipe(Effect.scoped)
  )

  it.live(
    "a server that is stopped, and one that was never available: limits apply, and sharing starts with the server",
    () =>
      Effect.gen(function* () {
        const server = yield* ownServer
        const url = server.url("postgres")
        yield* Effect.provide(migrate, connectionsTo(url))
        const early = yield* startReplica(url)
        yield* takeMany(early, `key:${unique("key")}`, 5)
        yield* Effect.promise(server.stop)
        const late = yield* startReplica(url)
        const subject: RateSubject = `address:${unique("ip")}`
        for (const limiter of [early, late]) {
          const { passed, waited } = yield* takeMany(limiter, subject, 2 * limit)
          assert.strictEqual(passed, limit)
          // A refused connection is known immediately, or after the timeout on a busy machine; then no request waits.
          assert.isAtMost(waited, 1)
        }
        yield* Effect.promise(server.start)
        for (let round = 0; ; round++) {
          assert.isBelow(round, 100, "it is not shared again")
          const another: RateSubject = `key:${unique("key")}`
          yield* takeMany(early, another, 1)
          yield* Effect.sleep(300)
          if ((yield* late.take(another, limit, 0)).remaining < limit) break
        }
      }).pipe(Effect.scoped)
  )
})
