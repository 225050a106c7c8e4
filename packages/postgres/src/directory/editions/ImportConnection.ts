/** The connection of an import, and the lock that allows one import at a time. */
import { setTimeout } from "node:timers/promises"
import { Effect, Redacted } from "effect"
import { isSqlError } from "effect/sql/SqlError"
import { Client } from "pg"
import { advisoryLocks } from "../../connection/AdvisoryLocks.ts"
import { layerDatabase } from "../../connection/Database.ts"
import { mistakeInAddress, withPlainMode } from "../../connection/DatabaseUrl.ts"
import { prepareDatabase } from "../../connection/prepareDatabase.ts"
import { explainFailure, ImportFailure, ImportInDoubt } from "./ImportFailure.ts"

/** How to connect. */
export interface ImportConnectionOptions {
  /** `postgresql://user:password@host:port/database` */
  readonly url: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs work on a separate connection. Rejects with `ImportFailure`, the reason of the signal, or another error of the
 * work. Even after the signal, it rejects with `ImportInDoubt` if the work does.
 */
export const withImportConnection = async <A>(
  { signal, url }: ImportConnectionOptions,
  work: (client: Client) => Promise<A>
): Promise<A> => {
  let client: Client | undefined
  const stop = () => client && abandon(client)
  signal?.addEventListener("abort", stop)
  try {
    client = await connectForImport(url)
    signal?.throwIfAborted()
    return await work(client)
  } catch (error) {
    if (!(error instanceof ImportInDoubt)) signal?.throwIfAborted()
    throw explainFailure(error, url)
  } finally {
    signal?.removeEventListener("abort", stop)
    if (client !== undefined) abandon(client)
  }
}

/** Migrates the schema if necessary. */
export const prepareSchema = (
  { signal, url }: ImportConnectionOptions,
  onWait: ((reason: string) => void) | undefined
): Promise<void> =>
  prepareDatabase({ onWait }).pipe(
    Effect.mapError(({ cause, message }) => (isSqlError(cause) ? cause : new ImportFailure(message, { cause }))),
    Effect.provide(layerDatabase({ url: Redacted.make(url), maxConnections: 1 })),
    (prepared) => Effect.runPromise(prepared, { signal })
  )

/** Connects. Where supported, the server ends the connection within a second after this process has ended. */
const connectForImport = async (url: string): Promise<Client> => {
  const expected = mistakeInAddress(url)
  if (expected !== undefined) throw new ImportFailure(`the address of the database: expected ${expected}`)
  const client = new Client({
    connectionString: withPlainMode(url),
    application_name: "postcode import",
    connectionTimeoutMillis: connectTimeout_ms,
    keepAlive: true
  })
  // The running query fails with the same error.
  client.on("error", () => {})
  await client.connect()
  // An import takes minutes, so timeouts that are set on the server for short queries must not apply.
  await client.query(`SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`)
  // Not supported on every system. There the server notices a lost client only when it sends something.
  await client.query("SET client_connection_check_interval = '1s'").catch(() => {})
  return client
}

/** Takes the lock until the connection ends. Waits briefly, because a killed import may hold it for a second more. */
export const lockImports = async (client: Client): Promise<void> => {
  for (const end_ms = performance.now() + lockTimeout_ms; ; await setTimeout(100)) {
    const { rows } = await client.query<{ readonly locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
      advisoryLocks.import
    ])
    if (rows[0]?.locked === true) return
    if (performance.now() > end_ms) throw new ImportFailure(`another import is running${await describeHolder(client)}`)
  }
}

/** Closes the connection without waiting for the running statement, which the server rolls back. */
const abandon = (client: Client): void => {
  // The driver has no method for this.
  const { connection } = client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
  connection.stream.destroy()
}

const connectTimeout_ms = 10_000
const lockTimeout_ms = 3_000

const describeHolder = async (client: Client): Promise<string> => {
  const { rows } = await client.query<{ readonly pid: number; readonly since: string; readonly origin: string }>(
    `SELECT pid, to_char(backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS "UTC"') AS since,
      coalesce(host(client_addr), 'the server itself') AS origin
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND (classid::bigint << 32) + objid::bigint = $1 AND granted`,
    [advisoryLocks.import]
  )
  const [holder] = rows
  if (holder === undefined) return ""
  return `: process ${holder.pid} of the database, connected from ${holder.origin} since ${holder.since}; wait for its end`
}
