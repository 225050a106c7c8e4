/** Maintenance runs in transactions of bounded length, on one replica at a time. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { inTransaction } from "../connection/Database.ts"

/**
 * Runs a step in a transaction, with time zone UTC. Returns undefined without running it if another replica does the
 * same work. A step that waits for a table lock fails after a second, because later statements queue behind it.
 */
export const alone = <A, E, R>(
  work: "cleanUp" | "months",
  step: Effect.Effect<A, E, R>
): Effect.Effect<A | undefined, E | SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    inTransaction(
      sql,
      Effect.gen(function* () {
        const [lock] = yield* sql<{ readonly free: boolean }>`
          SELECT pg_try_advisory_xact_lock(${advisoryLocks[work]}::int8) AS free, set_config('TimeZone', 'UTC', true),
            set_config('lock_timeout', '1s', true), set_config('statement_timeout', '60s', true)`
        return lock?.free === true ? yield* step : undefined
      })
    )
  )
