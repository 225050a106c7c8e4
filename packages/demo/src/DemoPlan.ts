/**
 * How many units go where: over the local government areas (LGAs) by how settled they are, over the districts of an
 * LGA, and over the areas of a district. Everything here is about a few thousand districts, nothing about single units.
 */
import { apportion } from "./Apportionment.ts"
import type { DistrictLayout } from "./AreaLayout.ts"
import { alphabetLength, areasWithin, districtLayout, gridWithin, maxUnitsPerArea } from "./AreaLayout.ts"
import { child, fraction, pick, root } from "./Hash.ts"
import { direction, localPlane, type Vector } from "./LocalPlane.ts"
import type { Settlement } from "./Settlements.ts"
import { settlements, siteAxis, sitesOf, widestSite_m } from "./Settlements.ts"

/** Which demonstration directory: how many units, and which of the many possible ones of that size. */
export interface DemoSize {
  /** 1 to 40,000,000; 250,000 by default. */
  readonly units?: number | undefined
  /** Any whole number; 1 by default. */
  readonly seed?: number | undefined
}

/** An LGA with its number of units, and the sites of its districts. */
export interface LgaPlan {
  readonly settlement: Settlement
  readonly units: number
  readonly hash: number
  readonly site_side_m: number
  /** Their middles, from the LGA's point. */
  readonly sites: ReadonlyArray<Vector>
}

/** A district with its number of units, and where and how its areas lie. */
export interface DistrictPlan {
  readonly state: string
  readonly lga: string
  /** `A03` */
  readonly code: string
  readonly hash: number
  readonly urban: boolean
  readonly units: number
  readonly layout: DistrictLayout
  /** Number of areas, and how they are arranged: rows of so many columns, the last row maybe shorter. */
  readonly areas: number
  readonly columns: number
  /** Positions in the alphabet of the letters of the first row and the first column. */
  readonly first_row: number
  readonly first_column: number
  /** The middle, in degrees × 1e7, and the direction of the rows of areas. */
  readonly lat_e7: number
  readonly lon_e7: number
  readonly axis: Vector
}

/** The size that is meant where none is given, and the most units that there can be. */
export const defaultUnits = 250_000

/** The seed unless told. */
export const defaultSeed = 1

/** The most units that there is room for. */
export const maxUnits = 40_000_000

/** Areas are planned for so many units, and never hold more on average than the second figure. */
const unitsPerArea = 62
const mostUnitsPerArea = 95

/**
 * The size, checked and completed.
 *
 * @throws RangeError if the number of units is not a whole number from 1 to 40,000,000, or the seed not a safe integer
 */
export const demoSize = ({ units = defaultUnits, seed = defaultSeed }: DemoSize): { units: number; seed: number } => {
  if (!Number.isInteger(units) || units < 1 || units > maxUnits) {
    throw new RangeError(`units: expected a whole number from 1 to ${maxUnits}, found ${units}`)
  }
  if (!Number.isSafeInteger(seed)) {
    throw new RangeError(`seed: expected a whole number from -(2^53 - 1) to 2^53 - 1, found ${seed}`)
  }
  return { units, seed }
}

/** The LGAs that get units, in code order. */
export const planLgas = (size: DemoSize): ReadonlyArray<LgaPlan> => {
  const { units, seed } = demoSize(size)
  const grounds = Array.from(settlements().values(), (settlement) => {
    const hash = lgaHash(seed, settlement.state, settlement.lga)
    const site_side_m = widestSite_m(settlement)
    return { settlement, hash, site_side_m, sites: sitesOf(settlement, hash, site_side_m) }
  })
  const weights = grounds.map(({ settlement, hash }) => settlement.weight * (0.6 + 0.8 * fraction(child(hash, 2))))
  const caps = grounds.map((ground) => ground.sites.length * mostUnitsASite(ground))
  const shares = apportion(units, weights, caps)
  return grounds.flatMap((ground, index) => {
    const plan = { ...ground, units: shares[index] ?? 0 }
    return plan.units > 0 ? [compact(plan)] : []
  })
}

/** The districts of an LGA in code order. */
export const planDistricts = (plan: LgaPlan): ReadonlyArray<DistrictPlan> => {
  const { hash, settlement } = plan
  const count = districtCount(plan)
  const weights = Array.from({ length: count }, (_, index) => districtWeight(index, settlement.urban, hash))
  const shares = apportion(plan.units, weights, new Float64Array(count).fill(mostUnitsASite(plan)))
  return districtCodes(hash, count).map((code, index) => planDistrict(plan, code, index, shares[index] ?? 0))
}

/** The hash of an LGA under a seed. */
export const lgaHash = (seed: number, state: string, lga: string): number =>
  child(child(root(seed), letterPair(state)), Number(lga))

/** The hash of a district, given that of its LGA. */
export const districtHash = (lga: number, code: string): number =>
  child(lga, 65_536 + (code.charCodeAt(0) - 65) * 100 + Number(code.slice(1)))

/** Two letters as one number, 0 for AA. */
export const letterPair = (letters: string): number =>
  (letters.charCodeAt(0) - 65) * alphabetLength + letters.charCodeAt(1) - 65

