/**
 * The schema, as the steps that lead to it. They only go forward: a step that was released is never changed, and an older
 * version of the program works on a newer schema, so that replicas can be replaced one by one.
 */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { inTransaction } from "./Database.ts"
import { createOrganizations } from "./migrations/0001_organizations.ts"
import { createCredits } from "./migrations/0002_credits.ts"
import { createJournals } from "./migrations/0003_journals.ts"
import { createEndUsers } from "./migrations/0004_end_users.ts"
import { createRateWindows } from "./migrations/0005_rate_windows.ts"
import { createDirectory } from "./migrations/0006_directory.ts"
import { addWidgetSessions } from "./migrations/0007_widget_sessions.ts"

/**
 * Runs the steps that are missing, all or none. Each runs once, whoever starts how many replicas at the same time: a lock
 * is held meanwhile.
 */
export const migrate: Effect.Effect<void, Migrator.MigrationError | SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    yield* inTransaction(
      sql,
      Effect.gen(function* () {
        // A step may have to go through all that is stored, and whoever waits for the lock waits for that.
        yield* sql`SET LOCAL statement_timeout = 0`
        // `IF NOT EXISTS` alone fails where two do it at once.
        yield* sql`SELECT pg_advisory_xact_lock(${schemaLock}::bigint)`
        yield* sql`CREATE SCHEMA IF NOT EXISTS postcode`
        yield* Migrator.make({})({ loader: steps, table: "postcode.migrations" })
      })
    )
  }
)

/** Any number that no other program takes for a lock of its own. */
const schemaLock = 7_305_440_119

const steps = Migrator.fromRecord({
  "0001_organizations": createOrganizations,
  "0002_credits": createCredits,
  "0003_journals": createJournals,
  "0004_end_users": createEndUsers,
  "0005_rate_windows": createRateWindows,
  "0006_directory": createDirectory,
  "0007_widget_sessions": addWidgetSessions
})
