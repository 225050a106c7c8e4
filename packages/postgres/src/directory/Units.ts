/** Attributes of units. They are only in the database, not in the index, because only paid responses contain them. */

import { Units } from "@postcode/core/directory/Units"
import type { Unavailable } from "@postcode/core/Errors"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Effect, Exit, Layer, Request, RequestResolver } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { asking, sqlState } from "../connection/Database.ts"
import { textArray } from "../connection/SqlArrays.ts"
import { CurrentEdition } from "./CurrentDirectory.ts"
import { currentEdition, unitsTable } from "./Editions.ts"

/** Concurrent requests share one statement per edition. */
export const layerUnits: Layer.Layer<Units, never, SqlClient | CurrentEdition> = Layer.effect(
  Units,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const editionOf = editionNumbers(yield* CurrentEdition)

    const answer = (edition: number, postcodes: ReadonlyArray<Postcode>) =>
      Effect.catch(readRows(sql, edition, postcodes), (error): Effect.Effect<ReadonlyArray<UnitRow>, SqlError> => {
        if (sqlState(error.reason.cause) !== undefinedTable) return Effect.fail(error)
        // This replica is two editions behind: its edition was dropped while it still loads a newer one.
        return Effect.flatMap(Effect.provideService(currentEdition, SqlClient, sql), (current) =>
          current === undefined ? Effect.succeed([]) : readRows(sql, current.edition, postcodes)
        )
      })

    const ofOneEdition = RequestResolver.make<UnitsRequest>((entries) => {
      const postcodes = [...new Set(entries.flatMap(({ request }) => request.postcodes))]
      return Effect.map(Effect.exit(asking(answer(entries[0].request.edition, postcodes))), (answered) => {
        const known = Exit.map(answered, (rows) => new Map(rows.map((row) => [row.postcode, attributesOf(row)])))
        for (const entry of entries) {
          const { postcodes } = entry.request
          entry.completeUnsafe(Exit.map(known, (all) => postcodes.map((postcode) => all.get(postcode) ?? noAttributes)))
        }
      })
    })
    const resolver = RequestResolver.grouped(ofOneEdition, ({ request }) => request.edition)

    return Units.of({
      attributes: (postcodes, version) =>
        postcodes.length === 0
          ? Effect.succeed([])
          : Effect.request(new UnitsRequest({ edition: editionOf(version), postcodes }), resolver)
    })
  })
)

/**
 * Returns the edition of a directory version. Requests that began before a switch may still use the previous edition.
 */
const editionNumbers = ({ get }: CurrentEdition["Service"]) => {
  const read = () => {
    const { directory, edition } = get()
    return { edition, version: directory.version }
  }
  let latest = read()
  let previous = latest
  return (version: string | undefined): number => {
    const found = read()
    if (found.edition !== latest.edition) [previous, latest] = [latest, found]
    return version === previous.version && version !== latest.version ? previous.edition : latest.edition
  }
}

class UnitsRequest extends Request.Class<
  { readonly edition: number; readonly postcodes: ReadonlyArray<Postcode> },
  ReadonlyArray<UnitAttributes>,
  Unavailable
> {}

const undefinedTable = "42P01"

type UnitRow = { readonly postcode: Postcode } & {
  readonly [Name in keyof UnitAttributes]-?: UnitAttributes[Name] | null
}

const readRows = (
  sql: SqlClient,
  edition: number,
  postcodes: ReadonlyArray<Postcode>
): Effect.Effect<ReadonlyArray<UnitRow>, SqlError> => sql<UnitRow>`
  SELECT postcode, locality_name, recent_address, building_use_status, building_type, building_owner, delivery_point
  FROM ${sql.literal(unitsTable(edition))} WHERE postcode = ANY(${textArray(postcodes)})`

const attributesOf = ({ postcode: _, ...row }: UnitRow): UnitAttributes =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

const noAttributes: UnitAttributes = {}
