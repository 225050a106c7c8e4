/**
 * A directory of about a dozen units with every case: close neighbours, several units at one point, a retired unit, a
 * unit without attributes, names without units and units without names.
 */
import type { Coordinate } from "@postcode/core/Coordinate"
import { checkDirectory, type DirectoryWarning, warningsOf } from "@postcode/core/Csv"
import type { Directory, Place } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"

/** The data of a store before a suite runs on it. */
export interface Fixture {
  readonly directory: Directory
  /** The attributes of a unit; an empty record without any. */
  readonly attributesOf: (postcode: Postcode) => UnitAttributes
  /** What a look at the directory finds, with the lines of a file that has the units in the order of `fixtureUnits`. */
  readonly warnings: ReadonlyArray<DirectoryWarning>
}

/** A unit of the directory: its location, whether it is active, and its attributes. */
export interface FixtureUnit extends Coordinate {
  readonly postcode: Postcode
  readonly active: boolean
  readonly attributes: UnitAttributes
  readonly replaced_by?: Postcode
}

/** The units by their purpose. */
export const postcodes = {
  /** Has all attributes. */
  full: "LA-12-A03-BG-07" as Postcode,
  /** Has a location and no attributes. */
  bare: "LA-12-A03-BG-08" as Postcode,
  /** Has some attributes; it is not a delivery point. */
  partly: "LA-12-A03-BH-01" as Postcode,
  /** At the same point, in code order. */
  stacked: ["LA-12-B01-AA-01", "LA-12-B01-AA-02", "LA-12-B01-AA-03"] as ReadonlyArray<string> as readonly [
    Postcode,
    Postcode,
    Postcode
  ],
  /** Retired, without a successor. No other unit is within 2 km. */
  retired: "LA-14-C10-AA-01" as Postcode,
  /** The only unit of its state, and retired. */
  lastOfItsState: "BO-05-A01-AA-01" as Postcode,
  /** Retired and replaced by `full`. */
  replaced: "FC-01-R00-RR-50" as Postcode,
  /** Retired and replaced by `replaced`. */
  replacedTwice: "FC-01-S00-TT-61" as Postcode,
  /** Neither its state nor its LGA has a name. */
  nameless: "ZZ-99-ZZZ-ZZ-99" as Postcode,
  /** Well formed, but not in the directory. */
  unknown: "LA-12-A03-BG-99" as Postcode
}

/** The states and LGAs that have a name. */
export const fixturePlaces: ReadonlyArray<Place> = [
  place("LA", "Lagos", "South West"),
  place("LA-12", "Ikeja"),
  place("LA-14", "Kosofe"),
  place("FC", "Federal Capital Territory", "North Central"),
  place("FC-01", "Abuja Municipal"),
  place("BO", "Borno", "North East"),
  place("BO-05", "Chibok"),
  place("KN", "Kano", "North West"),
  place("KN-03", "Albasu")
]

const everything: UnitAttributes = {
  locality_name: "Ọ̀págbé",
  recent_address: "7 Allen Avenue",
  building_use_status: "mixed",
  building_type: "duplex",
  building_owner: "private",
  delivery_point: true
}

/** All units, including retired ones, unordered. */
export const fixtureUnits: ReadonlyArray<FixtureUnit> = [
  unit(postcodes.full, 6.6018, 3.3515, everything),
  unit(postcodes.bare, 6.602, 3.3515, {}),
  unit(postcodes.partly, 6.6018, 3.3525, { recent_address: "9 Awolowo Way", delivery_point: false }),
  unit(postcodes.stacked[2], 6.6118, 3.3615, { locality_name: "Oregun" }),
  unit(postcodes.stacked[0], 6.6118, 3.3615, { locality_name: "Oregun" }),
  unit(postcodes.stacked[1], 6.6118, 3.3615, { locality_name: "Oregun" }),
  unit("LA-12-B01-AC-01" as Postcode, 6.6138, 3.3615, {}),
  unit("LA-14-C10-AB-01" as Postcode, 6.65, 3.4, {}),
  { ...unit(postcodes.retired, 6.7, 3.45, everything), active: false },
  { ...unit(postcodes.replaced, 8.5, 7, everything), active: false, replaced_by: postcodes.full },
  { ...unit(postcodes.replacedTwice, 8.5, 7, everything), active: false, replaced_by: postcodes.replaced },
  unit("FC-01-A00-AA-01" as Postcode, 9.0579, 7.4951, { locality_name: "Garki" }),
  unit("FC-01-0A0-AA-01" as Postcode, 9.0679, 7.4951, {}),
  { ...unit(postcodes.lastOfItsState, 10.8655, 12.8465, everything), active: false },
  unit(postcodes.nameless, -33.5, -70.6, {})
]

/** The edition of the fixture. */
export const fixtureEdition = { version: "fixture-1", date: "2026-01-31" }

/** The fixture, built. */
export const makeFixture = (): Fixture => {
  const builder = new DirectoryBuilder({ ...fixtureEdition, addresses: true })
  for (const place of fixturePlaces) {
    const added = builder.addPlace(place)
    if (!added.ok) throw new Error(added.reason)
  }
  for (const { active, attributes, lat, lon, postcode, replaced_by } of fixtureUnits) {
    builder.addUnit(postcode, { lat, lon }, active, { ...attributes, replaced_by })
  }
  const built = builder.build()
  if (!built.ok) throw new Error("the fixture holds a postcode twice")
  const attributes = new Map(fixtureUnits.map((unit) => [unit.postcode, unit.attributes]))
  const { directory, rowOfUnit } = built
  return {
    directory,
    attributesOf: (postcode) => attributes.get(postcode) ?? {},
    warnings: warningsOf(checkDirectory(directory), directory, (id) => 2 + (rowOfUnit[id] as number))
  }
}

function place(code: string, name: string, zone?: string): Place {
  return { code: code as PartialPostcode, name, ...(zone !== undefined && { zone }) }
}

function unit(postcode: Postcode, lat: number, lon: number, attributes: UnitAttributes): FixtureUnit {
  return { postcode, lat, lon, active: true, attributes }
}
