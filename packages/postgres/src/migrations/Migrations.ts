/**
 * The schema, as the steps that lead to it. They only go forward: a step that was released is never changed, and an older
 * version of the program works on a newer schema, so that replicas can be replaced one by one.
 */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { inTransaction } from "../connection/Database.ts"
import { createBaseline } from "./0001_baseline.ts"

/**
 * Runs the steps that are missing, all or none. Each runs once, whoever starts how many replicas at the same time: a lock
 * is held meanwhile. Where none is missing, the database is only read.
 *
 * A step fails with a `MigrationError`, whose cause is what its statement failed with: with the state 55P03 where someone
 * else keeps for more than two seconds what it needs, which may also come as a `SqlError` before the first step.
 */
export const migrate: Effect.Effect<void, Migrator.MigrationError | SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    yield* inTransaction(
      sql,
      Effect.gen(function* () {
        // Whoever waits for a table stands in the way of all who come later, so nobody waits for long.
        yield* sql`SET LOCAL lock_timeout = '2s'`
        if ((yield* latestStep(sql)) >= lastStep) return
        // A step may have to go through all that is stored.
        yield* sql`SET LOCAL statement_timeout = 0`
        // Two that make the schema at once would fail.
        yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.schema}::bigint)`
        const [schema] = yield* sql`SELECT WHERE to_regnamespace('postcode') IS NOT NULL`
        // A role that owns the schema may not be allowed to make one, not even one that is there.
        if (schema === undefined) yield* sql`CREATE SCHEMA postcode`
        yield* Migrator.make({})({ loader: Migrator.fromRecord(steps), table: "postcode.migrations" })
      })
    )
  }
)

/** The number of the last step that was taken; 0 before the first. */
const latestStep = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const [table] = yield* sql`SELECT WHERE to_regclass('postcode.migrations') IS NOT NULL`
  if (table === undefined) return 0
  const [row] = yield* sql<{ readonly latest: number | null }>`
    SELECT max(migration_id) AS latest FROM postcode.migrations`
  return row?.latest ?? 0
})

const steps = {
  "0001_baseline": createBaseline
}

const lastStep = Math.max(...Object.keys(steps).map((name) => Number.parseInt(name, 10)))
