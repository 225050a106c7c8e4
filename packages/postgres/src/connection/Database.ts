/** Connections to the database and the handling of its errors. */
import { PgClient } from "@effect/sql-pg"
import { Unavailable } from "@postcode/gateway/Errors"
import { Cause, Effect, Layer, type Redacted } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import { answeredWithin, noAnswer } from "./AnsweredWithin.ts"
import { readDatabaseUrl } from "./DatabaseUrl.ts"
import { boundTransactions } from "./transactions/BoundedTransactions.ts"
import { withoutCancellation } from "./transactions/UncancelledStatements.ts"

/** The address of a database, and how it is connected to. */
export interface DatabaseOptions {
  /** `postgresql://user:password@host:port/database`; redacted, because it may contain a password. */
  readonly url: Redacted.Redacted
  /** Maximum number of connections; 10 by default. */
  readonly maxConnections?: number
  /** The name of the connections in `pg_stat_activity`; `postcode-gateway` by default. */
  readonly applicationName?: string
}

/**
 * Connections are opened on demand, so this does not fail while the database is unavailable. It fails for an address
 * with ambiguous TLS settings, see `readDatabaseUrl`.
 */
export const layerDatabase = ({
  applicationName = "postcode-gateway",
  maxConnections = 10,
  url
}: DatabaseOptions): Layer.Layer<PgClient.PgClient | SqlClient, SqlError> =>
  Layer.unwrap(
    Effect.map(readDatabaseUrl(url), (url) =>
      PgClient.layerFrom(
        PgClient.make({
          url,
          maxConnections,
          applicationName,
          connectTimeout: "2 seconds",
          keepAlive: "10 seconds",
          startupParameters
        }).pipe(Effect.flatMap(withoutCancellation), Effect.map(boundTransactions))
      )
    )
  )

/** After this time without an answer, the database is considered unavailable, even if the network reports no error. */
const timeout_ms = 5_000

/**
 * Limits that the server enforces, because a replica may vanish without closing its connections: on statements and idle
 * transactions, which hold locks, and on connections without a client.
 */
const startupParameters = {
  // No statement of a request takes this long. Longer ones, as in maintenance, set their own timeout.
  statement_timeout: `${timeout_ms}`,
  idle_in_transaction_session_timeout: `${timeout_ms}`,
  tcp_keepalives_idle: "10",
  tcp_keepalives_interval: "5",
  tcp_keepalives_count: "3"
}

/** The parameters that a pooler must ignore, because it does not pass them on: these, and one of the driver. */
export const ignoredByPooler = ["extra_float_digits", ...Object.keys(startupParameters)]

const retryAfter_s = 1

/** The database is unavailable; the client may retry. */
export const databaseUnavailable = new Unavailable({ retry_after_s: retryAfter_s })

/**
 * Runs the queries of a port. If the database is unavailable, too busy or does not answer, this fails with
 * `Unavailable`. Any other failure of a statement is a bug, so it becomes a defect.
 */
export const asking = <A, E, R>(
  work: Effect.Effect<A, E | SqlError, R>
): Effect.Effect<A, Exclude<E, SqlError> | Unavailable, R> =>
  Effect.catch(
    Effect.catchIf(
      answeredWithin(work, timeout_ms),
      (error) => error === noAnswer,
      () => Effect.fail(databaseUnavailable)
    ),
    (error): Effect.Effect<never, Exclude<E, SqlError> | Unavailable> => {
      if (!isSqlError(error)) return Effect.fail(error as Exclude<E, SqlError> | Unavailable)
      return isUnavailable(error) ? Effect.fail(databaseUnavailable) : Effect.die(error)
    }
  )

/**
 * Runs work in a transaction. If its connection breaks, the rollback fails too, which is a defect in the driver; here
 * it is the same failure as outside of a transaction.
 */
export const inTransaction = <A, E, R>(
  sql: SqlClient,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E | SqlError, R> =>
  Effect.catchCause(sql.withTransaction(work), (cause) => {
    const defects = cause.reasons.filter(Cause.isDieReason).map(({ defect }) => defect)
    const broken = defects.filter(isSqlError).find(isUnavailable)
    return broken === undefined ? Effect.failCause(cause) : Effect.fail(broken)
  })

/**
 * Whether a failure is caused by the state of the database, not by the statement: it is unavailable, busy or read-only,
 * as on a standby or after a full disk (25006), or it has ended an idle transaction (25P03).
 */
export const isUnavailable = ({ reason }: SqlError): boolean =>
  temporaryReasons.has(reason._tag) || /^(08|25006|25P03|40|53|55P03|57|58)/.test(sqlState(reason.cause))

const temporaryReasons: ReadonlySet<string> = new Set([
  "AuthenticationError",
  "ConnectionError",
  "DeadlockError",
  "LockTimeoutError",
  "SerializationError",
  "StatementTimeoutError"
])

/** The SQLSTATE of an error; empty if the error is not the server's. */
export const sqlState = (cause: unknown): string => {
  const code = (cause as { readonly code?: unknown } | undefined)?.code
  return typeof code === "string" ? code : ""
}
