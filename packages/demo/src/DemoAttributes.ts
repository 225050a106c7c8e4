/**
 * The attributes of a demonstration unit: computed from its postcode and the seed at each call, never stored. Some
 * values are unknown, as in a real directory.
 */
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import type { DistrictLayout } from "./AreaLayout.ts"
import {
  alphabetLength,
  areaHash,
  areasPerStreet,
  districtLayout,
  firstFlat,
  flatCount,
  isRetired,
  lotHash,
  lotOf,
  unitHash
} from "./AreaLayout.ts"
import { localityName, streetName } from "./DemoNames.ts"
import { demoSize, districtHash, lgaHash } from "./DemoPlan.ts"
import { blockOfFlatsOn, buildingOn } from "./DemoUses.ts"
import { child, pick } from "./Hash.ts"
import { settlements } from "./Settlements.ts"

/** Returns the attributes of a unit. Only postcodes of the directory with the same seed are valid. */
export type AttributesOf = (postcode: Postcode) => UnitAttributes

/**
 * The attributes of the units of the demonstration directory of a seed, whatever its size.
 *
 * @example
 * ```ts
 * const attributesOf = demoAttributes(1)
 * attributesOf(postcode) // { locality_name: "Ile-Oja", recent_address: "1 Morenike Street", … } for LA-11-B03-PD-01
 * ```
 */
export const demoAttributes = (seed?: number): AttributesOf => {
  const checked = demoSize({ seed })
  // Computing the district is half of the work, and consecutive calls are mostly for the same one.
  let prefix = ""
  let district: District | undefined
  return (postcode) => {
    if (district === undefined || !postcode.startsWith(prefix)) {
      prefix = postcode.slice(0, 9)
      district = districtOf(prefix, checked.seed)
    }
    const row = postcode.charCodeAt(10) - 65
    const column = postcode.charCodeAt(11) - 65
    return attributesIn(district, row, column, Number(postcode.slice(13)))
  }
}

interface District {
  readonly state: string
  readonly hash: number
  readonly urban: boolean
  readonly layout: DistrictLayout
  readonly locality_name: string
  readonly house: (number: number, street: string) => string
}

const districtOf = (prefix: string, seed: number): District => {
  const state = prefix.slice(0, 2)
  const hash = districtHash(lgaHash(seed, state, prefix.slice(3, 5)), prefix.slice(6, 9))
  const urban = settlements().get(prefix.slice(0, 5))?.urban ?? false
  return {
    state,
    hash,
    urban,
    layout: districtLayout(hash, urban),
    locality_name: localityName(state, hash, urban),
    house:
      pick(child(hash, 10), 8) === 0
        ? (number, street) => `Plot ${number}, ${street}`
        : (number, street) => `${number} ${street}`
  }
}

type Writable<A> = { -readonly [K in keyof A]: A[K] }

const attributesIn = (district: District, row: number, column: number, unit: number): UnitAttributes => {
  const { urban } = district
  const area = areaHash(district.hash, row, column)
  const flats = flatCount(area)
  const first = firstFlat(area, urban)
  const lot = lotOf(unit, first, flats)
  const isFlat = first !== 0 && lot === first - 1
  const onLot = lotHash(area, lot)
  const hash = unitHash(area, unit)
  const known: Writable<UnitAttributes> = {}
  if (isKnown(hash, 1, 98)) known.locality_name = district.locality_name
  if (isKnown(hash, 2, urban ? 92 : 74)) {
    const house = addressOf(district, row, column, lot)
    known.recent_address = isFlat ? `Flat ${unit - first + 1}, ${house}` : house
  }
  const street = Math.floor(lot / (2 * district.layout.houses_a_side))
  const building = isFlat ? blockOfFlatsOn(onLot) : buildingOn(onLot, settingOf(urban, street))
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

/** House numbers are odd on one side of the street and even on the other, and continue from area to area. */
const addressOf = (district: District, row: number, column: number, lot: number): string => {
  const { houses_a_side } = district.layout
  const street = Math.floor(lot / (2 * houses_a_side))
  const onStreet = lot - street * 2 * houses_a_side
  const run = Math.floor(column / areasPerStreet)
  const number = 2 * houses_a_side * (column - run * areasPerStreet) + onStreet + 1
  return district.house(
    number,
    streetName(district.state, child(district.hash, 8192 + row * alphabetLength + run), street)
  )
}
