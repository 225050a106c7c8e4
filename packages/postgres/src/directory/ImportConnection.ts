/** The connection that an import works on, and the lock by which there is one import at a time. */
import { setTimeout } from "node:timers/promises"
import { Client } from "pg"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { mistakeInTls, withPlainMode } from "../connection/DatabaseUrl.ts"
import { ImportFailure } from "./ImportFailure.ts"

/** Connects. Where it can, the server notices within a second when this process is gone, whatever it is at. */
export const connectForImport = async (url: string): Promise<Client> => {
  const expected = mistakeInTls(url)
  if (expected !== undefined) throw new ImportFailure(`the address of the database: expected ${expected}`)
  const client = new Client({
    connectionString: withPlainMode(url),
    application_name: "postcode import",
    connectionTimeoutMillis: connectPatience_ms,
    keepAlive: true
  })
  // What is under way fails with the same error.
  client.on("error", () => {})
  await client.connect()
  // Also where the server's own settings, meant for requests, would end what takes minutes.
  await client.query(`SET statement_timeout = 0; SET lock_timeout = 0; SET idle_in_transaction_session_timeout = 0;
    SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3`)
  // Not every system can tell a server of that. There it hears of it when it has something to say.
  await client.query("SET client_connection_check_interval = '1s'").catch(() => {})
  return client
}

/** Takes the lock until the connection ends. One that was killed a moment ago may hold it for a moment more. */
export const lockImports = async (client: Client): Promise<void> => {
  for (const end_ms = performance.now() + lockPatience_ms; ; await setTimeout(100)) {
    const { rows } = await client.query<{ readonly locked: boolean }>("SELECT pg_try_advisory_lock($1) AS locked", [
      advisoryLocks.import
    ])
    if (rows[0]?.locked === true) return
    if (performance.now() > end_ms) throw new ImportFailure(`another import is at work${await describeHolder(client)}`)
  }
}

/** Ends the connection without waiting for what is under way: the server rolls it back. */
export const abandon = (client: Client): void => {
  // The driver has no other word for it.
  const { connection } = client as unknown as { readonly connection: { readonly stream: { destroy(): void } } }
  connection.stream.destroy()
}

const connectPatience_ms = 10_000
const lockPatience_ms = 3_000

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
