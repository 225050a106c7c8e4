/** Imports directories of tests, as `postcode import` does. */
import { toE7 } from "@postcode/core/Coordinate"
import { placeLine, placesHeader, unitLine, unitsHeader } from "@postcode/core/Csv"
import type { Place } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { type DirectoryInput, type ImportResult, importDirectory } from "@postcode/postgres"

/** A unit of a test's directory. */
export interface TestUnit {
  readonly postcode: Postcode
  readonly lat: number
  readonly lon: number
  readonly active: boolean
  readonly attributes: UnitAttributes
  readonly replaced_by?: Postcode
}

/** The places and units that a test imports. */
export interface TestDirectory {
  readonly places: ReadonlyArray<Place>
  readonly units: ReadonlyArray<TestUnit>
  readonly version?: string
  readonly date?: string
}

/** Imports a directory and migrates the schema if necessary. */
export const importForTests = async (url: string, directory: TestDirectory): Promise<void> => {
  const { date, places, units, version } = directory
  const rows = units.map(({ active, attributes, lat, lon, postcode, replaced_by }) =>
    unitLine(postcode, toE7(lat), toE7(lon), active, attributes, replaced_by)
  )
  const input = textInput(placesHeader + places.map(placeLine).join(""), unitsHeader + rows.join(""))
  const reasons: Array<string> = []
  const result: ImportResult = await importDirectory(input, {
    url,
    version,
    date,
    dayOfFiles: "2026-01-31",
    force: true,
    changes: "drop",
    removals: "all",
    onBadRow: ({ file, line, reason }) => reasons.push(`${file}.csv:${line}: ${reason}`)
  })
  if (result.outcome !== "imported") throw new Error(`the directory was not imported: ${reasons.join("\n")}`)
}

/** Input from texts instead of files. */
export const textInput = (places: string, units: string): DirectoryInput => {
  const chunksOf = (text: string) =>
    async function* () {
      yield Buffer.from(text)
    }
  return { places: chunksOf(places), units: chunksOf(units) }
}
