/**
 * The positions of an area's units along its streets. An area is a block of parallel streets with houses on both sides.
 * Its units are numbered from 01 along one street after another, alternating left and right. A house is one lot; a
 * block of flats is one lot with several consecutive units. The layout depends only on hashes of the district and the
 * area, so the location and the address of a unit can be computed independently.
 */
import { child, fraction, mix, pick } from "./Hash.ts"

/** Unit codes run from 01 to 99. */
export const maxUnitsPerArea = 99

/** Letters of an area code: the first is the row of the area in its district, the second the column. */
export const alphabetLength = 26

/** The street plan that all areas of a district share. Lengths in metres. */
export interface DistrictLayout {
  readonly houses_a_side: number
  readonly streets: number
  /** From one house to the next on the same side. */
  readonly pitch_m: number
  /** From a house to the one across the street. */
  readonly across_m: number
  /** From one street to the next. */
  readonly street_pitch_m: number
  /** From one area to the next in the same row, and from one row of areas to the next. */
  readonly column_pitch_m: number
  readonly row_pitch_m: number
}

const crossStreet_m = 14
const acrossStreet_m = 21
const backToBack_m = 20
/** Each plan has at least 100 houses, so an area always has enough lots. */
const streetPlans = [
  { houses_a_side: 10, streets: 5 },
  { houses_a_side: 13, streets: 4 },
  { houses_a_side: 17, streets: 3 }
] as const

const pitches_m = { urban: { least: 16.2, span: 1.2 }, rural: { least: 16.8, span: 2.4 } } as const

/** The street plan of a district, given its hash. */
export const districtLayout = (district: number, urban: boolean): DistrictLayout => {
  const plan = streetPlans[pick(child(district, 1), streetPlans.length)] ?? streetPlans[0]
  const { least, span } = urban ? pitches_m.urban : pitches_m.rural
  return layoutOf(plan, least + span * fraction(child(district, 2)))
}

/** The number of areas that fit into a square of this side with every street plan. */
export const areasWithin = (side_m: number, urban: boolean): number => {
  const { least, span } = urban ? pitches_m.urban : pitches_m.rural
  const counts = streetPlans.map((plan) => {
    const { columns, rows } = gridWithin(side_m, layoutOf(plan, least + span))
    return columns * rows
  })
  return Math.min(...counts)
}

/** The columns and rows of areas that fit into a square of this side; at most one for each letter. */
export const gridWithin = (
  side_m: number,
  layout: DistrictLayout
): { readonly columns: number; readonly rows: number } => ({
  columns: Math.min(alphabetLength, Math.floor(side_m / layout.column_pitch_m)),
  rows: Math.min(alphabetLength, Math.floor(side_m / layout.row_pitch_m))
})

/**
 * The first row and column of a district with this many rows and columns, as positions in the alphabet. A grid of more
 * rows or columns covers that of fewer.
 */
export const firstLetters = (
  district: number,
  { columns, rows }: { readonly columns: number; readonly rows: number }
): { readonly first_column: number; readonly first_row: number } => ({
  first_row: pick(child(district, 3), alphabetLength + 1 - rows),
  first_column: pick(child(district, 4), alphabetLength + 1 - columns)
})

/** The hash of an area, given that of its district and the positions of its two letters in the alphabet. */
export const areaHash = (district: number, row: number, column: number): number =>
  child(district, 64 + row * alphabetLength + column)

const minFlats = 4
const maxFlats = 12

/** The first unit number of the area's block of flats; 0 if the area has none. */
export const firstFlat = (area: number, urban: boolean): number => {
  const hash = child(area, 1)
  const hasFlats = pick(hash, 100) < (urban ? 45 : 4)
  return hasFlats ? 1 + pick(mix(hash), maxUnitsPerArea + 1 - maxFlats) : 0
}

/** The number of units in the area's block of flats. */
export const flatCount = (area: number): number => minFlats + pick(child(area, 2), maxFlats - minFlats + 1)

/** The lot of a unit, counted from 0: its number less one, less the flats that share a lot before it. */
export const lotOf = (unit: number, first: number, flats: number): number => {
  if (first === 0 || unit < first) return unit - 1
  return unit < first + flats ? first - 1 : unit - flats
}

/** The hash of a lot, shared by all units on it. */
export const lotHash = (area: number, lot: number): number => child(area, 128 + lot)

/** The hash of a unit. */
export const unitHash = (area: number, unit: number): number => child(area, 256 + unit)

const retiredOf65536 = Math.round(0.0204 * 65_536)

/** About one unit in 50 is retired. The first of an area never is, so that each area has an active unit. */
export const isRetired = (hash: number, unit: number): boolean => unit !== 1 && hash >>> 16 < retiredOf65536

/** The successor of one retired unit in four: the nearest active unit before it in the area. 0 of the others. */
export const successorOf = (area: number, unit: number): number => {
  if ((unitHash(area, unit) & 3) !== 0) return 0
  let successor = unit - 1
  while (isRetired(unitHash(area, successor), successor)) successor--
  return successor
}

const layoutOf = (plan: (typeof streetPlans)[number], pitch_m: number): DistrictLayout => ({
  ...plan,
  pitch_m,
  across_m: acrossStreet_m,
  street_pitch_m: acrossStreet_m + backToBack_m,
  column_pitch_m: plan.houses_a_side * pitch_m + crossStreet_m,
  row_pitch_m: plan.streets * (acrossStreet_m + backToBack_m)
})
