import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/core/testing/Failures"
import { startSilentProxy } from "@postcode/postgres/testing"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asking, inTransaction } from "../src/Database.ts"
import { connectionsTo, layerMigrated, migratedDatabase } from "./MigratedDatabase.ts"

describe("a connection that goes silent", () => {
  it.live("is given up after five seconds, though ending its statement takes longer", () =>
    Effect.gen(function* () {
      const url = yield* migratedDatabase
      const proxy = yield* Effect.acquireRelease(
        Effect.promise(() => startSilentProxy(url)),
        ({ close }) => Effect.promise(close)
      )
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ask = asking(sql<{ answer: number }>`SELECT 42 AS answer`)
        assert.deepStrictEqual(yield* ask, [{ answer: 42 }])
        proxy.goSilent()
        const asked_ms = performance.now()
        yield* failsWith(ask, "Unavailable")
        assert.approximately(performance.now() - asked_ms, 5_500, 1_500)
        proxy.resume()
        assert.deepStrictEqual(yield* ask, [{ answer: 42 }])
      }).pipe(Effect.provide(connectionsTo(proxy.url)))
    }).pipe(Effect.scoped)
  )
})

describe("a connection that breaks", () => {
  it.live("in the middle of a transaction is Unavailable, though the transaction cannot be rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const suicide = Effect.andThen(sql`SELECT pg_terminate_backend(pg_backend_pid())`, sql`SELECT 1`)
      yield* failsWith(asking(inTransaction(sql, suicide)), "Unavailable")
      assert.deepStrictEqual(yield* asking(inTransaction(sql, sql`SELECT 42 AS answer`)), [{ answer: 42 }])
    }).pipe(Effect.provide(layerMigrated), Effect.scoped)
  )
})
