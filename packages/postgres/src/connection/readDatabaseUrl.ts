/** The address of a database as all connections of this package take it. */
import { Effect, Redacted } from "effect"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import { mistakeInTls, withPlainMode } from "./DatabaseUrl.ts"

/** Fails where it says something of TLS that connections would take for different things. */
export const readDatabaseUrl = (url: Redacted.Redacted): Effect.Effect<Redacted.Redacted, SqlError> =>
  Effect.suspend(() => {
    const expected = mistakeInTls(Redacted.value(url))
    if (expected === undefined) return Effect.succeed(Redacted.make(withPlainMode(Redacted.value(url))))
    const message = `the address of the database: expected ${expected}`
    return Effect.fail(new SqlError({ reason: new ConnectionError({ cause: new Error(message), message }) }))
  })
