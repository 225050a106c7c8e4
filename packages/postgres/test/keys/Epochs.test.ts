import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { vi } from "vitest"
import { pollInterval_ms } from "../../src/keys/EpochConnections.ts"
import { Epochs, layerEpochs, lease_ms, raiseEpoch } from "../../src/keys/Epochs.ts"
import { connectionsTo, migratedDatabase, proxyTo } from "../MigratedDatabase.ts"

/** What a replica knows that reaches the database there. It complains when it does not, which nobody has to read. */
const replicaAt = (url: string) =>
  Effect.map(Layer.build(Layer.provide(layerEpochs, connectionsTo(url))), (context) =>
    Context.get(context, Epochs)
  ).pipe(Effect.provideService(Logger.CurrentLoggers, new Set()))

const raiseAt = (url: string) =>
  Effect.provide(
    Effect.flatMap(SqlClient.SqlClient, (sql) => raiseEpoch(sql, "keys")),
    connectionsTo(url)
  )

/** Runs while a question of a replica is held up in the database. */
const whileAsking = <A>(work: Effect.Effect<A>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => {
    const held = sql`SELECT FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND application_name = 'postcode-gateway epochs'`
    return sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`LOCK TABLE postcode.epochs`
        yield* Effect.repeat(held, { until: (rows) => rows.length > 0 })
        return yield* work
      })
    )
  })

