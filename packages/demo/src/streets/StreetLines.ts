/**
 * What is on the map of a local government area: its streets with their names, the roads between its districts, their
 * ground, and the names of localities. All of it follows from the plan, so each unit lies at the side of its street.
 */
import { e7PerDegree } from "@postcode/core/Coordinate"
import type { DistrictPlan, LgaPlan } from "../DemoPlan.ts"
import { planDistricts } from "../DemoPlan.ts"
import { type Frame, frameOf } from "../DemoUnits.ts"
import { DistrictMap, type Street } from "../DistrictMap.ts"

/** WGS 84 degrees. */
export type Position = readonly [lon: number, lat: number]

/** Something on the map. */
export interface MapFeature {
  readonly layer: "ground" | "roads" | "streets" | "localities" | "places"
  readonly kind: "Polygon" | "LineString" | "Point"
  readonly positions: ReadonlyArray<Position>
  readonly name: string
}

/** All that is on the map of an LGA. */
export const featuresOf = (lga: LgaPlan, name: string, seed: number): ReadonlyArray<MapFeature> => {
  const districts = planDistricts(lga)
  const { lat, lon } = lga.settlement
  return [
    { layer: "places", kind: "Point", positions: [[lon, lat]], name: name },
    ...roadsBetween(districts),
    ...districts.flatMap((district) => featuresOfDistrict(district, seed))
  ]
}

/** A road from each district to the nearest one that was settled before it. */
const roadsBetween = (districts: ReadonlyArray<DistrictPlan>): ReadonlyArray<MapFeature> =>
  districts.flatMap((district, index) => {
    const before = districts.slice(0, index).map((other) => ({ other, away: squareBetween(district, other) }))
    const nearest = before.toSorted((one, another) => one.away - another.away)[0]
    if (nearest === undefined) return []
    const positions = [district, nearest.other].map(centreOf)
    return [{ layer: "roads", kind: "LineString", positions, name: "" }]
  })

const squareBetween = (one: DistrictPlan, other: DistrictPlan): number =>
  (one.lat_e7 - other.lat_e7) ** 2 + (one.lon_e7 - other.lon_e7) ** 2

const centreOf = ({ lat_e7, lon_e7 }: DistrictPlan): Position => [lon_e7 / e7PerDegree, lat_e7 / e7PerDegree]

const featuresOfDistrict = (district: DistrictPlan, seed: number): ReadonlyArray<MapFeature> => {
  const map = new DistrictMap(`${district.state}-${district.lga}-${district.code}`, seed)
  const frame = frameOf(district)
  const { columns } = district
  const rows = Math.ceil(district.areas / columns)
  const found: Array<MapFeature> = [groundOf(district, frame, rows)]
  for (let row = 0; row < rows; row++) {
    const inRow = Math.min(columns, district.areas - row * columns)
    for (let street = 0; street < district.layout.streets; street++) {
      found.push(...streetsOfRow(district, frame, map, { row, street, columns: inRow }))
    }
    for (let column = 0; column <= inRow; column++) found.push(crossStreet(district, frame, column, row, rows))
  }
  const name = map.localityOf(district.first_row, district.first_column)
  return [...found, { layer: "localities", kind: "Point", positions: [centreOf(district)], name }]
}

/** A position in the plan of a district: metres along its rows and across them. */
const at = ({ lat_e7, lon_e7 }: DistrictPlan, frame: Frame, along_m: number, across_m: number): Position => [
  (lon_e7 + along_m * frame.lon_along + across_m * frame.lon_across) / e7PerDegree,
  (lat_e7 + along_m * frame.lat_along + across_m * frame.lat_across) / e7PerDegree
]

/** The middle of the gap before the first house of a column of areas. */
const gapBefore = ({ layout }: DistrictPlan, { left_m }: Frame, column: number): number =>
  left_m + column * layout.column_pitch_m - (layout.column_pitch_m - (layout.houses_a_side - 1) * layout.pitch_m) / 2

/** A street has houses on both sides. */
const middleOf = ({ layout }: DistrictPlan, { bottom_m }: Frame, row: number, street: number): number =>
  bottom_m + row * layout.row_pitch_m + street * layout.street_pitch_m + layout.across_m / 2

/** A parallel street of a row, which may have several names along its way. */
const streetsOfRow = (
  district: DistrictPlan,
  frame: Frame,
  map: DistrictMap,
  { columns, row, street }: { readonly row: number; readonly street: number; readonly columns: number }
): ReadonlyArray<MapFeature> => {
  const across_m = middleOf(district, frame, row, street)
  const named: Array<{ readonly street: Street; readonly start: number; end: number }> = []
  for (let column = 0; column < columns; column++) {
    const found = map.streetOf(district.first_row + row, district.first_column + column, street)
    const last = named.at(-1)
    if (last?.street.address === found.address) last.end = column + 1
    else named.push({ street: found, start: column, end: column + 1 })
  }
  return named.map(({ end, start, street: { address } }) => ({
    layer: "streets",
    kind: "LineString",
    positions: [start, end].map((column) => at(district, frame, gapBefore(district, frame, column), across_m)),
    name: address.slice(0, address.lastIndexOf(", "))
  }))
}

/** From the first street of a row to that of the next. */
const crossStreet = (district: DistrictPlan, frame: Frame, column: number, row: number, rows: number): MapFeature => {
  const along_m = gapBefore(district, frame, column)
  const isLast = row === rows - 1
  const end_m = isLast
    ? middleOf(district, frame, row, district.layout.streets - 1)
    : middleOf(district, frame, row + 1, 0)
  const ends = [middleOf(district, frame, row, 0), end_m]
  const positions = ends.map((across_m) => at(district, frame, along_m, across_m))
  return { layer: "streets", kind: "LineString", positions, name: "" }
}

/** Around the outer streets. */
const margin_m = 25

const groundOf = (district: DistrictPlan, frame: Frame, rows: number): MapFeature => {
  const west = gapBefore(district, frame, 0) - margin_m
  const east = gapBefore(district, frame, district.columns) + margin_m
  const south = middleOf(district, frame, 0, 0) - margin_m
  const north = middleOf(district, frame, rows - 1, district.layout.streets - 1) + margin_m
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south]
  ] as const
  const positions = corners.map(([along_m, across_m]) => at(district, frame, along_m, across_m))
  return { layer: "ground", kind: "Polygon", positions, name: "" }
}
