/** The connections to the database, and what becomes of its failures. */
import { PgClient } from "@effect/sql-pg"
import { Unavailable } from "@postcode/core/Errors"
import { Cause, Effect, Layer, type Redacted } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { answeredWithin, noAnswer } from "./AnsweredWithin.ts"
import { boundTransactions } from "./BoundedTransactions.ts"
import { readDatabaseUrl } from "./DatabaseUrl.ts"

/** Which database, and over how many connections. */
export interface DatabaseOptions {
  /** `postgresql://user:password@host:port/database`; it may hold a password, so it is never shown. */
  readonly url: Redacted.Redacted
  /** How many connections are open at most; 10 unless told. */
  readonly maxConnections?: number
  /** How the connections are called in `pg_stat_activity`; `postcode-gateway` by default. */
  readonly applicationName?: string
}

/**
 * Connections are opened when they are needed, so a database that is away does not make this fail; an address does that
 * cannot be understood.
 */
export const layerDatabase = ({
  applicationName = "postcode-gateway",
  maxConnections = 10,
  url
}: DatabaseOptions): Layer.Layer<PgClient.PgClient | SqlClient, SqlError> =>
  Layer.unwrap(
    Effect.map(readDatabaseUrl(url), (url) =>
      PgClient.layerFrom(
        Effect.map(
          PgClient.make({
            url,
            maxConnections,
            applicationName,
            connectTimeout: "2 seconds",
            keepAlive: "10 seconds",
            startupParameters
          }),
          boundTransactions
        )
      )
    )
  )

/** After this time without an answer the database counts as away, also where the network says nothing. */
const patience_ms = 5_000

/**
 * What the server ends by itself, since a replica that vanishes tells it nothing: a statement, and a transaction in which
 * nothing happens, as both hold locks; and a connection with nobody at its other end.
 */
const startupParameters = {
  // Nothing that a request waits for takes this long; what does, as an import, sets its own.
  statement_timeout: `${patience_ms}`,
  idle_in_transaction_session_timeout: `${patience_ms}`,
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3"
}

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
    Effect.catchIf(
      answeredWithin(work, patience_ms),
      (error) => error === noAnswer,
      () => Effect.fail(databaseAway)
    ),
    (error): Effect.Effect<never, Exclude<E, SqlError> | Unavailable> => {
      if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError> | Unavailable)
      return isAway(error) ? Effect.fail(databaseAway) : Effect.die(error)
    }
  )

/**
 * Runs work in a transaction. Where its connection breaks, it cannot be rolled back either, which the driver takes for a
 * defect; here it fails as what breaks outside of a transaction does.
 */
export const inTransaction = <A, E, R>(
  sql: SqlClient,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.catchCause(sql.withTransaction(work), (cause) => {
    const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
    const broken = defects.filter(isSqlError).find(isAway)
    return broken === undefined ? Effect.failCause(cause) : Effect.fail(broken)
  })

/**
 * Whether a failure says more about the database's state than about the statement: it is away, busy, or may only be read,
 * as a standby and a full disk are (25006), or it has ended a transaction that stood still (25P03).
 */
export const isAway = ({ reason }: SqlError): boolean =>
  temporaryReasons.has(reason._tag) || /^(08|25006|25P03|40|53|55P03|57|58)/.test(sqlState(reason.cause))

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
