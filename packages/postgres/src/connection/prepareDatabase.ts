/** What a program does before it uses the database: it waits until one is there, and brings the schema up to date. */
import { Effect } from "effect"
import type { MigrationError } from "effect/sql/Migrator"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { migrate } from "../migrations/Migrations.ts"
import { isAway } from "./Database.ts"

/** The database cannot be used as it is: why. */
export class DatabaseUnusable {
  readonly _tag = "DatabaseUnusable"
  readonly message: string
  /** What the last attempt failed with. */
  readonly cause: MigrationError | SqlError
  constructor(message: string, cause: MigrationError | SqlError) {
    this.message = message
    this.cause = cause
  }
}

/** How long a database is waited for, and who is told. */
export interface PrepareOptions {
  /** For how long a database that is not there yet is waited for; 30,000 unless told. */
  readonly patience_ms?: number
  /** Told once, with the reason, if there is something to wait for. */
  readonly onWait?: ((reason: string) => void) | undefined
}

/**
 * Brings the schema up to date. A database that is still starting is waited for, and so is one that is lost meanwhile, or
 * a table in it that someone else keeps; one that refuses is not.
 */
export const prepareDatabase = ({
  onWait = () => {},
  patience_ms = 30_000
}: PrepareOptions = {}): Effect.Effect<void, DatabaseUnusable, SqlClient> =>
  Effect.gen(function* () {
    const end_ms = performance.now() + patience_ms
    for (let attempt = 0; ; attempt++) {
      const failure = yield* Effect.match(migrate, { onSuccess: () => undefined, onFailure: (error) => error })
      if (failure === undefined) return
      const reason = reasonOf(failure)
      if (!isPassing(failure) || performance.now() + pause_ms > end_ms) {
        return yield* Effect.fail(new DatabaseUnusable(reason, failure))
      }
      if (attempt === 0) onWait(reason)
      yield* Effect.sleep(pause_ms)
    }
  })

const pause_ms = 250

/** Whether it may go better soon. */
const isPassing = (failure: MigrationError | SqlError): boolean => {
  const error = sqlErrorOf(failure)
  return error !== undefined && isAway(error) && error.reason._tag !== "AuthenticationError"
}

/** The words of whoever failed: the server's, or the system's; and at which step, if it was at one. */
const reasonOf = (failure: MigrationError | SqlError): string => {
  const error = sqlErrorOf(failure)
  if (error === undefined) return failure.message
  return error === failure ? wordsOf(error) : `${failure.message}: ${wordsOf(error)}`
}

/** A step fails with what its statement failed with. */
const sqlErrorOf = (failure: MigrationError | SqlError): SqlError | undefined =>
  [failure, failure.cause].find((error) => isSqlError(error))

const wordsOf = ({ message, reason: { cause } }: SqlError): string => {
  if (!(cause instanceof Error)) return message
  // A name that leads to several addresses fails with one error for each.
  const [first] = cause instanceof AggregateError ? cause.errors : [cause]
  return first instanceof Error && first.message !== "" ? first.message : message
}
