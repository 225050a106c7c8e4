import { assert, layer } from "@effect/vitest"
import { failsWith } from "@postcode/core/testing/Failures"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asking, inTransaction } from "../../src/connection/Database.ts"
import { layerMigrated } from "../MigratedDatabase.ts"

layer(layerMigrated, { excludeTestServices: true })("a connection that breaks", (it) => {
  it.effect("in the middle of a transaction is Unavailable, though the transaction cannot be rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const suicide = Effect.andThen(sql`SELECT pg_terminate_backend(pg_backend_pid())`, sql`SELECT 1`)
      yield* failsWith(asking(inTransaction(sql, suicide)), "Unavailable")
      assert.deepStrictEqual(yield* asking(inTransaction(sql, sql`SELECT 42 AS answer`)), [{ answer: 42 }])
    })
  )

  it.effect("because its transaction stood still is Unavailable", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const standStill = Effect.andThen(sql`SET LOCAL idle_in_transaction_session_timeout = 50`, Effect.sleep(300))
      yield* failsWith(asking(inTransaction(sql, Effect.andThen(standStill, sql`SELECT 1`))), "Unavailable")
    })
  )
})

layer(layerMigrated, { excludeTestServices: true })("a database that may only be read", (it) => {
  it.effect("is away for what writes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const write = Effect.andThen(sql`SET TRANSACTION READ ONLY`, sql`CREATE TABLE refused (count integer)`)
      yield* failsWith(asking(inTransaction(sql, write)), "Unavailable")
    })
  )
})

layer(layerMigrated, { excludeTestServices: true })("a transaction", (it) => {
  it.effect(
    "keeps what its failed parts did not do, whichever way they are begun, and tells of it when all is done",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`CREATE TABLE postcode.steps (name text)`
        const told: Array<string> = []
        const step = (name: string) =>
          Effect.andThen(
            sql`INSERT INTO postcode.steps VALUES (${name})`,
            sql.afterCommit(Effect.sync(() => told.push(name)))
          )
        const failed = (name: string) => Effect.andThen(step(name), Effect.fail("on purpose"))
        const ours = <A, E, R>(work: Effect.Effect<A, E, R>) => inTransaction(sql, work)
        const plain = <A, E, R>(work: Effect.Effect<A, E, R>) => sql.withTransaction(work)
        for (const [outer, inner] of [
          [ours, ours],
          [ours, plain],
          [plain, ours]
        ] as const) {
          yield* outer(
            Effect.gen(function* () {
              yield* step("first")
              yield* inner(step("second"))
              yield* Effect.flip(inner(failed("third")))
              assert.deepStrictEqual(told.splice(0), [])
            })
          )
          assert.deepStrictEqual(told.splice(0), ["first", "second"])
          yield* Effect.flip(outer(inner(failed("fourth"))))
          const steps = yield* sql`DELETE FROM postcode.steps RETURNING name`
          assert.deepStrictEqual(steps, [{ name: "first" }, { name: "second" }])
        }
        assert.deepStrictEqual(told, [])
      })
  )

  it.effect("fails where the server undoes it instead of committing it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const mistake = Effect.ignore(sql`SELECT 1 / 0`)
      const failure = yield* Effect.flip(inTransaction(sql, mistake))
      assert.include(String(failure.reason.cause), "rolled back")
    })
  )

  it.effect("begins as it is told", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const level = sql`SELECT current_setting('transaction_isolation') AS level`
      const serializable = Effect.provideService(
        inTransaction(sql, level),
        SqlClient.BeginTransaction,
        "BEGIN ISOLATION LEVEL SERIALIZABLE"
      )
      assert.deepStrictEqual(yield* serializable, [{ level: "serializable" }])
      assert.deepStrictEqual(yield* inTransaction(sql, level), [{ level: "read committed" }])
    })
  )
})
