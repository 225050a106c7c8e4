/**
 * The schema, as the steps that lead to it. They only go forward: a step that was released is never changed, and an older
 * version of the program works on a newer schema, so that replicas can be replaced one by one.
 */
import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { createOrganizations } from "./migrations/0001_organizations.ts"

/** Each step runs once, whoever starts how many replicas at the same time: a lock is held meanwhile. */
export const migrate: Effect.Effect<void, Migrator.MigrationError | SqlError, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    // `IF NOT EXISTS` alone fails where two do it at once.
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SELECT pg_advisory_xact_lock(${schemaLock}::bigint)`
        yield* sql`CREATE SCHEMA IF NOT EXISTS postcode`
      })
    )
    yield* Migrator.make({})({ loader: steps, table: "postcode.migrations" })
  }
)

/** Any number that no other program takes for a lock of its own. */
const schemaLock = 7_305_440_119

const steps = Migrator.fromRecord({
  "0001_organizations": createOrganizations
})
