/** The changed units of an edition, beside what another edition has of them. */
import type { UnitState } from "@postcode/core/Changes"
import type { Postcode } from "@postcode/core/Postcode"
import { type ChangeFate, changeFate, type UnitAcrossEditions } from "@postcode/gateway/directory/imports/changeFate"
import type { Client } from "pg"
import { unitsTable } from "./Editions.ts"
import { stateColumns, stateOf, type UnitRow } from "./UnitRows.ts"

/** An edition and its units without changes. */
export interface EditionUnits {
  readonly edition: number
  readonly table: string
}

/** A changed unit, and what becomes of its changes. */
export interface ChangedUnit extends UnitAcrossEditions {
  readonly fate: ChangeFate
  /** The number of its last change. */
  readonly number: number
}

/** Changes of an edition. */
export interface ChangesOf {
  readonly edition: number
  /** The number of the last change before. */
  readonly after: number
  /** The number of the last change. */
  readonly upTo: number
}

/**
 * The units with one of these changes, in code order, in pages, so that memory does not grow with their number. Their
 * states before are those before these changes.
 *
 * @param to the other edition, with its own changes
 */
export async function* changedUnits(
  client: Client,
  { after, edition, upTo }: ChangesOf,
  to: EditionUnits
): AsyncGenerator<ReadonlyArray<ChangedUnit>> {
  const statement = pageOf(unitsTable(edition), to.table)
  for await (const rows of pagesOf<UnitRows>(client, statement, [edition, after, upTo, to.edition])) {
    yield rows.map(({ after, before, changed, number }) => {
      const unit = { before: stateOrNone(before), changed: stateOf(changed), after: stateOrNone(after) }
      return { ...unit, number, fate: changeFate(unit) }
    })
  }
}

/** A unit that one of two editions has changed: in each, without its changes and with them. */
export interface UnitOfBoth {
  readonly fromBase: UnitState | undefined
  readonly from: UnitState | undefined
  readonly toBase: UnitState | undefined
  readonly to: UnitState | undefined
}

/** All units that either edition has changed, in pages. */
export async function* unitsChangedInEither(
  client: Client,
  from: EditionUnits,
  to: EditionUnits
): AsyncGenerator<ReadonlyArray<UnitOfBoth>> {
  const statement = pageOfBoth(from.table, to.table)
  for await (const rows of pagesOf<RowsOfBoth>(client, statement, [from.edition, to.edition])) {
    yield rows.map(({ from, from_base, to, to_base }) => ({
      fromBase: stateOrNone(from_base),
      from: stateOrNone(from),
      toBase: stateOrNone(to_base),
      to: stateOrNone(to)
    }))
  }
}

/** The rows of a statement in pages. Its last parameter is the last postcode of the page before. */
async function* pagesOf<Row extends { readonly postcode: Postcode }>(
  client: Client,
  statement: string,
  parameters: ReadonlyArray<number>
): AsyncGenerator<ReadonlyArray<Row>> {
  for (let last = "", count = pageSize; count === pageSize; ) {
    const { rows } = await client.query<Row>(statement, [...parameters, last])
    yield rows
    count = rows.length
    last = rows.at(-1)?.postcode ?? last
  }
}

/** The postcodes of all units that an edition has changed. */
export const changedPostcodes = async (client: Client, edition: number): Promise<ReadonlyArray<Postcode>> => {
  const { rows } = await client.query<{ readonly postcode: Postcode }>(
    "SELECT DISTINCT postcode FROM postcode.directory_changes WHERE edition = $1",
    [edition]
  )
  return rows.map(({ postcode }) => postcode)
}

const pageSize = 5_000

const pageOf = (fromTable: string, toTable: string): string => `
  WITH changed AS MATERIALIZED (
    SELECT DISTINCT ON (postcode) number, ${stateColumns} FROM postcode.directory_changes
    WHERE edition = $1 AND number > $2 AND number <= $3 AND postcode > $5 ORDER BY postcode, number DESC LIMIT ${pageSize}
  )
  SELECT changed.postcode, changed.number, to_json(changed) AS changed,
    coalesce(to_json(earlier), to_json(before)) AS before, coalesce(to_json(own), to_json(after)) AS after
  FROM changed
  LEFT JOIN ${fromTable} before ON before.postcode = changed.postcode
  LEFT JOIN LATERAL (${lastChange("$1", "$2")}) earlier ON true
  LEFT JOIN ${toTable} after ON after.postcode = changed.postcode
  LEFT JOIN LATERAL (${lastChange("$4", "2147483647")}) own ON true
  ORDER BY changed.postcode`

const pageOfBoth = (fromTable: string, toTable: string): string => `
  WITH changed AS MATERIALIZED (
    SELECT DISTINCT postcode FROM postcode.directory_changes
    WHERE edition IN ($1, $2) AND postcode > $3 ORDER BY postcode LIMIT ${pageSize}
  )
  SELECT changed.postcode, to_json(from_base) AS from_base, coalesce(to_json(from_last), to_json(from_base)) AS from,
    to_json(to_base) AS to_base, coalesce(to_json(to_last), to_json(to_base)) AS to
  FROM changed
  LEFT JOIN ${fromTable} from_base ON from_base.postcode = changed.postcode
  LEFT JOIN LATERAL (${lastChange("$1", "2147483647")}) from_last ON true
  LEFT JOIN ${toTable} to_base ON to_base.postcode = changed.postcode
  LEFT JOIN LATERAL (${lastChange("$2", "2147483647")}) to_last ON true
  ORDER BY changed.postcode`

/** By the index of postcodes, see `unitRowsAt`. */
const lastChange = (edition: string, number: string): string => `
  SELECT ${stateColumns} FROM (
    SELECT * FROM postcode.directory_changes WHERE (postcode, edition, number) <= (changed.postcode, ${edition}, ${number})
    ORDER BY postcode DESC, edition DESC, number DESC LIMIT 1
  ) AS last WHERE postcode = changed.postcode AND edition = ${edition}`

interface UnitRows {
  readonly postcode: Postcode
  readonly number: number
  readonly changed: UnitRow
  readonly before: UnitRow | null
  readonly after: UnitRow | null
}

interface RowsOfBoth {
  readonly postcode: Postcode
  readonly from_base: UnitRow | null
  readonly from: UnitRow | null
  readonly to_base: UnitRow | null
  readonly to: UnitRow | null
}

const stateOrNone = (row: UnitRow | null) => (row === null ? undefined : stateOf(row))
