/** A grid of map tiles, about 180 m high and at most as wide, by which units near a point are found. */
import { type Coordinate, e7PerDegree } from "../space/Coordinate.ts"

/** Tiles of a search, inclusive. */
export interface TileRange {
  readonly south: number
  readonly north: number
  readonly west: number
  readonly east: number
}

/** The number of the tile of a location. */
export const tileOf = (lat_e7: number, lon_e7: number): number => tileAt(lat_e7 >> tileBits, lon_e7 >> tileBits)

/** The number of a tile by its row, from south to north, and its column, from west to east. */
export const tileAt = (row: number, column: number): number => row * tilesPerRow + column

/**
 * The tiles that a circle may touch. Undefined near a pole or across the antimeridian, where any tile may be touched, and
 * if there are more than `maxTiles`.
 */
export const tilesAround = ({ lat, lon }: Coordinate, radius_m: number, maxTiles: number): TileRange | undefined => {
  const height_e7 = radius_m * maxE7PerMetre + 2
  const width_e7 = height_e7 * (maxSecants[Math.abs(lat) | 0] as number)
  const west_e7 = lon * e7PerDegree - width_e7
  const east_e7 = lon * e7PerDegree + width_e7
  if (!(west_e7 > -halfTurn_e7 && east_e7 < halfTurn_e7)) return undefined
  const south = (lat * e7PerDegree - height_e7) >> tileBits
  const north = (lat * e7PerDegree + height_e7) >> tileBits
  const west = west_e7 >> tileBits
  const east = east_e7 >> tileBits
  return (north - south + 1) * (east - west + 1) > maxTiles ? undefined : { south, north, west, east }
}

/** The binary logarithm of a tile's height and width in 1e-7 degrees. */
const tileBits = 14
/** At least the number of tiles around the globe. */
const tilesPerRow = 2 ** 18
const halfTurn_e7 = 180 * e7PerDegree
/** A degree of a meridian is at least 110,574 m long. The margin is 0.1 %. */
const maxE7PerMetre = (e7PerDegree / 110_574) * 1.001

/** By whole degrees of latitude: the maximum secant up to the next degree; infinity near the poles. */
const maxSecants = Float64Array.from({ length: 91 }, (_, degrees) =>
  degrees < 89 ? 1 / Math.cos(((degrees + 1) * Math.PI) / 180) : Number.POSITIVE_INFINITY
)
