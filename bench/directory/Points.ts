/** The points of searches, in the format of each peer: coordinates for ours, numbers for the others. */
import { type Coordinate, toE7 } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"
import { nearest } from "@postcode/core/ReverseGeocoder"
import { randomNumbers } from "../../test/RandomNumbers.ts"

export interface Points {
  readonly coordinates: ReadonlyArray<Coordinate>
  readonly lats: Float64Array
  readonly lons: Float64Array
}

/** Random points up to 20 m north or south and 20 m east or west of a unit, including retired ones. */
export const nearUnits = (directory: Directory, count: number, seed: number): Points => {
  const random = randomNumbers(seed)
  return pointsOf(count, () => moved(anyUnit(directory, random), step, random))
}

/** Random points up to 1 km north or south and 1 km east or west of a unit, without a unit within 25 m. */
export const betweenUnits = (directory: Directory, count: number, seed: number): Points => {
  const random = randomNumbers(seed)
  return pointsOf(count, () => unitless(directory, () => moved(anyUnit(directory, random), 50 * step, random)))
}

/** Random points in and around Nigeria without a unit within 25 m. */
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
    // Seven decimals, as phones report them.
    return { lat: toE7(lat) / 1e7, lon: toE7(lon) / 1e7 }
  })
  return {
    coordinates,
    lats: Float64Array.from(coordinates, ({ lat }) => lat),
    lons: Float64Array.from(coordinates, ({ lon }) => lon)
  }
}
