/** The directory as the database has it: the rows of the current edition, with the changes since. */

import type { ChangeKind } from "@postcode/core/Changes"
import { pack, unpack } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import type { Place, Unit } from "../kit/DemoSample.ts"
import type { PostgresServer } from "../kit/postgres/index.ts"

type Client = Awaited<ReturnType<PostgresServer["connect"]>>

/** A row of `directory_changes`. */
export interface StoredChange {
  readonly number: number
  readonly kind: ChangeKind
  readonly reference: string
  readonly unit: Unit
}

/** A row of `directory_batches`. */
export interface StoredBatch {
  readonly reference: string
  readonly first_change: number
  readonly last_change: number
  readonly unchanged: number
}

export interface StoredDirectory {
  /** The publisher's name of the edition. */
  readonly edition: string
  /** The number of changes that the edition's row has. */
  readonly changes: number
  readonly batches: ReadonlyArray<StoredBatch>
  /** In the order of their numbers. */
  readonly rows: ReadonlyArray<StoredChange>
  /** References of batches by the number of their entries in the audit log. */
  readonly audited: ReadonlyMap<string, number>
  readonly units: StoredUnits
}

/** All units after all changes, in code order. */
export interface StoredUnits {
  readonly codes: Float64Array
  readonly lats_e7: Int32Array
  readonly lons_e7: Int32Array
  /** 1 for active. */
  readonly actives: Uint8Array
  /** Packed codes of successors; −1 for none. */
  readonly successors: Float64Array
}

export const readStoredDirectory = async (server: Pick<PostgresServer, "connect">): Promise<StoredDirectory> => {
  const client = await server.connect()
  try {
    const { rows: editions } = await client.query(
      "SELECT edition, version, units, changes FROM postcode.directory_editions WHERE is_current"
    )
    const { changes, edition, units, version } = editions[0]
    const rows = await readChanges(client, edition)
    const latest = new Map(rows.map(({ unit }) => [unit.postcode, unit]))
    return {
      edition: version,
      changes,
      rows,
      batches: await readBatches(client, edition),
      audited: await readAudited(client),
      units: await readUnits(client, edition, units, latest)
    }
  } finally {
    await client.end()
  }
}

const readChanges = async (client: Client, edition: number): Promise<ReadonlyArray<StoredChange>> => {
  const { rows } = await client.query("SELECT * FROM postcode.directory_changes WHERE edition = $1 ORDER BY number", [
    edition
  ])
  return rows.map((row) => ({ number: row.number, kind: row.kind, reference: row.reference, unit: unitOf(row) }))
}

const readBatches = async (client: Client, edition: number): Promise<ReadonlyArray<StoredBatch>> => {
  const { rows } = await client.query(
    `SELECT reference, first_change, last_change, unchanged FROM postcode.directory_batches
      WHERE edition = $1 ORDER BY first_change, last_change`,
    [edition]
  )
  return rows
}

const readAudited = async (client: Client): Promise<ReadonlyMap<string, number>> => {
  const { rows } = await client.query(
    `SELECT details ->> 'reference' AS reference, count(*)::integer AS entries FROM postcode.audit_events
      WHERE action = 'directory.changed' GROUP BY 1`
  )
  return new Map(rows.map(({ entries, reference }) => [reference, entries]))
}

interface UnitRow {
  readonly postcode: Postcode
  readonly lat: number
  readonly lon: number
  readonly status: string
  readonly replaced_by: Postcode | null
}

const unitOf = (row: UnitRow & { readonly [Name in keyof UnitAttributes]: UnitAttributes[Name] | null }): Unit => {
  const { building_owner, building_type, building_use_status, delivery_point } = row
  const { lat, locality_name, lon, postcode, recent_address, replaced_by, status } = row
  const attributes = {
    ...{ locality_name, recent_address, building_use_status, building_type, building_owner, delivery_point }
  }
  return {
    postcode,
    lat_e7: Math.round(lat * 1e7),
    lon_e7: Math.round(lon * 1e7),
    active: status === "active",
    replaced_by: replaced_by ?? undefined,
    attributes: Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== null))
  }
}

/** Few enough that pages are quick. */
const pageRows = 20_000

const readUnits = async (
  client: Client,
  edition: number,
  editionUnits: number,
  latest: ReadonlyMap<Postcode, Unit>
): Promise<StoredUnits> => {
  const columns = new Columns(editionUnits + latest.size)
  const changed = [...latest.values()].sort((a, b) => (a.postcode < b.postcode ? -1 : 1))
  let next = 0
  const takeChangedUpTo = (postcode: string) => {
    for (let unit = changed[next]; unit !== undefined && unit.postcode <= postcode; unit = changed[++next]) {
      columns.add(pack(unit.postcode), unit.lat_e7, unit.lon_e7, unit.active, unit.replaced_by)
    }
  }
  for (let last = "", count = pageRows; count === pageRows; ) {
    const { rows } = await client.query<UnitRow>(
      `SELECT postcode, lat, lon, status, replaced_by FROM postcode.units_${edition}
        WHERE postcode > $1 ORDER BY postcode LIMIT ${pageRows}`,
      [last]
    )
    for (const { lat, lon, postcode, replaced_by, status } of rows) {
      takeChangedUpTo(postcode)
      if (latest.has(postcode)) continue
      const [lat_e7, lon_e7] = [Math.round(lat * 1e7), Math.round(lon * 1e7)]
      columns.add(pack(postcode), lat_e7, lon_e7, status === "active", replaced_by ?? undefined)
    }
    count = rows.length
    last = rows.at(-1)?.postcode ?? last
  }
  takeChangedUpTo("~")
  return columns.filled()
}

class Columns {
  private readonly columns: StoredUnits
  private count = 0

  constructor(capacity: number) {
    this.columns = {
      codes: new Float64Array(capacity),
      lats_e7: new Int32Array(capacity),
      lons_e7: new Int32Array(capacity),
      actives: new Uint8Array(capacity),
      successors: new Float64Array(capacity)
    }
  }

  add(code: number, lat_e7: number, lon_e7: number, isActive: boolean, successor: Postcode | undefined): void {
    const { actives, codes, lats_e7, lons_e7, successors } = this.columns
    codes[this.count] = code
    lats_e7[this.count] = lat_e7
    lons_e7[this.count] = lon_e7
    actives[this.count] = isActive ? 1 : 0
    successors[this.count++] = successor === undefined ? -1 : pack(successor)
  }

  filled(): StoredUnits {
    const { actives, codes, lats_e7, lons_e7, successors } = this.columns
    return {
      codes: codes.subarray(0, this.count),
      lats_e7: lats_e7.subarray(0, this.count),
      lons_e7: lons_e7.subarray(0, this.count),
      actives: actives.subarray(0, this.count),
      successors: successors.subarray(0, this.count)
    }
  }
}

export const placeAt = ({ actives, codes, lats_e7, lons_e7, successors }: StoredUnits, at: number): Place => {
  const successor = successors[at] as number
  return {
    postcode: unpack(codes[at] as number),
    lat_e7: lats_e7[at] as number,
    lon_e7: lons_e7[at] as number,
    active: actives[at] === 1,
    replaced_by: successor < 0 ? undefined : unpack(successor)
  }
}

/** The place of a postcode in the columns, or −1. */
export const rankOf = ({ codes }: StoredUnits, postcode: string): number => {
  const code = pack(postcode as Postcode)
  let [low, high] = [0, codes.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((codes[middle] as number) < code) low = middle + 1
    else high = middle
  }
  return codes[low] === code ? low : -1
}
