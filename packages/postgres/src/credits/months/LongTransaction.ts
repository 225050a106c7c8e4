/** Transactions of commands, which may take hours and are not disturbed by the timeouts of requests. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { inTransaction } from "../../connection/Database.ts"

/**
 * Runs work in a transaction with time zone UTC and no timeout, except that it waits a second at most for each lock.
 *
 * @param first the first statement of the transaction
 */
export const longTransaction = <A, E, R>(
  work: (sql: SqlClient.SqlClient) => Effect.Effect<A, E, R>,
  first = "SET LOCAL TimeZone = 'UTC'"
): Effect.Effect<A, E | SqlError, R | SqlClient.SqlClient> =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    inTransaction(
      sql,
      Effect.gen(function* () {
        for (const statement of [first, ...settings]) yield* sql.unsafe(statement).unprepared
        return yield* work(sql)
      })
    )
  )

const settings = [
  "SET LOCAL TimeZone = 'UTC'",
  "SET LOCAL statement_timeout = 0",
  "SET LOCAL idle_in_transaction_session_timeout = 0",
  "SET LOCAL lock_timeout = '1s'"
]
