/** Detects a pooler that moves a client from one server connection to another, as PgBouncer does in transaction mode. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** The address is that of a pooler that does not keep sessions. */
export class SessionsNotKept {
  readonly _tag = "SessionsNotKept"
  readonly message =
    "it is reached through a pooler in transaction or statement mode, which breaks prepared statements and session locks: set pool_mode = session, or connect to PostgreSQL directly"
}

/**
 * Fails if a connection loses its session state. Needs two connections.
 *
 * One connection stores a value in its session. While another one is inside a transaction, a pooler cannot give both the
 * same server connection: then either the first has lost its value, or the other one sees it. Other clients of the pooler may
 * hide that, so it is checked several times.
 */
export const requireSessions: Effect.Effect<void, SessionsNotKept | SqlError, SqlClient> = Effect.scoped(
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [one, other] = yield* Effect.all([sql.reserve, sql.reserve])
    const read = "SELECT current_setting('postcode.session', true) AS value"
    const storedIn = (connection: typeof one) =>
      Effect.map(connection.executeUnprepared(read, [], undefined), ([row]) => (row as { value: string | null }).value)
    for (let check = 0; check < 3; check++) {
      yield* one.executeUnprepared(`SET postcode.session = 'check-${check}'`, [], undefined)
      yield* other.executeUnprepared("BEGIN", [], undefined)
      const values = [yield* storedIn(one), yield* storedIn(other)]
      yield* other.executeUnprepared("ROLLBACK", [], undefined)
      if (values[0] !== `check-${check}` || values[1]) return yield* Effect.fail(new SessionsNotKept())
    }
    yield* one.executeUnprepared("RESET postcode.session", [], undefined)
  })
)
