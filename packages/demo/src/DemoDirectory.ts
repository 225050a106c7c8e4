/**
 * The demonstration directory in memory: the real states and local government areas of Nigeria, with invented
 * districts, areas and units. For trying out the service, and for measuring it at any size.
 */
import { type Directory, unpack } from "@postcode/core/Directory"
import { DirectoryBuilder, type UnitDetails } from "@postcode/core/DirectoryBuilder"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { demoAttributes } from "./DemoAttributes.ts"
import type { DemoSize } from "./DemoPlan.ts"
import { demoSize } from "./DemoPlan.ts"
import { demoUnits } from "./DemoUnits.ts"
import { nigeriaPlaces } from "./NigeriaPlaces.ts"

/** The size and the seed, and what the directory is searched by. */
export interface DemoDirectoryOptions extends DemoSize {
  /** Whether to index the addresses for `searchAddress`. Default: no. */
  readonly addresses?: boolean | undefined
}

export interface DemoDirectory {
  readonly directory: Directory
  /** The attributes of a unit, by its id or its postcode; an empty record for an unknown postcode. */
  readonly attributes: (unit: number | Postcode) => UnitAttributes
}

/**
 * Generates a demonstration directory: the same one for the same size and seed.
 *
 * @throws RangeError if `units` is not a whole number from 1 to 40,000,000, or `seed` not a safe integer
 * @example
 * ```ts
 * const { attributes, directory } = demoDirectory({ units: 10_000 })
 * directory.postcodeAt(0) // "AB-01-C04-RF-01"
 * attributes(0) // { locality_name: "Eziama", recent_address: "43 Barracks Road, Eziama", … }
 * ```
 */
export const demoDirectory = ({ addresses = false, ...size }: DemoDirectoryOptions = {}): DemoDirectory => {
  const { seed, units } = demoSize(size)
  const attributesOf = demoAttributes(seed)
  const detailsOf = (code: number, successor: number): UnitDetails | undefined => {
    const replaced_by = successor === 0 ? undefined : unpack(successor)
    if (addresses) return { ...attributesOf(unpack(code)), replaced_by }
    return replaced_by && { replaced_by }
  }
  const builder = new DirectoryBuilder({ capacity: units, version: `demo-${units}-${seed}`, addresses })
  for (const place of nigeriaPlaces()) builder.addPlace(place)
  for (const { active, codes, count, lat_e7, lon_e7, successors } of demoUnits({ units, seed })) {
    for (let i = 0; i < count; i++) {
      const code = codes[i] as number
      const details = detailsOf(code, successors[i] as number)
      builder.addPackedUnit(code, lat_e7[i] as number, lon_e7[i] as number, active[i] === 1, details)
    }
  }
  const built = builder.build()
  if (!built.ok) throw new Error("the demonstration made the same postcode twice: a fault of its plan")
  const { directory } = built
  const attributes = (unit: number | Postcode): UnitAttributes => {
    if (typeof unit === "number") return attributesOf(directory.postcodeAt(unit))
    return directory.find(unit) < 0 ? {} : attributesOf(unit)
  }
  return { directory, attributes }
}
