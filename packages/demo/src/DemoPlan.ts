/**
 * The distribution of units: over local government areas (LGAs) by their population density, over the districts of an
 * LGA, and over the areas of a district. It covers a few thousand districts and no single units.
 */
import { apportion } from "./Apportionment.ts"
import type { DistrictLayout } from "./AreaLayout.ts"
import { alphabetLength, areasWithin, districtLayout, firstLetters, gridWithin, maxUnitsPerArea } from "./AreaLayout.ts"
import { child, fraction, pick, root } from "./Hash.ts"
import { direction, localPlane, type Vector } from "./LocalPlane.ts"
import type { Settlement } from "./Settlements.ts"
import { settlements, siteAxis, sitesOf, widestSite_m } from "./Settlements.ts"

/** The size and the seed of a demonstration directory. */
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
  /** Their centres, as offsets from the LGA's point. */
  readonly sites: ReadonlyArray<Vector>
}

/** A district with its number of units, and the layout of its areas. */
export interface DistrictPlan {
  readonly state: string
  readonly lga: string
  /** `A03` */
  readonly code: string
  readonly hash: number
  readonly urban: boolean
  readonly units: number
  readonly layout: DistrictLayout
  /** Areas are arranged in rows of `columns`; the last row may be shorter. */
  readonly areas: number
  readonly columns: number
  /** Positions in the alphabet of the letters of the first row and the first column. */
  readonly first_row: number
  readonly first_column: number
  /** The centre, in degrees × 1e7, and the direction of the rows of areas. */
  readonly lat_e7: number
  readonly lon_e7: number
  readonly axis: Vector
}

/** The default size. */
export const defaultUnits = 250_000

/** The default seed. */
export const defaultSeed = 1

/** The capacity of the LGAs. */
export const maxUnits = 40_000_000

/** The planned and the maximum mean number of units in an area. */
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

/** The index of an area's first unit in its district. Each bound of an area shifts by up to 20 % of the mean size. */
export const areaStart = (district: DistrictPlan, area: number): number => {
  if (area === 0) return 0
  if (area === district.areas) return district.units
  const mean = district.units / district.areas
  // Both bounds of an area may shift by this fraction; the area must not exceed its unit codes.
  const maxShift = Math.min(0.2, ((maxUnitsPerArea - 1) / mean - 1) / 2)
  const shift = (2 * fraction(child(district.hash, 4096 + area)) - 1) * maxShift
  return Math.floor(mean * (area + shift))
}

/** Sides of sites: the smallest one, which fits the first areas of any district, and the step. */
const minSite_m = 450
const siteStep_m = 50

/**
 * A city that does not fill its ground is concentrated around its centre, on the smallest sites with enough capacity.
 */
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

/**
 * The number and the size of districts grow with the units. At least a fifth of each site stays free, if sites allow.
 */
const districtCount = (plan: LgaPlan): number => {
  const least = Math.ceil(plan.units / (0.8 * mostUnitsASite(plan)))
  return Math.min(plan.sites.length, Math.max(1, Math.round(Math.sqrt(plan.units) / 5), least))
}

/** The first district, in the centre, is the largest, above all in the countryside. */
const centreWeight = { city: 2, country: 4 } as const

const districtWeight = (index: number, urban: boolean, hash: number): number => {
  if (index === 0) return urban ? centreWeight.city : centreWeight.country
  return 0.7 + 0.6 * fraction(child(hash, 16_384 + index))
}

const districtsPerLetter = 6

/** Each district of a letter takes one of the next four numbers, so that its index follows from its code. */
const numbersPerDistrict = 4

/** Letter and two digits, in order, with gaps: A02, A05, A11 …, then B01 … */
const districtCodes = (hash: number, count: number): ReadonlyArray<string> => {
  const letter0 = firstLetter(hash)
  const letters = Math.min(alphabetLength - letter0, Math.ceil(count / districtsPerLetter))
  const codes: Array<string> = []
  for (let letter = 0; letter < letters; letter++) {
    const here = Math.floor(((letter + 1) * count) / letters) - Math.floor((letter * count) / letters)
    for (let index = 0; index < here; index++) {
      const number = 1 + index * numbersPerDistrict + pick(child(hash, 32_768 + codes.length), numbersPerDistrict)
      codes.push(String.fromCharCode(65 + letter0 + letter) + String(number).padStart(2, "0"))
    }
  }
  return codes
}

const firstLetter = (hash: number): number => pick(child(hash, 3), 4)

/** The position of a district, the same at every size: which letter of its LGA, and which district of that letter. */
export const districtPosition = (lga: number, code: string): { readonly letter: number; readonly index: number } => ({
  letter: code.charCodeAt(0) - 65 - firstLetter(lga),
  index: Math.floor((Number(code.slice(1)) - 1) / numbersPerDistrict)
})

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
    ...firstLetters(hash, { columns, rows }),
    lat_e7: Math.round(lat * 1e7),
    lon_e7: Math.round(lon * 1e7),
    axis: place.axis
  }
}

/** The number of columns for an approximately square district within its site. */
const columnsFor = (areas: number, layout: DistrictLayout, most: { columns: number; rows: number }): number => {
  const square = Math.round(Math.sqrt((areas * layout.row_pitch_m) / layout.column_pitch_m))
  return Math.min(most.columns, Math.max(1, square, Math.ceil(areas / most.rows)))
}

/** A district smaller than its site is rotated and moved within it. Others are aligned with the rows of sites. */
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
