/** The reserved postcodes: a state `ZZ`, which the country does not have, north of 0° N 0° E, where no land is. Not at that point: searches never find a unit there. */

import type { Place } from "@postcode/core/Directory"
import type { UnitChange } from "@postcode/core/LiveDirectory"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"

/** A reserved postcode. */
export interface SandboxUnit {
  readonly postcode: Postcode
  /** What it is for, as a sentence. */
  readonly forces: string
  /** Undefined for the postcode that does not exist. */
  readonly unit: Extract<UnitChange, { readonly change: "add" }> | undefined
}

/** The state and the local government area of the reserved postcodes. */
export const sandboxPlaces: ReadonlyArray<Place> = [
  { code: "ZZ" as PartialPostcode, name: "Sandbox" },
  { code: "ZZ-01" as PartialPostcode, name: "Sandbox Island" }
]

const complete: UnitAttributes = {
  locality_name: "Sandbox Harbour",
  recent_address: "1 Example Street, Sandbox Harbour",
  building_use_status: "residential",
  building_type: "bungalow",
  building_owner: "private",
  delivery_point: true
}

const code = (unit: string) => `ZZ-01-AAA-AA-${unit}` as Postcode

/** @param north units of 0.001° to the north of 0.01° N, about 111 m */
const make = (
  unit: string,
  forces: string,
  north: number,
  fields: Partial<NonNullable<SandboxUnit["unit"]>> = {}
): SandboxUnit => {
  const postcode = code(unit)
  return {
    postcode,
    forces,
    unit: { change: "add", postcode, coordinate: { lat: (10 + north) / 1_000, lon: 0 }, attributes: {}, ...fields }
  }
}

/** The reserved postcodes by name. */
export const sandboxUnits = {
  complete: make("01", "A valid unit with every attribute at every level.", 0, { attributes: complete }),
  bare: make("02", "A valid unit with nothing known except its state, LGA and location.", 1),
  retired: make("03", "A retired unit.", 2, { active: false }),
  replaced: make("04", "A retired unit with the successor `ZZ-01-AAA-AA-01`.", 3, {
    active: false,
    replaced_by: code("01")
  }),
  unknown: { postcode: code("99"), forces: "A postcode that does not exist.", unit: undefined }
} as const satisfies Record<string, SandboxUnit>

const all: ReadonlyArray<SandboxUnit> = Object.values(sandboxUnits)

/** The existing reserved units. */
export const existingUnits = all.flatMap(({ unit }) => (unit === undefined ? [] : [unit]))

/** The attributes of a reserved postcode. */
export const attributesOf = (postcode: Postcode): UnitAttributes =>
  existingUnits.find((unit) => unit.postcode === postcode)?.attributes ?? {}
