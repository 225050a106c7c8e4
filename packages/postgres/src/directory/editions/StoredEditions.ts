/** How imports store editions: units, snapshots, and which of them is current. */

import { type DirectoryWarning, unitColumns } from "@postcode/core/Csv"
import { type Directory, formatVersion } from "@postcode/core/Directory"
import { snapshotLength, snapshotPieces } from "@postcode/core/Snapshot"
import { attributeNames } from "@postcode/core/UnitAttributes"
import type { AuditAction } from "@postcode/gateway/audit/AuditLog"
import type { Client } from "pg"
import { newRowNumber } from "../../connection/RowNumber.ts"
import { unitsTable } from "../Editions.ts"
import { type CopyIn, copyIn } from "./CopyIn.ts"

/** A stored edition, as imports and reverts compare it. */
export interface StoredEdition {
  readonly edition: number
  readonly version: string
  readonly date: string
  readonly checksum: string
  /** Number of changes applied to it. */
  readonly changes: number
  /** The same when it last became current. */
  readonly base_changes: number
}

/** Whether migrations have created the tables. */
export const hasTables = async (client: Client): Promise<boolean> => {
  const { rows } = await client.query<{ readonly found: string | null }>(
    "SELECT to_regclass('postcode.directory_editions') AS found"
  )
  return rows[0]?.found != null
}

/** The current edition; undefined before the first import. */
export const storedEdition = async (client: Client): Promise<StoredEdition | undefined> => {
  const { rows } = await client.query<StoredEdition>(`SELECT ${described} WHERE is_current`)
  return rows[0]
}

/** The edition that was current before the current one, if it is still stored. */
export const previousEdition = async (client: Client): Promise<StoredEdition | undefined> => {
  const { rows } = await client.query<StoredEdition>(`SELECT ${described} WHERE NOT is_current ${latestFirst} LIMIT 1`)
  return rows[0]
}

/**
 * A stored edition of the same name that is not the same: other files, or changed since. Clients know versions by name
 * and number of changes, and would mistake one for the other.
 */
export const namesake = async (
  client: Client,
  { checksum, version }: Pick<StoredEdition, "checksum" | "version">
): Promise<StoredEdition | undefined> => {
  const { rows } = await client.query<StoredEdition>(`SELECT ${described} ${latestFirst}`)
  const name = shownName(version)
  return rows.find((row) => shownName(row.version) === name && (row.checksum !== checksum || row.changes > 0))
}

/** The name of an edition in versions. */
export const shownName = (version: string): string => formatVersion({ edition: version, changes: 0 })

const described = "edition, version, date, checksum, changes, base_changes FROM postcode.directory_editions"

/** An edition that was never current does not exist outside of its import. */
const latestFirst = "ORDER BY current_since DESC"

/** The number of the next edition. Requires the import's lock. */
export const nextEdition = async (client: Client): Promise<number> => {
  const { rows } = await client.query<{ readonly edition: number }>(
    "SELECT coalesce(max(edition), 0) + 1 AS edition FROM postcode.directory_editions"
  )
  return rows[0]?.edition ?? 1
}

/**
 * Creates a table of units with all columns of the template, to which a later version may have added some, and starts to
 * fill it. Creating and filling it in one transaction allows `COPY FREEZE`, so that the server never has to freeze the
 * rows later. A rollback removes the table.
 *
 * @param kind `TABLE`, or `TEMPORARY TABLE` for units that are not stored
 */
export const beginUnits = async (client: Client, table: string, kind = "TABLE"): Promise<CopyIn> => {
  await client.query(`CREATE ${kind} ${table} (LIKE postcode.edition_units INCLUDING ALL EXCLUDING INDEXES)`)
  // An empty field means unknown, with or without quotes.
  return copyIn(
    client,
    `COPY ${table} (${unitColumns}) FROM STDIN
    WITH (FORMAT csv, FREEZE, ENCODING 'UTF8', FORCE_NULL (${attributeNames.join(", ")}, replaced_by))`
  )
}

/** Indexes the units after all are stored. */
export const indexUnits = async (client: Client, edition: number): Promise<void> => {
  await client.query("SET LOCAL maintenance_work_mem = '256MB'")
  await client.query(`ALTER TABLE ${unitsTable(edition)} ADD PRIMARY KEY (postcode)`)
}

