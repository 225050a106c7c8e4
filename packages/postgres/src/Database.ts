/** The connections to the database, and what becomes of its failures. */
import { PgClient } from "@effect/sql-pg"
import { Unavailable } from "@postcode/core/Errors"
import { Effect, type Layer, type Redacted } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"

export interface DatabaseOptions {
  /** `postgresql://user:password@host:port/database`; it may hold a password, so it is never shown. */
  readonly url: Redacted.Redacted
  /** How many connections are open at most; 10 unless told. */
  readonly maxConnections?: number
}

/** Connections are opened when they are needed, so a database that is away does not make this fail. */
export const layerDatabase = ({
  maxConnections = 10,
  url
}: DatabaseOptions): Layer.Layer<PgClient.PgClient | SqlClient, SqlError> =>
  PgClient.layer({
    url,
    maxConnections,
    applicationName: "postcode-gateway",
    connectTimeout: "2 seconds",
    // Nothing that a request waits for takes this long; what does, as an import, sets its own.
    startupParameters: { statement_timeout: `${patience_ms}` }
  })

/** After this time without an answer the database counts as away, also where the network says nothing. */
const patience_ms = 5_000

/** What callers are told to wait, in seconds. */
const retryAfter_s = 1

/** The database is away; whoever asked may ask again. */
export const databaseAway = new Unavailable({ retry_after_s: retryAfter_s })

/**
 * Runs what a port asks of the database. Where the database is away, too busy or does not answer, it fails with
 * `Unavailable`; any other failure of a statement is a mistake in it, and so a defect.
 */
export const asking = <A, E, R>(
  work: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError> | Unavailable, R> =>
  Effect.catch(
    Effect.timeoutOrElse(work, { duration: patience_ms, orElse: () => Effect.fail(databaseAway) }),
    (error): Effect.Effect<never, Exclude<E, SqlError> | Unavailable> => {
      if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError> | Unavailable)
      return isAway(error) ? Effect.fail(databaseAway) : Effect.die(error)
    }
  )

/** Whether a failure says more about the database's state than about the statement. */
export const isAway = ({ reason }: SqlError): boolean =>
  temporaryReasons.has(reason._tag) || /^(08|40|53|55P03|57|58)/.test(sqlState(reason.cause))

const temporaryReasons: ReadonlySet<string> = new Set([
  "AuthenticationError",
  "ConnectionError",
  "DeadlockError",
  "LockTimeoutError",
  "SerializationError",
  "StatementTimeoutError"
])

/** The five characters with which PostgreSQL names an error; empty where the error is not the server's. */
export const sqlState = (cause: unknown): string => {
  const code = (cause as { readonly code?: unknown } | undefined)?.code
  return typeof code === "string" ? code : ""
}
