/** Connections to an embedded server as its superuser. */
import { Client } from "pg"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { superuser } from "./Cluster.ts"
import { type DataFolder, port } from "./DataFolder.ts"
import { codeOf, EmbeddedFailure, isFullDisk, messageOf, noSpace } from "./EmbeddedFailure.ts"

export interface ServerConnection {
  readonly client: Client
  /** Settles when the connection has ended, whichever side ended it. */
  readonly ended: Promise<void>
  readonly end: () => Promise<void>
}

/**
 * Connects; undefined if no server answers in the folder now, or one that starts, ends or is busy.
 *
 * @param name the name of the connection in `pg_stat_activity`
 */
export const connectTo = async (
  folder: DataFolder,
  name: string,
  database = "postgres"
): Promise<ServerConnection | undefined> => {
  const client = new Client({
    host: folder.socket,
    port,
    user: superuser,
    database,
    ssl: false,
    application_name: name.slice(0, longestName),
    connectionTimeoutMillis: connectTimeout_ms
  })
  const ended = new Promise<void>((resolve) => client.once("end", resolve))
  const end = () => client.end().catch(() => {})
  // The next query fails with the same error.
  client.on("error", () => {})
  try {
    await client.connect()
    // A backup takes longer than the limits that an operator may have set for all queries.
    await client.query(`SELECT set_config(name, '0', false) FROM pg_settings WHERE name IN ('statement_timeout',
      'lock_timeout', 'transaction_timeout', 'idle_session_timeout', 'idle_in_transaction_session_timeout')`)
    return { client, ended, end }
  } catch (error) {
    await end()
    const code = codeOf(error)
    if (code === "EACCES") throw new EmbeddedFailure(`${folder.path} belongs to another user: run this as that user`)
    // After a crash, a connection begins with files that have to be written anew.
    if (isFullDisk(error)) throw noSpace(folder, messageOf(error))
    // SQLSTATEs of a server that refuses; all others, and errors of the system, pass.
    if (/^(22|28|3D|42)/.test(code ?? "")) {
      throw new EmbeddedFailure(`PostgreSQL in ${folder.path} refuses a connection: ${messageOf(error)}`)
    }
    return undefined
  }
}

/** The server keeps so much of a name. */
const longestName = 63
const connectTimeout_ms = 10_000

/** Who holds the folder's lock; undefined if nobody does. */
export const holderOf = async ({ client }: ServerConnection): Promise<string | undefined> => {
  const { rows } = await client.query<{ readonly application_name: string }>(
    `SELECT application_name FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND (classid::bigint << 32) + objid::bigint = $1 AND granted AND database =
      (SELECT oid FROM pg_database WHERE datname = current_database())`,
    [advisoryLocks.embeddedFolder]
  )
  return rows[0]?.application_name
}
