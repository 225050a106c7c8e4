import { assert, layer } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { asking, inTransaction } from "../../src/connection/Database.ts"
import { layerMigrated } from "../MigratedDatabase.ts"

layer(layerMigrated, { excludeTestServices: true })("a connection that breaks", (it) => {
  it.effect("in a transaction is Unavailable, although the rollback fails too", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const terminate = Effect.andThen(sql`SELECT pg_terminate_backend(pg_backend_pid())`, sql`SELECT 1`)
      yield* failsWith(asking(inTransaction(sql, terminate)), "Unavailable")
      assert.deepStrictEqual(yield* asking(inTransaction(sql, sql`SELECT 42 AS answer`)), [{ answer: 42 }])
    })
  )

  it.effect("because of an idle transaction is Unavailable", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const idle = Effect.andThen(sql`SET LOCAL idle_in_transaction_session_timeout = 50`, Effect.sleep(300))
      yield* failsWith(asking(inTransaction(sql, Effect.andThen(idle, sql`SELECT 1`))), "Unavailable")
    })
  )
})

layer(layerMigrated, { excludeTestServices: true })("a database that may only be read", (it) => {
  it.effect("is Unavailable for writes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const write = Effect.andThen(sql`SET TRANSACTION READ ONLY`, sql`CREATE TABLE refused (count integer)`)
      yield* failsWith(asking(inTransaction(sql, write)), "Unavailable")
    })
  )
})

layer(layerMigrated, { excludeTestServices: true })("a transaction", (it) => {
  it.effect("rolls back failed parts only, for every way of nesting, and runs afterCommit once all is committed", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE postcode.steps (name text)`
      const committed: Array<string> = []
      const step = (name: string) =>
        Effect.andThen(
          sql`INSERT INTO postcode.steps VALUES (${name})`,
          sql.afterCommit(Effect.sync(() => committed.push(name)))
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
            assert.deepStrictEqual(committed.splice(0), [])
          })
        )
        assert.deepStrictEqual(committed.splice(0), ["first", "second"])
        yield* Effect.flip(outer(inner(failed("fourth"))))
        const steps = yield* sql`DELETE FROM postcode.steps RETURNING name`
        assert.deepStrictEqual(steps, [{ name: "first" }, { name: "second" }])
      }
      assert.deepStrictEqual(committed, [])
    })
  )

  it.effect("fails if the server rolls back instead of committing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const failing = Effect.ignore(sql`SELECT 1 / 0`)
      const failure = yield* Effect.flip(inTransaction(sql, failing))
      assert.include(String(failure.reason.cause), "rolled back")
    })
  )

  it.effect("uses the given BEGIN statement", () =>
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
