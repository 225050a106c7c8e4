/** When a test may go on that holds a lock: once others wait for it. */
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** Until so many statements on this database wait for locks. */
export const untilLockWaits = (count = 1) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.repeat(sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`, {
      until: ({ length }) => length >= count,
      schedule: Schedule.spaced("5 millis")
    })
  )
