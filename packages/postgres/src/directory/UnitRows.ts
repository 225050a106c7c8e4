/** Rows of units: of an edition, and after changes. */

import type { UnitState } from "@postcode/core/Changes"
import type { UnitPlace } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import { attributeNames, type UnitAttributes } from "@postcode/core/UnitAttributes"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { textArray } from "../connection/SqlArrays.ts"
import { type EditionVersion, unitsTable } from "./Editions.ts"

export type AttributeRow = { readonly [Name in keyof UnitAttributes]-?: UnitAttributes[Name] | null }

export interface PlaceRow {
  readonly postcode: Postcode
  readonly lat: number
  readonly lon: number
  readonly status: "active" | "retired"
  readonly replaced_by: Postcode | null
}

export interface UnitRow extends AttributeRow, PlaceRow {}

export const attributeColumns = attributeNames.join(", ")

/** The columns of `UnitRow`. */
export const stateColumns = `postcode, lat, lon, status, replaced_by, ${attributeColumns}`

/**
 * The rows of the units with these postcodes at a version, without an order.
 *
 * The last change of a unit is the greatest one up to its postcode, edition and number: with an equality instead, the
 * planner may prefer the index of editions and numbers, and read all changes of an edition for each unit.
 */
export const unitRowsAt = (
  sql: SqlClient,
  { changes, edition }: EditionVersion,
  postcodes: ReadonlyArray<Postcode>,
  columns: string
): Fragment => {
  const inEdition = sql`SELECT ${sql.literal(columns)} FROM ${sql.literal(unitsTable(edition))}`
  if (changes === 0) return sql`${inEdition} WHERE postcode = ANY(${textArray(postcodes)})`
  return sql`
    SELECT unit.* FROM unnest(${textArray(postcodes)}) AS named (code)
    CROSS JOIN LATERAL (
      SELECT number, ${sql.literal(columns)} FROM (
        SELECT * FROM postcode.directory_changes
        WHERE (postcode, edition, number) <= (code, ${edition}, ${changes})
        ORDER BY postcode DESC, edition DESC, number DESC LIMIT 1
      ) AS last WHERE postcode = code AND edition = ${edition}
      UNION ALL
      SELECT 0, stored.* FROM (${inEdition} WHERE postcode = code) AS stored
      ORDER BY number DESC LIMIT 1
    ) AS unit`
}

/** Without attributes. */
export const placeOf = ({ lat, lon, postcode, replaced_by, status }: PlaceRow): UnitPlace => ({
  postcode,
  coordinate: { lat, lon },
  active: status === "active",
  replaced_by: replaced_by ?? undefined
})

export const stateOf = (row: UnitRow): UnitState => {
  const { lat, lon, postcode, replaced_by, status } = row
  return {
    postcode,
    coordinate: { lat, lon },
    active: status === "active",
    ...(replaced_by !== null && { replaced_by }),
    attributes: attributesOf(row)
  }
}

/** The columns of a state; unknown attributes are absent. */
export const rowOf = ({ active, attributes, coordinate, postcode, replaced_by }: UnitState) => ({
  postcode,
  ...coordinate,
  status: active ? "active" : "retired",
  replaced_by,
  ...attributes
})

export const attributesOf = (row: AttributeRow): UnitAttributes =>
  Object.fromEntries(attributeNames.flatMap((name) => (row[name] === null ? [] : [[name, row[name]] as const])))
