/** The columns that `postcode enrich` adds for a postcode. */
import type { DataOf } from "@postcode/client"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { CsvValue } from "@postcode/core/Csv"
import { type AttributeName, attributeEntry, attributeNames, shownValue } from "@postcode/core/UnitAttributes"

type BatchItem = DataOf<"POST /v1/lookup/batch">["results"][number]
/** A unit as a level shows it. */
export type LookupResult = Extract<BatchItem, { readonly result: unknown }>["result"]

/** A column, and the lowest level that shows it. */
interface ShownColumn {
  readonly name: string
  readonly level: AccessLevel
  readonly read: (result: LookupResult) => CsvValue
}

const attributeColumn = (name: AttributeName): ShownColumn => ({
  name,
  level: attributeEntry(name).level,
  read: (result) => shownValue(result, name)
})

const isInAddress = (name: AttributeName) => attributeEntry(name).path[0] === "administrative_address"

/** What a lookup shows, in the order of the output. */
export const shownColumns: ReadonlyArray<ShownColumn> = [
  { name: "state_name", level: 2, read: (result) => result.administrative_address?.state_name },
  { name: "lga_name", level: 2, read: (result) => result.administrative_address?.lga_name },
  ...attributeNames.filter(isInAddress).map(attributeColumn),
  { name: "zone", level: 2, read: (result) => result.administrative_address?.zone },
  ...attributeNames.filter((name) => !isInAddress(name)).map(attributeColumn),
  { name: "lat", level: 5, read: (result) => result.point_geometry?.coordinates[1] },
  { name: "lon", level: 5, read: (result) => result.point_geometry?.coordinates[0] }
]