/** An edition to store. */
export interface NewEdition {
  readonly edition: number
  readonly directory: Directory
  readonly checksum: string
  readonly warnings: ReadonlyArray<DirectoryWarning>
}

/** Stores an edition and its snapshot, without making it current. */
export const storeEdition = async (
  client: Client,
  { checksum, directory, edition, warnings }: NewEdition,
  onProgress: (done_bytes: number, total_bytes: number) => void
): Promise<void> => {
  const { activeSize, date, places, size, version } = directory
  // Replicas load it with the addresses, which are in the table of units as well.
  const whole = { addresses: true }
  const total_bytes = snapshotLength(directory, whole)
  await client.query(
    `INSERT INTO postcode.directory_editions
      (edition, is_current, version, date, units, active_units, places, warnings, checksum, snapshot_bytes)
    VALUES ($1, false, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [edition, version, date, size, activeSize, JSON.stringify(places), JSON.stringify(warnings), checksum, total_bytes]
  )
  let done_bytes = 0
  let part = 0
  for (const bytes of inParts(snapshotPieces(directory, whole))) {
    await client.query("INSERT INTO postcode.directory_snapshots (edition, part, bytes) VALUES ($1, $2, $3)", [
      edition,
      part++,
      bytes
    ])
    done_bytes += bytes.length
    onProgress(done_bytes, total_bytes)
  }
}

/** Makes an edition current. Replicas notice within a second of the commit. */
export const switchTo = async (client: Client, edition: number): Promise<void> => {
  await client.query("UPDATE postcode.directory_editions SET is_current = false WHERE is_current")
  await client.query(
    `UPDATE postcode.directory_editions
    SET is_current = true, current_since = clock_timestamp(), base_changes = changes WHERE edition = $1`,
    [edition]
  )
}

/** An event of the audit log about an edition. */
interface EditionEvent {
  readonly id: string
  readonly actor: string
  readonly action: AuditAction & `directory.${string}`
  readonly edition: number
  readonly details: Readonly<Record<string, string | number>>
}

/** Adds an event to the audit log, in the transaction of the caller. */
export const noteEvent = async (
  client: Client,
  { action, actor, details, edition, id }: EditionEvent
): Promise<void> => {
  await client.query(
    `INSERT INTO postcode.audit_events (organization_id, number, id, at, actor, action, subject, details)
    VALUES ('', $1, $2, clock_timestamp(), $3, $4, $5, $6)`,
    [newRowNumber(), id, actor, action, String(edition), JSON.stringify(details)]
  )
}

/**
 * Drops all editions except the current one and the one before, which replicas use until they have loaded the current
 * one, and to which a revert returns. An edition that is being read stays until the next import.
 */
export const dropOldEditions = async (client: Client): Promise<void> => {
  const { rows } = await client.query<{ readonly edition: number }>(
    `SELECT edition FROM postcode.directory_editions WHERE NOT is_current ${latestFirst} OFFSET 1`
  )
  for (const { edition } of rows) {
    try {
      await client.query("BEGIN; SET LOCAL lock_timeout = '2s'")
      await client.query(`DROP TABLE IF EXISTS ${unitsTable(edition)}`)
      await client.query("DELETE FROM postcode.directory_editions WHERE edition = $1", [edition])
      await client.query("COMMIT")
    } catch (error) {
      await client.query("ROLLBACK")
      if ((error as { readonly code?: string }).code !== lockNotAvailable) throw error
    }
  }
}

const lockNotAvailable = "55P03"

/** Replicas receive each part as one message. For longer messages, their driver allocates several times as much. */
const part_bytes = 2 ** 18

/** Joins pieces into parts of equal length, except the last. The next part overwrites the previous one. */
function* inParts(pieces: Iterable<Uint8Array>): Generator<Uint8Array> {
  const part = Buffer.allocUnsafeSlow(part_bytes)
  let used = 0
  for (const piece of pieces) {
    for (let at = 0; at < piece.length; ) {
      const more = piece.subarray(at, at + part_bytes - used)
      part.set(more, used)
      used += more.length
      at += more.length
      if (used === part_bytes) {
        yield part
        used = 0
      }
    }
  }
  if (used > 0) yield part.subarray(0, used)
}
