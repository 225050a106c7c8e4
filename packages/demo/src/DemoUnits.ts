/**
 * The units of a demonstration directory as a stream of chunks of plain numbers, in code order. No object is allocated
 * for a unit, so 40 million units need no more memory than a few thousand.
 */
import { e7PerDegree } from "@postcode/core/Coordinate"
import { packSegments } from "@postcode/core/Directory"
import {
  alphabetLength,
  areaHash,
  firstFlat,
  flatCount,
  isRetired,
  lotHash,
  lotOf,
  successorOf,
  unitHash
} from "./AreaLayout.ts"
import type { DemoSize, DistrictPlan } from "./DemoPlan.ts"
import { areaStart, letterPair, planDistricts, planLgas } from "./DemoPlan.ts"
import { localPlane } from "./LocalPlane.ts"

/** Consecutive units: the first `count` entries of each array. The next chunk reuses the arrays. */
export interface UnitChunk {
  count: number
  /** Packed postcodes, ascending. */
  readonly codes: Float64Array
  /** WGS 84 degrees × 1e7. */
  readonly lat_e7: Int32Array
  readonly lon_e7: Int32Array
  /** 1 for active, 0 for retired. */
  readonly active: Uint8Array
  /** The packed postcode of the successor of a retired unit; 0 if there is none. */
  readonly successors: Float64Array
}

/**
 * All units of a demonstration directory in code order, exactly the requested number. The same size and seed give the
 * same units on every machine.
 *
 * @throws RangeError if the size is out of bounds, when the first chunk is requested
 * @example
 * ```ts
 * let active = 0
 * for (const { count, active: flags } of demoUnits({ units: 1_000 })) {
 *   for (let i = 0; i < count; i++) active += flags[i]
 * }
 * ```
 */
export function* demoUnits(size: DemoSize = {}): Generator<UnitChunk, void, void> {
  const chunk = emptyChunk()
  for (const lga of planLgas(size)) {
    for (const district of planDistricts(lga)) {
      const frame = frameOf(district)
      for (let area = 0; area < district.areas; area++) {
        const units = areaStart(district, area + 1) - areaStart(district, area)
        if (chunk.count + units > unitsPerChunk) {
          yield chunk
          chunk.count = 0
        }
        addArea(chunk, district, frame, area, units)
      }
    }
  }
  if (chunk.count > 0) yield chunk
}

const unitsPerChunk = 16_384

const emptyChunk = (): UnitChunk => ({
  count: 0,
  codes: new Float64Array(unitsPerChunk),
  lat_e7: new Int32Array(unitsPerChunk),
  lon_e7: new Int32Array(unitsPerChunk),
  active: new Uint8Array(unitsPerChunk),
  successors: new Float64Array(unitsPerChunk)
})

/** Converts metres along and across the rows of a district into degrees × 1e7. */
export interface Frame {
  /** The packed code of area AA, unit 00. */
  readonly code: number
  readonly left_m: number
  readonly bottom_m: number
  readonly lat_along: number
  readonly lat_across: number
  readonly lon_along: number
  readonly lon_across: number
}

export const frameOf = (district: DistrictPlan): Frame => {
  const { areas, axis, columns, layout } = district
  const plane = localPlane(district.lat_e7 / e7PerDegree)
  const lat_e7_a_metre = e7PerDegree / plane.metres_a_degree_lat
  const lon_e7_a_metre = e7PerDegree / plane.metres_a_degree_lon
  return {
    code: packSegments(letterPair(district.state), Number(district.lga), Number.parseInt(district.code, 36), 0, 0),
    // An area has half of the gap to the next one on each side.
    left_m: -(columns * layout.column_pitch_m - (layout.column_pitch_m - layout.houses_a_side * layout.pitch_m)) / 2,
    bottom_m: -(Math.ceil(areas / columns) * layout.row_pitch_m - layout.across_m) / 2,
    lat_along: axis.north * lat_e7_a_metre,
    lat_across: axis.east * lat_e7_a_metre,
    lon_along: axis.east * lon_e7_a_metre,
    lon_across: -axis.north * lon_e7_a_metre
  }
}

/** Maximum random offset of a house, along the street and across it. */
const scatterAlong_m = 0.5
const scatterAcross_m = 0.8

const addArea = (chunk: UnitChunk, district: DistrictPlan, frame: Frame, index: number, units: number): void => {
  const { columns, hash, layout, urban } = district
  const row = Math.floor(index / columns)
  const column = index - row * columns
  const letterRow = district.first_row + row
  const letterColumn = district.first_column + column
  const area = areaHash(hash, letterRow, letterColumn)
  const code = frame.code + packSegments(0, 0, 0, letterRow * alphabetLength + letterColumn, 0)
  const left_m = frame.left_m + column * layout.column_pitch_m
  const bottom_m = frame.bottom_m + row * layout.row_pitch_m
  const housesPerStreet = 2 * layout.houses_a_side
  const first = firstFlat(area, urban)
  const flats = flatCount(area)
  let at = chunk.count
  for (let unit = 1; unit <= units; unit++, at++) {
    const lot = lotOf(unit, first, flats)
    const street = Math.trunc(lot / housesPerStreet)
    const house = lot - street * housesPerStreet
    const luck = lotHash(area, lot)
    const along_m = left_m + (house >> 1) * layout.pitch_m + scatter(luck & 0xff) * scatterAlong_m
    const row_m = street * layout.street_pitch_m + (house & 1) * layout.across_m
    const across_m = bottom_m + row_m + scatter((luck >>> 8) & 0xff) * scatterAcross_m
    chunk.codes[at] = code + unit
    chunk.lat_e7[at] = Math.round(district.lat_e7 + along_m * frame.lat_along + across_m * frame.lat_across)
    chunk.lon_e7[at] = Math.round(district.lon_e7 + along_m * frame.lon_along + across_m * frame.lon_across)
    const isActive = !isRetired(unitHash(area, unit), unit)
    const successor = isActive ? 0 : successorOf(area, unit)
    chunk.active[at] = isActive ? 1 : 0
    chunk.successors[at] = successor === 0 ? 0 : code + successor
  }
  chunk.count += units
}

/** A byte as a number from −1 to 1. */
const scatter = (byte: number): number => (byte - 127.5) / 127.5
