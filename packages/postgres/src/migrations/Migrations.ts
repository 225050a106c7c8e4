/**
 * The schema as a list of steps. Released steps are never changed or reverted, and an older version of the program
 * works on a newer schema, so that replicas can be replaced one by one.
 */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { inTransaction } from "../connection/Database.ts"
import { createBaseline } from "./0001_baseline.ts"

/**
 * Runs the missing steps in one transaction. A lock makes sure that each runs once, even if many replicas start at the
 * same time. If no step is missing, the database is only read.
 *
 * A failing step fails with a `MigrationError`, whose cause is the error of its statement. If another transaction locks
 * a table for more than 2 s, that is SQLSTATE 55P03, which may also come as a `SqlError` before the first step.
 */
export const migrate: Effect.Effect<void, Migrator.MigrationError | SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    yield* inTransaction(
      sql,
      Effect.gen(function* () {
        // A statement that waits for a table lock blocks all later statements on the table.
        yield* sql`SET LOCAL lock_timeout = '2s'`
        if ((yield* latestStep(sql)) >= lastStep) return
        // A step may read or rewrite whole tables.
        yield* sql`SET LOCAL statement_timeout = 0`
        // Creating the schema concurrently would fail.
        yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.schema}::bigint)`
        const [schema] = yield* sql`SELECT WHERE to_regnamespace('postcode') IS NOT NULL`
        // `CREATE SCHEMA IF NOT EXISTS` needs the privilege even if the schema exists, and its owner may lack it.
        if (schema === undefined) yield* sql`CREATE SCHEMA postcode`
        yield* Migrator.make({})({ loader: Migrator.fromRecord(steps), table: "postcode.migrations" })
      })
    )
  }
)

/** The number of the last completed step; 0 before the first. */
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
