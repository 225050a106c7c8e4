/**
 * Revocations in a file, which outlives the database: after a restore to an earlier time, keys that were revoked since
 * are revoked again. The file has no secret. Each line is a key in JSON.
 */
import { open, readFile } from "node:fs/promises"
import { Client } from "pg"
import { newEventId } from "../audit/EventId.ts"
import { newRowNumber } from "../connection/RowNumber.ts"

/** A revoked key. */
interface Revocation {
  readonly kind: "key" | "management_key"
  readonly organization_id: string
  readonly id: string
  /** ISO 8601. */
  readonly revoked_at: string
}

/** What a replay did. */
export interface ReplayedRevocations {
  /** Keys that were valid. */
  readonly revoked: number
  /** Keys that were revoked in this database, too. */
  readonly repeated: number
  /** Keys that this database does not have, because they were created later. */
  readonly unknown: number
  /** Lines that cannot be read: each may be a key that is still valid. */
  readonly unreadable: number
}

/** What runs a query: a connection to PostgreSQL. */
type Connection = Pick<Client, "query">

/** Adds all revocations of the database that are missing in the file. Returns how many. */
export const saveRevocations = async (connection: Connection, file: string): Promise<number> => {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return ""
    throw error
  })
  const stored = new Set(readRevocations(text).revocations.map(nameOf))
  const { rows } = await connection.query<Omit<Revocation, "revoked_at"> & { readonly revoked_at: Date }>(
    `SELECT 'key' AS kind, organization_id, id, revoked_at FROM postcode.api_keys WHERE revoked_at IS NOT NULL
    UNION ALL
    SELECT 'management_key', organization_id, id, revoked_at FROM postcode.management_keys WHERE revoked_at IS NOT NULL
    ORDER BY revoked_at`
  )
  const added = rows
    .map((row) => ({ ...row, revoked_at: row.revoked_at.toISOString() }))
    .filter((row) => !stored.has(nameOf(row)))
  if (added.length === 0) return 0
  await using output = await open(file, "a", 0o600)
  // A last line that was interrupted gets its end, and its key is in a new line.
  const end = text === "" || text.endsWith("\n") ? "" : "\n"
  await output.writeFile(end + added.map((row) => `${JSON.stringify(row)}\n`).join(""))
  await output.sync()
  return added.length
}

const nameOf = ({ id, kind }: Revocation): string => `${kind} ${id}`

const readRevocations = (
  text: string
): { readonly revocations: ReadonlyArray<Revocation>; readonly unreadable: number } => {
  const lines = text.split("\n").filter((line) => line !== "")
  const revocations = lines.flatMap((line) => parse(line) ?? [])
  return { revocations, unreadable: lines.length - revocations.length }
}

const parse = (line: string): Revocation | undefined => {
  try {
    const { id, kind, organization_id, revoked_at } = JSON.parse(line)
    const isOne =
      [id, organization_id].every((text) => typeof text === "string") && !Number.isNaN(Date.parse(revoked_at))
    return isOne && (kind === "key" || kind === "management_key")
      ? { kind, organization_id, id, revoked_at }
      : undefined
  } catch {
    return undefined
  }
}

/** The same with a new connection. */
export const saveRevocationsOf = (url: string, file: string): Promise<number> =>
  connected(url, (client) => saveRevocations(client, file))

/** Revokes the keys of a file again, all or none of them, and notes it in the audit log. */
export const replayRevocations = async (url: string, file: string): Promise<ReplayedRevocations> => {
  const { revocations, unreadable } = readRevocations(await readFile(file, "utf8"))
  return await connected(url, async (client) => {
    const counts = { revoked: 0, repeated: 0, unknown: 0, unreadable }
    await client.query("BEGIN")
    for (const revocation of revocations) counts[await revokeAgain(client, revocation)]++
    // Replicas drop their copies of keys.
    await client.query("UPDATE postcode.revisions SET revision = gen_random_uuid() WHERE subject = 'keys'")
    await client.query("COMMIT")
    return counts
  })
}

const revokeAgain = async (client: Client, revocation: Revocation): Promise<"repeated" | "revoked" | "unknown"> => {
  const { id, kind, organization_id, revoked_at } = revocation
  const table = kind === "key" ? "postcode.api_keys" : "postcode.management_keys"
  // Before the key, as in every other change of keys, so that changes cannot deadlock. No later charge relies on the key.
  if (kind === "key") {
    await client.query(
      `UPDATE postcode.credit_accounts SET revision = revision + 1 WHERE (organization_id, environment) IN (
        SELECT organization_id, environment FROM postcode.credit_accounts WHERE organization_id = $1
        ORDER BY environment FOR UPDATE)`,
      [organization_id]
    )
  }
  const { rows } = await client.query<{ readonly prefix: string }>(
    `UPDATE ${table} SET revoked_at = $3 WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL RETURNING prefix`,
    [organization_id, id, revoked_at]
  )
  const [revoked] = rows
  if (revoked === undefined) {
    const found = await client.query(`SELECT FROM ${table} WHERE organization_id = $1 AND id = $2`, [
      organization_id,
      id
    ])
    return found.rows.length > 0 ? "repeated" : "unknown"
  }
  await client.query(
    `INSERT INTO postcode.audit_events (organization_id, number, id, at, actor, action, subject, details)
    VALUES ($1, $2, $3, clock_timestamp(), 'command', $4, $5, $6)`,
    [
      organization_id,
      newRowNumber(),
      newEventId(),
      `${kind}.revoked`,
      id,
      JSON.stringify({ prefix: revoked.prefix, first_revoked_at: revoked_at })
    ]
  )
  return "revoked"
}

const connected = async <A>(url: string, work: (client: Client) => Promise<A>): Promise<A> => {
  const client = new Client({ connectionString: url, application_name: "postcode revocations" })
  // The next query fails with the same error.
  client.on("error", () => {})
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
