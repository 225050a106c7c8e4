/** Attributes of units. They are only in the database, not in the index, because only paid responses contain them. */

import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { Units } from "@postcode/gateway/directory/Units"
import type { Unavailable } from "@postcode/gateway/Errors"
import { Effect, Exit, Layer, Request, RequestResolver } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { asking, sqlState } from "../connection/Database.ts"
import { CurrentEdition } from "./CurrentDirectory.ts"
import { currentVersion, type EditionVersion } from "./Editions.ts"
import { type AttributeRow, attributeColumns, attributesOf, unitRowsAt } from "./UnitRows.ts"

/** Concurrent requests share one statement per version. */
export const layerUnits: Layer.Layer<Units, never, SqlClient | CurrentEdition> = Layer.effect(
  Units,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const versionOf = storedVersions(yield* CurrentEdition)

    const answer = (version: EditionVersion, postcodes: ReadonlyArray<Postcode>) =>
      Effect.catch(readRows(sql, version, postcodes), (error): Effect.Effect<ReadonlyArray<UnitRow>, SqlError> => {
        if (sqlState(error.reason.cause) !== undefinedTable) return Effect.fail(error)
        // This replica is two editions behind: its edition was dropped while it still loads a newer one.
        return Effect.flatMap(currentVersion(sql), (current) =>
          current === undefined ? Effect.succeed([]) : readRows(sql, current, postcodes)
        )
      })

    const ofOneVersion = RequestResolver.make<UnitsRequest>((entries) => {
      const postcodes = [...new Set(entries.flatMap(({ request }) => request.postcodes))]
      return Effect.map(Effect.exit(asking(answer(entries[0].request.version, postcodes))), (answered) => {
        const known = Exit.map(answered, (rows) => new Map(rows.map((row) => [row.postcode, attributesOf(row)])))
        for (const entry of entries) {
          const { postcodes } = entry.request
          entry.completeUnsafe(Exit.map(known, (all) => postcodes.map((postcode) => all.get(postcode) ?? noAttributes)))
        }
      })
    })
    const resolver = RequestResolver.grouped(
      ofOneVersion,
      ({ request: { version } }) => `${version.edition}+${version.changes}`
    )

    return Units.of({
      attributes: (postcodes, directory) =>
        postcodes.length === 0
          ? Effect.succeed([])
          : Effect.request(new UnitsRequest({ version: versionOf(directory), postcodes }), resolver)
    })
  })
)

type VersionOfDirectory = Pick<Directory, "changes" | "version">

/**
 * Returns the stored version of a directory. Requests that began before a switch may still use the previous edition.
 */
const storedVersions = ({ get }: CurrentEdition["Service"]) => {
  // Only these, because a directory keeps its whole edition in memory.
  let {
    edition,
    directory: { version }
  } = get()
  let previous = { edition, version }
  return (directory: VersionOfDirectory | undefined): EditionVersion => {
    const latest = get()
    if (latest.edition !== edition) {
      previous = { edition, version }
      edition = latest.edition
      version = latest.directory.version
    }
    const asked = directory ?? latest.directory
    const isPrevious = asked.version === previous.version && asked.version !== version
    return { edition: isPrevious ? previous.edition : edition, changes: asked.changes }
  }
}

class UnitsRequest extends Request.Class<
  { readonly version: EditionVersion; readonly postcodes: ReadonlyArray<Postcode> },
  ReadonlyArray<UnitAttributes>,
  Unavailable
> {}

const undefinedTable = "42P01"

type UnitRow = AttributeRow & { readonly postcode: Postcode }

const readRows = (sql: SqlClient, version: EditionVersion, postcodes: ReadonlyArray<Postcode>) =>
  sql<UnitRow>`${unitRowsAt(sql, version, postcodes, `postcode, ${attributeColumns}`)}`

const noAttributes: UnitAttributes = {}
