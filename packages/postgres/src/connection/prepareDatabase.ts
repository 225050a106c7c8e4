/** Waits until the database is available and migrates the schema, before a program uses them. */
import { Effect } from "effect"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { migrate } from "../migrations/Migrations.ts"
import { ignoredByPooler, isUnavailable } from "./Database.ts"
import { SessionsNotKept } from "./requireSessions.ts"

type Failure = MigrationError | SessionsNotKept | SqlError

/** The database cannot be used, for the reason in the message. */
export class DatabaseUnusable {
  readonly _tag = "DatabaseUnusable"
  readonly message: string
  /** The failure of the last attempt. */
  readonly cause: Failure
  constructor(message: string, cause: Failure) {
    this.message = message
    this.cause = cause
  }
}

/** How a database is prepared. */
export interface PrepareOptions {
  /** Timeout for waiting for the database, in milliseconds; 30,000 by default. */
  readonly timeout_ms?: number
  /** Called at most once, with the reason, if the database is not available at once. */
  readonly onWait?: ((reason: string) => void) | undefined
  /** What else has to hold, after the migration: `requireSessions`. */
  readonly check?: Effect.Effect<void, SessionsNotKept | SqlError, SqlClient>
}

/**
 * Migrates the schema. Waits for a database that is starting or was lost, and for a locked table. Fails immediately if
 * the database refuses the connection's credentials or a statement.
 */
export const prepareDatabase = ({
  check = Effect.void,
  onWait = () => {},
  timeout_ms = 30_000
}: PrepareOptions = {}): Effect.Effect<void, DatabaseUnusable, SqlClient> =>
  Effect.gen(function* () {
    const end_ms = performance.now() + timeout_ms
    for (let attempt = 0; ; attempt++) {
      const failure = yield* Effect.match(Effect.andThen(migrate, check), {
        onSuccess: () => undefined,
        onFailure: (error): Failure => error
      })
      if (failure === undefined) return
      const reason = reasonOf(failure)
      if (refusesParameters.test(reason)) {
        return yield* Effect.fail(new DatabaseUnusable(`${reason}: ${poolerSettings}`, failure))
      }
      if (!isTemporary(failure) || performance.now() + pause_ms > end_ms) {
        return yield* Effect.fail(new DatabaseUnusable(reason, failure))
      }
      if (attempt === 0) onWait(reason)
      yield* Effect.sleep(pause_ms)
    }
  })

const pause_ms = 250

/** PgBouncer refuses the parameters of a connection that it does not know. */
const refusesParameters = /^unsupported startup parameter/

const poolerSettings = `allow the parameters in the pooler, with ignore_startup_parameters = ${ignoredByPooler.join(", ")}`

/** Whether a retry may succeed. */
const isTemporary = (failure: Failure): boolean => {
  const error = sqlErrorOf(failure)
  return error !== undefined && isUnavailable(error) && error.reason._tag !== "AuthenticationError"
}

/** The message of the server or the system, with the migration step, if any. */
const reasonOf = (failure: Failure): string => {
  const error = sqlErrorOf(failure)
  if (error === undefined) return failure.message
  return error === failure ? messageOf(error) : `${failure.message}: ${messageOf(error)}`
}

/** The cause of a failed step is the error of its statement. */
const sqlErrorOf = (failure: Failure): SqlError | undefined =>
  failure instanceof SessionsNotKept ? undefined : [failure, failure.cause].find((error) => isSqlError(error))

const messageOf = ({ message, reason: { cause } }: SqlError): string => {
  if (!(cause instanceof Error)) return message
  // A name that resolves to several addresses fails with one error for each.
  const [first] = cause instanceof AggregateError ? cause.errors : [cause]
  return first instanceof Error && first.message !== "" ? first.message : message
}