/** Waits until something holds, and answers after how many milliseconds it did. */
const until = (holds: () => boolean, limit_ms = 60_000) =>
  Effect.promise(async () => {
    const start_ms = performance.now()
    while (!holds()) {
      if (performance.now() - start_ms > limit_ms) throw new Error(`it does not hold after ${limit_ms} ms`)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    return performance.now() - start_ms
  })

describe("Epochs", () => {
  it.live("are known once the layer is there, and each change calls back", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const start_ms = performance.now()
      const epochs = yield* replicaAt(url)
      // The layer waits two seconds for them at most, which a busy machine may need.
      assert.isTrue(epochs.current("directory") === 1 || performance.now() - start_ms > 2_000)
      yield* until(epochs.inForce)
      const heard: Array<number> = []
      yield* epochs.onChange("keys", (epoch) => heard.push(epoch))
      const before = epochs.current("keys")
      const raised = yield* raiseAt(url)
      yield* until(() => epochs.current("keys") === raised)
      assert.strictEqual(raised, before + 1)
      assert.deepStrictEqual(heard, [raised])
      assert.strictEqual(epochs.current("directory"), 1)
    }).pipe(Effect.scoped)
  )

  it.live("a change is notified: it is known although the time for the next regular question never comes", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const { setTimeout } = globalThis
      const spy = vi
        .spyOn(globalThis, "setTimeout")
        .mockImplementation(((run: () => void, time_ms?: number) =>
          setTimeout(run, time_ms === pollInterval_ms ? 2 ** 30 : time_ms)) as typeof setTimeout)
      yield* Effect.addFinalizer(() => Effect.sync(() => spy.mockRestore()))
      const epochs = yield* replicaAt(url)
      for (let i = 0; i < 9; i++) {
        const raised = yield* raiseAt(url)
        yield* until(() => epochs.current("keys") === raised)
      }
    }).pipe(Effect.scoped)
  )

  it.live("where notifications are lost in silence, no change is in force that is not known", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const proxy = yield* proxyTo(url)
      const epochs = yield* replicaAt(proxy.url)
      proxy.goSilent("notifications")
      for (let i = 0; i < 3; i++) {
        const raised = yield* raiseAt(url)
        const committed_ms = performance.now()
        yield* until(() => {
          const isKnown = epochs.current("keys") === raised
          // The time first: this process may be held up between the two.
          const isYoung = performance.now() - committed_ms <= lease_ms
          assert.isTrue(isKnown || isYoung || !epochs.inForce())
          return isKnown
        })
      }
      yield* until(epochs.inForce)
    }).pipe(Effect.scoped)
  )

  it.live("are in force no longer than the lease once nothing gets through, and again soon after", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const proxy = yield* proxyTo(url)
      const epochs = yield* replicaAt(proxy.url)
      yield* until(epochs.inForce)
      proxy.goSilent()
      const silent_ms = performance.now()
      let last_ms = silent_ms
      yield* until(() => {
        const now_ms = performance.now()
        if (epochs.inForce()) last_ms = now_ms
        return now_ms - last_ms > 300
      })
      assert.isAtMost(last_ms - silent_ms, lease_ms)
      const raised = yield* raiseAt(url)
      yield* Effect.sleep(700)
      assert.isFalse(epochs.inForce())
      assert.isBelow(epochs.current("keys"), raised)
      proxy.resume()
      yield* until(epochs.inForce)
      assert.strictEqual(epochs.current("keys"), raised)
    }).pipe(Effect.scoped)
  )

  it.live("an answer is as old as its question", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const epochs = yield* replicaAt(url)
      const answered_ms = () => performance.now() - epochs.age_ms()
      /** Whether the next answer counts from before the moment when its question was seen to wait. */
      const countsFromQuestion = Effect.gen(function* () {
        const [seen_ms, before_ms] = yield* whileAsking(
          Effect.suspend(() => Effect.as(Effect.sleep(50), [performance.now(), answered_ms()] as const))
        )
        yield* until(() => answered_ms() > before_ms + 1)
        return answered_ms() <= seen_ms
      })
      // A question may also be given up, and asked anew.
      const counts = Effect.repeat(countsFromQuestion, { until: (it) => it, times: 9 })
      assert.isTrue(yield* Effect.provide(counts, connectionsTo(url)))
    }).pipe(Effect.scoped)
  )

  it.live(
    "who comes after this process was held up waits for the next answer; who comes in silence, not for long",
    () =>
      Effect.gen(function* () {
        const proxy = yield* proxyTo(yield* migratedDatabase)
        const epochs = yield* replicaAt(proxy.url)
        yield* until(epochs.inForce)
        const start_ms = performance.now()
        while (performance.now() - start_ms < lease_ms + 100) Math.random()
        assert.isFalse(epochs.inForce())
        yield* Effect.repeat(epochs.soonInForce, { until: (isInForce) => isInForce, times: 9 })
        assert.isTrue(epochs.inForce())
        proxy.goSilent()
        yield* until(() => !epochs.inForce())
        assert.isFalse(yield* epochs.soonInForce)
        yield* until(() => epochs.age_ms() > 2_000)
        // At once: what waits for anything does not run to its end in one go.
        assert.isFalse(Effect.runSync(epochs.soonInForce))
      }).pipe(Effect.scoped)
  )

  it.live("connections that break are replaced", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const proxy = yield* proxyTo(url)
      const epochs = yield* replicaAt(proxy.url)
      for (let i = 0; i < 3; i++) {
        proxy.cut()
        const raised = yield* raiseAt(url)
        yield* until(() => epochs.current("keys") === raised)
        yield* until(epochs.inForce)
      }
    }).pipe(Effect.scoped)
  )

  it.live("what this replica saw itself is not undone by an answer to an earlier question", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const epochs = yield* replicaAt(url)
      let undone_ms = Number.NaN
      yield* epochs.onChange("keys", (epoch) => {
        if (epoch === 1) undone_ms = performance.now() - epochs.age_ms()
      })
      const seen_ms = yield* whileAsking(
        Effect.sync(() => {
          epochs.observe("keys", 1_000)
          return performance.now()
        })
      ).pipe(Effect.provide(connectionsTo(url)))
      yield* until(() => epochs.current("keys") === 1)
      assert.isAbove(undone_ms, seen_ms)
    }).pipe(Effect.scoped)
  )

  it.live("a database that is away at the start leaves the layer usable, and nothing in force", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const proxy = yield* proxyTo(url)
      proxy.goSilent()
      const epochs = yield* replicaAt(proxy.url)
      assert.isFalse(epochs.inForce())
      assert.strictEqual(epochs.current("keys"), 0)
      proxy.resume()
      yield* until(epochs.inForce)
    }).pipe(Effect.scoped)
  )
})
