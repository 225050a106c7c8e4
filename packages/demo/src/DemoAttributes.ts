/**
 * The attributes of a demonstration unit: computed from its postcode and the seed at each call, never stored. Some
 * values are unknown, as in a real directory.
 */
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { areaHash, firstFlat, flatCount, isRetired, lotHash, lotOf, unitHash } from "./AreaLayout.ts"
import { buildingName, isNamed } from "./addresses/BuildingNames.ts"
import { houseNumber } from "./addresses/HouseNumbers.ts"
import { demoSize } from "./DemoPlan.ts"
import { type Building, blockOfFlatsOn, buildingOn } from "./DemoUses.ts"
import { DistrictMap } from "./DistrictMap.ts"
import { child, pick } from "./Hash.ts"

/** Returns the attributes of a unit. Only postcodes of the directory with the same seed are valid. */
export type AttributesOf = (postcode: Postcode) => UnitAttributes

/**
 * The attributes of the units of the demonstration directory of a seed, whatever its size.
 *
 * @example
 * ```ts
 * const attributesOf = demoAttributes(1)
 * const { recent_address } = attributesOf(postcode) // "1 Toyin Street, Ikeja" for LA-11-B03-PD-01
 * ```
 */
export const demoAttributes = (seed?: number): AttributesOf => {
  const checked = demoSize({ seed })
  // Most of the work is for the district, and consecutive calls are mostly for the same one.
  let prefix = ""
  let map: DistrictMap | undefined
  return (postcode) => {
    if (map === undefined || !postcode.startsWith(prefix)) {
      prefix = postcode.slice(0, 9)
      map = new DistrictMap(prefix, checked.seed)
    }
    return attributesIn(map, postcode.charCodeAt(10) - 65, postcode.charCodeAt(11) - 65, Number(postcode.slice(13)))
  }
}

type Writable<A> = { -readonly [K in keyof A]: A[K] }

const attributesIn = (map: DistrictMap, row: number, column: number, unit: number): UnitAttributes => {
  const { layout, urban } = map
  const area = areaHash(map.hash, row, column)
  const flats = flatCount(area)
  const first = firstFlat(area, urban)
  const lot = lotOf(unit, first, flats)
  const flat = first !== 0 && lot === first - 1 ? unit - first + 1 : 0
  const onLot = lotHash(area, lot)
  const hash = unitHash(area, unit)
  const street = Math.floor(lot / (2 * layout.houses_a_side))
  const building = flat > 0 ? blockOfFlatsOn(onLot) : buildingOn(onLot, settingOf(urban, street))
  const known: Writable<UnitAttributes> = {}
  if (isKnown(hash, 1, 98)) known.locality_name = map.localityOf(row, column)
  if (isKnown(hash, 2, urban ? 92 : 74)) {
    known.recent_address = nameOf(map, row, column, building, onLot) ?? addressOf(map, row, column, lot, flat)
  }
  const use = isRetired(hash, unit) ? "vacant" : building.use
  if (isKnown(hash, 3, 95)) known.building_use_status = use
  if (isKnown(hash, 4, 90)) known.building_type = building.type
  if (isKnown(hash, 5, 82)) known.building_owner = building.owner
  if (isKnown(hash, 6, 94)) known.delivery_point = use !== "vacant" && isKnown(hash, 7, 93)
  return known
}

/** Whether one of the attributes of a unit is known, `percent` times in a hundred. */
const isKnown = (unit: number, attribute: number, percent: number): boolean =>
  pick(child(unit, attribute), 100) < percent

const settingOf = (urban: boolean, street: number): "main_street" | "city" | "country" => {
  if (!urban) return "country"
  return street === 0 ? "main_street" : "city"
}

/** `PHC Alausa`, `Main Market, Alausa`: the address of a building that is known by its name. */
const nameOf = (map: DistrictMap, row: number, column: number, { type }: Building, lot: number): string | undefined => {
  if (!isNamed(type, lot)) return undefined
  const locality = map.localityOf(row, column)
  const name = buildingName(type, lot, map.hash, locality)
  return name.includes(locality) ? name : `${name}, ${locality}`
}

/** `12 Allen Avenue, Ikeja`, `Flat 2, 7A Market Road, Wuse`, `Block 4, Flat 2, Unity Close, Gowon Estate`. */
const addressOf = (map: DistrictMap, row: number, column: number, lot: number, flat: number): string => {
  const { houses_a_side } = map.layout
  const onStreet = lot % (2 * houses_a_side)
  const street = map.streetOf(row, column, (lot - onStreet) / (2 * houses_a_side))
  const position = map.columnOn(street, column) * houses_a_side + (onStreet >> 1)
  const number = houseNumber(street.hash, position, onStreet & 1)
  if (flat === 0) return map.hasPlots ? `Plot ${number}, ${street.address}` : `${number} ${street.address}`
  const isEstate = street.address.endsWith("Estate")
  return isEstate ? `Block ${number}, Flat ${flat}, ${street.address}` : `Flat ${flat}, ${number} ${street.address}`
}
