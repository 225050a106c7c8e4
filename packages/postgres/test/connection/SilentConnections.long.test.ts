/** Silent connections: timeouts, and the state of the pool. */
import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import type { TcpProxy } from "@postcode/drills/postgres"
import { layerDatabase } from "@postcode/postgres"
import { Context, Effect, Exit, Fiber, Layer, Option, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { Client } from "pg"
import { asking, inTransaction } from "../../src/connection/Database.ts"
import { connectionsTo, migratedDatabase, proxyTo } from "../MigratedDatabase.ts"
import { quickest_ms } from "../Quickest.ts"

describe("a connection that goes silent", () => {
  it.live("times out after five seconds, although ending its statement takes longer", () =>
    Effect.gen(function* () {
      const proxy = yield* proxyTo(yield* migratedDatabase)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ask = asking(sql<{ answer: number }>`SELECT 42 AS answer`)
        assert.deepStrictEqual(yield* ask, [{ answer: 42 }])
        const silence_ms = Effect.gen(function* () {
          proxy.goSilent()
          const asked_ms = performance.now()
          yield* failsWith(ask, "Unavailable")
          const took_ms = performance.now() - asked_ms
          assert.isAbove(took_ms, 4_000)
          proxy.resume()
          assert.deepStrictEqual(yield* ask, [{ answer: 42 }])
          return took_ms
        })
        assert.isBelow(yield* quickest_ms(silence_ms, 7_000), 7_000)
      }).pipe(Effect.provide(connectionsTo(proxy.url)))
    }).pipe(Effect.scoped)
  )
})

describe.concurrent("a connection that the network has forgotten", () => {
  it.live("is not reused after a failed BEGIN, and the pool works without it", () =>
    withPool((sql, proxy) =>
      Effect.gen(function* () {
        proxy.forget()
        const begin = failsWith(asking(inTransaction(sql, sql`SELECT 1`)), "Unavailable")
        yield* Effect.all([begin, begin], { concurrency: 2 })
        yield* Effect.sleep(1_000)
        assert.deepStrictEqual(yield* asking(sql`SELECT 42 AS answer`), [{ answer: 42 }])
      })
    )
  )

  it.live("leaves a commit in doubt, which is Unavailable, and no lock for more than five seconds", () =>
    withPool((sql, proxy, url) =>
      Effect.gen(function* () {
        let told = false
        yield* sql`CREATE TABLE counters AS SELECT 1 AS count`
        const change = Effect.gen(function* () {
          yield* sql`UPDATE counters SET count = count + 1`
          yield* sql.afterCommit(Effect.sync(() => (told = true)))
          proxy.forget()
        })
        const changed = yield* Effect.forkChild(failsWith(asking(inTransaction(sql, change)), "Unavailable"))
        yield* Effect.sleep(500)
        const waited_ms = yield* Effect.promise(() => lockCounters(url))
        assert.isBelow(waited_ms, 6_000)
        yield* Fiber.join(changed)
        yield* Effect.sleep(1_000)
        assert.isFalse(told)
      })
    )
  )

  it.live("delays the end of the program by ten seconds at most, whatever was running", () =>
    withPool((sql, proxy) =>
      Effect.gen(function* () {
        const savepoint = inTransaction(sql, Effect.andThen(Effect.sync(proxy.forget), inTransaction(sql, Effect.void)))
        const statement = inTransaction(sql, Effect.andThen(Effect.sync(proxy.forget), sql`SELECT 1`))
        const works = [savepoint, statement].map((work) => Effect.forkChild(Effect.exit(asking(work))))
        yield* Effect.all(works)
        yield* Effect.sleep(100)
      })
    )
  )
})

/**
 * Runs work with a pool of two open connections through a proxy, and then closes the pool, which takes ten seconds at
 * most, and slightly more on a busy machine.
 */
function withPool<A, E>(
  run: (sql: SqlClient.SqlClient, proxy: TcpProxy, url: string) => Effect.Effect<A, E, Scope.Scope>
) {
  return Effect.gen(function* () {
    const url = yield* migratedDatabase
    const proxy = yield* proxyTo(url)
    const pool = yield* Scope.make()
    const layer = layerDatabase({ url: Redacted.make(proxy.url), maxConnections: 2 })
    const sql = Context.get(yield* Layer.buildWithScope(layer, pool), SqlClient.SqlClient)
    const open = sql`SELECT pg_sleep(0.1)`
    yield* Effect.all([open, open], { concurrency: 2 })
    yield* run(sql, proxy, url)
    const closed = yield* Effect.forkDetach(Scope.close(pool, Exit.void))
    assert.isTrue(Option.isSome(yield* Effect.timeoutOption(Fiber.join(closed), 20_000)), "the pool is not closed")
  }).pipe(Effect.scoped)
}

/** Waits for the lock on all counters, and returns the waiting time in milliseconds. */
const lockCounters = async (url: string): Promise<number> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  const asked_ms = performance.now()
  await client.query("SELECT FROM counters FOR UPDATE")
  await client.end()
  return performance.now() - asked_ms
}