/** The position of the first unit of an area among those of its district. Areas differ in size by a few tenths. */
export const areaStart = (district: DistrictPlan, area: number): number => {
  if (area === 0) return 0
  if (area === district.areas) return district.units
  const mean = district.units / district.areas
  // Both ends of an area may move by this much; together they must not make it larger than its unit codes allow.
  const most = Math.min(0.2, ((maxUnitsPerArea - 1) / mean - 1) / 2)
  const shift = (2 * fraction(child(district.hash, 4096 + area)) - 1) * most
  return Math.floor(mean * (area + shift))
}

/** Sides of sites, from the smallest that hold any district's first areas. */
const minSite_m = 450
const siteStep_m = 50

/** A city that is small for its ground is built closely round its middle, on the smallest sites that are enough. */
const compact = (plan: LgaPlan): LgaPlan => {
  const { hash, settlement, units } = plan
  if (!settlement.urban) return plan
  const largest = (centreWeight.city * units) / (districtCount(plan) + centreWeight.city - 1)
  for (let site_side_m = minSite_m; site_side_m < plan.site_side_m; site_side_m += siteStep_m) {
    if (areasWithin(site_side_m, true) * unitsPerArea < largest) continue
    return { ...plan, site_side_m, sites: sitesOf(settlement, hash, site_side_m) }
  }
  return plan
}

const mostUnitsASite = ({ settlement, site_side_m }: Pick<LgaPlan, "settlement" | "site_side_m">): number =>
  areasWithin(site_side_m, settlement.urban) * mostUnitsPerArea

/** More and larger districts with more units; at least so many that a fifth of the ground of each stays free. */
const districtCount = (plan: LgaPlan): number => {
  const least = Math.ceil(plan.units / (0.8 * mostUnitsASite(plan)))
  return Math.min(plan.sites.length, Math.max(1, Math.round(Math.sqrt(plan.units) / 5), least))
}

/** The first district, in the middle, is the largest: much so in the countryside. */
const centreWeight = { city: 2, country: 4 } as const

const districtWeight = (index: number, urban: boolean, hash: number): number => {
  if (index === 0) return urban ? centreWeight.city : centreWeight.country
  return 0.7 + 0.6 * fraction(child(hash, 16_384 + index))
}

/** Letter and two digits, in order, with gaps: A02, A05, A08 …, then B01 … */
const districtCodes = (hash: number, count: number): ReadonlyArray<string> => {
  const firstLetter = pick(child(hash, 3), 4)
  const letters = Math.min(alphabetLength - firstLetter, Math.ceil(count / 6))
  const codes: Array<string> = []
  for (let letter = 0; letter < letters; letter++) {
    const here = Math.floor(((letter + 1) * count) / letters) - Math.floor((letter * count) / letters)
    const gap = Math.max(1, Math.min(4, Math.floor(99 / here)))
    for (let index = 0; index < here; index++) {
      const number = 1 + index * gap + pick(child(hash, 32_768 + codes.length), gap)
      codes.push(String.fromCharCode(65 + firstLetter + letter) + String(number).padStart(2, "0"))
    }
  }
  return codes
}

const planDistrict = (plan: LgaPlan, code: string, index: number, units: number): DistrictPlan => {
  const { settlement, site_side_m, sites } = plan
  const { lga, state, urban } = settlement
  const hash = districtHash(plan.hash, code)
  const layout = districtLayout(hash, urban)
  const most = gridWithin(site_side_m, layout)
  const areas = Math.min(most.columns * most.rows, Math.ceil(units / unitsPerArea))
  const columns = columnsFor(areas, layout, most)
  const rows = Math.ceil(areas / columns)
  const place = placeInSite(layout, columns, rows, site_side_m, hash, siteAxis(plan.hash))
  const lgaPlane = localPlane(settlement.lat)
  const { east, north } = sites[index] ?? { east: 0, north: 0 }
  const lat = settlement.lat + (north + place.north) / lgaPlane.metres_a_degree_lat
  const lon = settlement.lon + (east + place.east) / lgaPlane.metres_a_degree_lon
  return {
    state,
    lga,
    code,
    hash,
    urban,
    units,
    layout,
    areas,
    columns,
    first_row: pick(child(hash, 3), alphabetLength + 1 - rows),
    first_column: pick(child(hash, 4), alphabetLength + 1 - columns),
    lat_e7: Math.round(lat * 1e7),
    lon_e7: Math.round(lon * 1e7),
    axis: place.axis
  }
}

/** As many columns as make the district about as wide as high, within its site. */
const columnsFor = (areas: number, layout: DistrictLayout, most: { columns: number; rows: number }): number => {
  const square = Math.round(Math.sqrt((areas * layout.row_pitch_m) / layout.column_pitch_m))
  return Math.min(most.columns, Math.max(1, square, Math.ceil(areas / most.rows)))
}

/** A district with room to spare is turned and moved within its site; one that fills it lies along the sites' rows. */
const placeInSite = (
  layout: DistrictLayout,
  columns: number,
  rows: number,
  side_m: number,
  hash: number,
  site_axis: Vector
) => {
  const width_m = columns * layout.column_pitch_m
  const height_m = rows * layout.row_pitch_m
  const room_m = (side_m - Math.sqrt(width_m * width_m + height_m * height_m)) / 2
  if (room_m <= 0) return { axis: site_axis, east: 0, north: 0 }
  const away = direction(2 * fraction(child(hash, 5)) - 1)
  const sign = hash & 1 ? room_m : -room_m
  return {
    axis: direction(2 * fraction(child(hash, 6)) - 1),
    east: away.east * sign * fraction(child(hash, 7)),
    north: away.north * sign * fraction(child(hash, 7))
  }
}
