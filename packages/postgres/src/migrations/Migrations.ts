/**
 * The schema, as the steps that lead to it. They only go forward: a step that was released is never changed, and an older
 * version of the program works on a newer schema, so that replicas can be replaced one by one.
 */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { inTransaction } from "../connection/Database.ts"
import { createOrganizations } from "./0001_organizations.ts"
import { createCredits } from "./0002_credits.ts"
import { createJournals } from "./0003_journals.ts"
import { createEndUsers } from "./0004_end_users.ts"
import { createRateWindows } from "./0005_rate_windows.ts"
import { createDirectory } from "./0006_directory.ts"
import { addWidgetSessions } from "./0007_widget_sessions.ts"
import { addKeyLifetimes } from "./0008_key_lifetimes.ts"
import { createAccounts } from "./0009_accounts.ts"
import { addUsageByKey } from "./0010_usage.ts"
import { createWebhooks } from "./0011_webhooks.ts"
import { addKyb } from "./0012_kyb.ts"

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
  "0001_organizations": createOrganizations,
  "0002_credits": createCredits,
  "0003_journals": createJournals,
  "0004_end_users": createEndUsers,
  "0005_rate_windows": createRateWindows,
  "0006_directory": createDirectory,
  "0007_widget_sessions": addWidgetSessions,
  "0008_key_lifetimes": addKeyLifetimes,
  "0009_accounts": createAccounts,
  "0010_usage": addUsageByKey,
  "0011_webhooks": createWebhooks,
  "0012_kyb": addKyb
}

const lastStep = Math.max(...Object.keys(steps).map((name) => Number.parseInt(name, 10)))
