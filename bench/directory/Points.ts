/**
 * The points that searches ask for. Each peer gets them in its own form: coordinates for ours, numbers for those that
 * take numbers.
 */
import { type Coordinate, toE7 } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"
import { nearest } from "@postcode/core/ReverseGeocoder"
import { randomNumbers } from "../../test/RandomNumbers.ts"

export interface Points {
  readonly coordinates: ReadonlyArray<Coordinate>
  readonly lats: Float64Array
  readonly lons: Float64Array
}

/** Points up to 20 m north or south and 20 m east or west of a unit drawn by lot, retired ones included. */
export const nearUnits = (directory: Directory, count: number, seed: number): Points => {
  const random = randomNumbers(seed)
  return pointsOf(count, () => moved(anyUnit(directory, random), step, random))
}

/** Points up to 1 km north or south and 1 km east or west of a unit drawn by lot, that have none within 25 m. */
export const betweenUnits = (directory: Directory, count: number, seed: number): Points => {
  const random = randomNumbers(seed)
  return pointsOf(count, () => unitless(directory, () => moved(anyUnit(directory, random), 50 * step, random)))
}

/** Points anywhere in and around Nigeria that have no unit within 25 m. */
export const awayFromUnits = (directory: Directory, count: number, seed: number): Points => {
  const random = randomNumbers(seed)
  return pointsOf(count, () =>
    unitless(directory, () => ({
      lat: nigeria.south + random() * (nigeria.north - nigeria.south),
      lon: nigeria.west + random() * (nigeria.east - nigeria.west)
    }))
  )
}

/** 20 m of a meridian, in degrees. */
const step = 0.00018
const nigeria = { south: 4.25, north: 13.9, west: 2.68, east: 14.65 } as const

const anyUnit = (directory: Directory, random: () => number): Coordinate =>
  directory.coordinateAt(Math.floor(random() * directory.size))

const moved = ({ lat, lon }: Coordinate, reach: number, random: () => number): Coordinate => ({
  lat: lat + (2 * random() - 1) * reach,
  lon: lon + (2 * random() - 1) * reach
})

const unitless = (directory: Directory, draw: () => Coordinate): Coordinate => {
  for (;;) {
    const point = draw()
    if (nearest(directory, point, 25) === undefined) return point
  }
}

const pointsOf = (count: number, draw: () => Coordinate): Points => {
  const coordinates = Array.from({ length: count }, () => {
    const { lat, lon } = draw()
    // As telephones tell them: seven decimals.
    return { lat: toE7(lat) / 1e7, lon: toE7(lon) / 1e7 }
  })
  return {
    coordinates,
    lats: Float64Array.from(coordinates, ({ lat }) => lat),
    lons: Float64Array.from(coordinates, ({ lon }) => lon)
  }
}
