/** What a program does before it uses the database: it waits until one is there, and brings the schema up to date. */
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { isAway } from "./Database.ts"
import { migrate } from "./Migrations.ts"

/** The database cannot be used as it is: why. */
export class DatabaseUnusable {
  readonly _tag = "DatabaseUnusable"
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

export interface PrepareOptions {
  /** For how long a database that is not there yet is waited for; 30,000 unless told. */
  readonly patience_ms?: number
  /** Told once, with the reason, if there is something to wait for. */
  readonly onWait?: (reason: string) => void
}

/** Brings the schema up to date. A database that is still starting is waited for; one that refuses is not. */
export const prepareDatabase = ({
  onWait = () => {},
  patience_ms = 30_000
}: PrepareOptions = {}): Effect.Effect<void, DatabaseUnusable, SqlClient> =>
  Effect.gen(function* () {
    const end_ms = performance.now() + patience_ms
    for (let attempt = 0; ; attempt++) {
      const failure = yield* Effect.match(migrate, { onSuccess: () => undefined, onFailure: (error) => error })
      if (failure === undefined) return
      if (!isSqlError(failure)) return yield* Effect.fail(new DatabaseUnusable(failure.message))
      const reason = reasonOf(failure)
      const isHopeless = !isAway(failure) || failure.reason._tag === "AuthenticationError"
      if (isHopeless || performance.now() + pause_ms > end_ms) return yield* Effect.fail(new DatabaseUnusable(reason))
      if (attempt === 0) onWait(reason)
      yield* Effect.sleep(pause_ms)
    }
  })

const pause_ms = 250

/** The words of whoever failed: the server's, or the system's. */
const reasonOf = ({ message, reason: { cause } }: SqlError): string => {
  if (!(cause instanceof Error)) return message
  // A name that leads to several addresses fails with one error for each.
  const [first] = cause instanceof AggregateError ? cause.errors : [cause]
  return first instanceof Error && first.message !== "" ? first.message : message
}
