/** Validity of a replica's copies of keys, and requests while the database does not answer. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith, nextTimestamp, storedKey, storedOrganization } from "@postcode/conformance"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { StoreHealth } from "@postcode/gateway/store/StoreHealth"
import { layerStoreHealth } from "@postcode/postgres"
import { Context, Effect, Exit, Fiber, Layer, Logger, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { FollowerTimes } from "../../src/connection/Follower.ts"
import { KeyCopies } from "../../src/keys/KeyCopies.ts"
import { untilLockWaits } from "../LockWaits.ts"
import { migratedDatabase, proxyTo } from "../MigratedDatabase.ts"
import { storeOn } from "../TestStore.ts"

const lifetime_ms = 500

/** A replica. Logs are off, because the database is made unavailable. */
const replicaOn = (url: string, lifetime = lifetime_ms) =>
  Layer.build(Layer.provideMerge(layerStoreHealth, storeOn(url))).pipe(
    Effect.provideService(FollowerTimes, { lifetime_ms: lifetime, interval_ms: 200 }),
    Effect.provideService(Logger.CurrentLoggers, new Set())
  )

type Replica = Context.Context<ApiKeys | KeyCopies>

const silence_ms = (replica: Replica) => Context.get(replica, StoreHealth).silence_ms?.() ?? 0

const find = (replica: Replica, hash: string) => Context.get(replica, ApiKeys).findByHash(hash, nextTimestamp())

/** Whether the replica answers from its copy, without a query. */
const isCopied = (replica: Replica, hash: string): boolean => Exit.isExit(find(replica, hash))

/** Waits until a condition is true. */
const until = (holds: () => boolean, limit_ms = 60_000) =>
  Effect.promise(async () => {
    const start_ms = performance.now()
    while (!holds()) {
      if (performance.now() - start_ms > limit_ms) throw new Error(`it does not hold after ${limit_ms} ms`)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
  })

/** Waits until the replica finds a key again: while the database is unavailable, requests fail. */
const untilFound = (replica: Replica, hash: string) =>
  Effect.retry(find(replica, hash), { times: 600, schedule: Schedule.spaced(100) })

const keyOn = (replica: Context.Context<ApiKeys | Organizations>) =>
  Effect.flatMap(storedOrganization(), ({ id }) => storedKey(id)).pipe(Effect.provide(replica))

describe("copies of keys", () => {
  it.live("in use are refreshed before they expire, and expire if there is no answer", () =>
    Effect.gen(function* () {
      const proxy = yield* proxyTo(yield* migratedDatabase)
      const replica = yield* replicaOn(proxy.url, 1_500)
      const { hash } = yield* keyOn(replica)
      yield* find(replica, hash)
      for (let i = 0; i < 20; i++) {
        assert.isTrue(isCopied(replica, hash))
        yield* Effect.sleep(100)
      }
      proxy.goSilent()
      const silent_ms = performance.now()
      let last_ms = silent_ms
      yield* until(() => {
        // The time first, because this process may be delayed between the two.
        const now_ms = performance.now()
        if (isCopied(replica, hash)) last_ms = now_ms
        return now_ms - last_ms > 300
      })
      assert.isAtMost(last_ms - silent_ms, 1_500)
      proxy.resume()
    }).pipe(Effect.scoped)
  )

  it.live("of a key that another replica revokes are refused within 600 ms, also with a silent network", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const proxy = yield* proxyTo(url)
      const [here, there] = yield* Effect.all([replicaOn(url), replicaOn(proxy.url)])
      for (const isSilent of [false, true]) {
        const { hash, record } = yield* keyOn(here)
        yield* untilFound(there, hash)
        if (isSilent) proxy.goSilent()
        yield* Context.get(here, ApiKeys).revoke(record.id, nextTimestamp())
        const revoked_ms = performance.now()
        let last_ms = revoked_ms
        yield* until(() => {
          const now_ms = performance.now()
          if (isCopied(there, hash)) last_ms = now_ms
          return now_ms - last_ms > 300
        })
        assert.isAtMost(last_ms - revoked_ms, 600)
      }
      proxy.resume()
    }).pipe(Effect.scoped)
  )

  it.live("are as old as their query: a late answer is used for its own request only", () =>
    Effect.gen(function* () {
      const replica = yield* replicaOn(yield* migratedDatabase)
      const { hash } = yield* keyOn(replica)
      const sql = Context.get(replica, SqlClient.SqlClient)
      const found = yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`LOCK TABLE postcode.api_keys`
          const finding = yield* Effect.forkDetach(find(replica, hash))
          yield* untilLockWaits().pipe(Effect.provide(replica))
          yield* Effect.sleep(lifetime_ms + 100)
          return finding
        })
      )
      assert.isDefined(yield* Fiber.join(found))
    }).pipe(Effect.scoped)
  )

  it.live("that were read before a change of this replica are read again", () =>
    Effect.gen(function* () {
      const replica = yield* replicaOn(yield* migratedDatabase, 60_000)
      const { hash, record } = yield* keyOn(replica)
      yield* find(replica, hash)
      assert.isTrue(isCopied(replica, hash))
      Context.get(replica, KeyCopies).forget()
      assert.isFalse(isCopied(replica, hash))
      yield* find(replica, hash)
      yield* Context.get(replica, ApiKeys).revoke(record.id, nextTimestamp())
      assert.isUndefined(yield* find(replica, hash))
    }).pipe(Effect.scoped)
  )

  it.live("fail immediately if the database has not answered for two seconds, and are found again afterwards", () =>
    Effect.gen(function* () {
      const proxy = yield* proxyTo(yield* migratedDatabase)
      const replica = yield* replicaOn(proxy.url)
      const { hash } = yield* keyOn(replica)
      proxy.goSilent()
      yield* until(() => silence_ms(replica) > 2_000)
      // A fiber that waits for anything does not end synchronously.
      assert.isTrue(Exit.isFailure(Effect.runSyncExit(find(replica, hash))))
      yield* failsWith(find(replica, hash), "Unavailable")
      proxy.resume()
      assert.isDefined(yield* untilFound(replica, hash))
    }).pipe(Effect.scoped)
  )

  it.live("are read over new connections if the old ones break", () =>
    Effect.gen(function* () {
      const proxy = yield* proxyTo(yield* migratedDatabase)
      const replica = yield* replicaOn(proxy.url)
      const { hash } = yield* keyOn(replica)
      for (let i = 0; i < 3; i++) {
        proxy.cut()
        yield* Effect.sleep(lifetime_ms + 100)
        assert.isDefined(yield* untilFound(replica, hash))
      }
    }).pipe(Effect.scoped)
  )

  it.live("a database that is unavailable at the start leaves the layer usable", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const { hash } = yield* keyOn(yield* replicaOn(url))
      const proxy = yield* proxyTo(url)
      proxy.goSilent()
      const replica = yield* replicaOn(proxy.url)
      assert.strictEqual(silence_ms(replica), Number.POSITIVE_INFINITY)
      yield* failsWith(find(replica, hash), "Unavailable")
      proxy.resume()
      assert.isDefined(yield* untilFound(replica, hash))
    }).pipe(Effect.scoped)
  )
})
