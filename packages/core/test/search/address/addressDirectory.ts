/** Small directories with addresses, for tests of address search. */
import type { Coordinate } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { directoryFrom } from "../../directory/BuiltDirectory.ts"

export type TestPlaces = ReadonlyArray<readonly [code: string, name: string]>
export type TestAddresses = ReadonlyArray<readonly [postcode: string, locality: string, address: string]>

export interface TestAddressOptions {
  /** Units that are not active, and their successor. */
  readonly retired?: ReadonlyArray<string>
  readonly replaced_by?: Postcode | undefined
  /** Where a unit is, by its place in the list. Default: about 100 m from the one before it. */
  readonly pointOf?: (at: number) => Coordinate
}

export const addressDirectory = (
  places: TestPlaces,
  units: TestAddresses,
  { pointOf = (at) => ({ lat: 6 + at / 1000, lon: 7 }), replaced_by, retired = [] }: TestAddressOptions = {}
): Directory => {
  const builder = new DirectoryBuilder({ addresses: true, version: "2026-1", date: "2026-01-31" })
  for (const [code, name] of places) builder.addPlace({ code: code as PartialPostcode, name })
  for (const [at, [postcode, locality_name, recent_address]] of units.entries()) {
    const isActive = !retired.includes(postcode)
    const details = { locality_name, recent_address, replaced_by: isActive ? undefined : replaced_by }
    builder.addUnit(postcode as Postcode, pointOf(at), isActive, details)
  }
  return directoryFrom(builder)
}
