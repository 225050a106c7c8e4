/** Waits until statements wait for locks, for tests that hold a lock. */
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** Waits until this number of statements on this database waits for locks. */
export const untilLockWaits = (count = 1) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.repeat(sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`, {
      until: ({ length }) => length >= count,
      schedule: Schedule.spaced("5 millis")
    })
  )
