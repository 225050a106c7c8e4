/**
 * A Bloom filter over the layers of changes: excludes nearly all queries in a few nanoseconds, because most are about
 * units without recent changes. Only if it cannot exclude a query are the layers searched.
 *
 * Two hash tables of bits. One has a bit for the code of each changed unit and of its area. The other has a bit for
 * each changed unit's map tile, about 23 m wide in either direction at the equator; a word holds 32 adjacent tiles and
 * is in the table twice, so that a false positive needs two collisions.
 *
 * Bits are only added. So all versions of a directory share a filter: later bits cause only false positives in earlier
 * versions.
 */

import { segmentValues } from "../../postcode/SegmentValue.ts"
import { type Coordinate, e7PerDegree } from "../space/Coordinate.ts"

export interface ChangeFilter {
  /** 32 bits per word. The number of words is a power of two. */
  readonly codes: Int32Array
  readonly tiles: Int32Array
}

/** A filter with capacity for a number of units. Above it the rate of false positives rises. */
export const emptyFilter = (units: number): ChangeFilter => {
  // False positives: at most one code in 16 and one small circle in a hundred. Larger tables would have fewer, but cost
  // more, because they fit the processor's caches less.
  const words = 2 ** Math.ceil(Math.log2(Math.max(32, units)))
  return { codes: new Int32Array(words), tiles: new Int32Array(words / 2) }
}

export const addToFilter = ({ codes, tiles }: ChangeFilter, code: number, lat_e7: number, lon_e7: number): void => {
  setCode(codes, code)
  setCode(codes, areaKey(Math.floor(code / segmentValues.unit)))
  const x = lon_e7 >> tileBits
  const tile = hashOfTiles(lat_e7 >> tileBits, x >> 5)
  setBit(tiles, tile, x)
  setBit(tiles, otherHash(tile), x)
}

/** Whether the unit of a packed code may have changed. */
export const mayHoldCode = ({ codes }: ChangeFilter, code: number): boolean => {
  const hash = hashOfCode(code)
  return (((codes[(hash >>> 5) & (codes.length - 1)] as number) >>> (hash & 31)) & 1) === 1
}

/** The key of an area, by its packed code. It is in the filter if one of the area's units is. */
export const areaKey = (area: number): number => -1 - area

/** Sets the circle for `mayHoldNear` and `isNear`. */
export const aimAt = ({ lat, lon }: Coordinate, radius_m: number): void => {
  const height_e7 = radius_m * maxE7PerMetre + 2
  const width_e7 = height_e7 * (maxSecants[Math.abs(lat) | 0] as number)
  const south_e7 = lat * e7PerDegree - height_e7
  const north_e7 = lat * e7PerDegree + height_e7
  const west_e7 = lon * e7PerDegree - width_e7
  const east_e7 = lon * e7PerDegree + width_e7
  box[south] = south_e7
  box[north] = north_e7
  box[west] = west_e7
  box[east] = east_e7
  isBoxed = west_e7 > -halfTurn_e7 && east_e7 < halfTurn_e7
  firstRow = south_e7 >> tileBits
  lastRow = north_e7 >> tileBits
  firstTile = west_e7 >> tileBits
  lastTile = east_e7 >> tileBits
  isSmall = isBoxed && lastRow - firstRow <= maxRows && (lastTile >> 5) - (firstTile >> 5) <= 1
}

/** Whether a changed unit may lie in the circle. */
export const mayHoldNear = ({ tiles }: ChangeFilter): boolean => {
  if (!isSmall) return true
  const firstWord = firstTile >> 5
  const lastWord = lastTile >> 5
  const westBits = -1 << (firstTile & 31)
  const eastBits = -1 >>> (31 - (lastTile & 31))
  for (let y = firstRow; y <= lastRow; y++) {
    if (firstWord === lastWord) {
      if (hasTile(tiles, hashOfTiles(y, firstWord), westBits & eastBits)) return true
    } else {
      if (hasTile(tiles, hashOfTiles(y, firstWord), westBits)) return true
      if (hasTile(tiles, hashOfTiles(y, lastWord), eastBits)) return true
    }
  }
  return false
}

/** Whether a point may lie in the circle. */
export const isNear = (lat_e7: number, lon_e7: number): boolean =>
  !isBoxed ||
  (lat_e7 >= (box[south] as number) &&
    lat_e7 <= (box[north] as number) &&
    lon_e7 >= (box[west] as number) &&
    lon_e7 <= (box[east] as number))

const tileBits = 11
/** Circles over more rows of tiles are searched in the layers. */
const maxRows = 32
const halfTurn_e7 = 180 * e7PerDegree
/** A degree of a meridian is at least 110,574 m long. The margin is 0.1 %. */
const maxE7PerMetre = (e7PerDegree / 110_574) * 1.001

/** By whole degrees of latitude: the maximum secant up to the next degree; infinity near the poles. */
const maxSecants = Float64Array.from({ length: 91 }, (_, degrees) =>
  degrees < 89 ? 1 / Math.cos(((degrees + 1) * Math.PI) / 180) : Number.POSITIVE_INFINITY
)

// The box around the circle set by `aimAt`, in 1e-7 degrees. Not used if it crosses the antimeridian.
const south = 0
const north = 1
const west = 2
const east = 3
const box = new Float64Array(4)
let isBoxed = false
// The tiles of the box. Not used if there are too many.
let firstRow = 0
let lastRow = 0
let firstTile = 0
let lastTile = 0
let isSmall = false

const hasTile = (tiles: Int32Array, hash: number, bits: number): boolean => {
  const last = tiles.length - 1
  const found = (tiles[hash & last] as number) & bits
  return found !== 0 && (found & (tiles[otherHash(hash) & last] as number)) !== 0
}

const setCode = (table: Int32Array, code: number): void => {
  const hash = hashOfCode(code)
  setBit(table, hash >>> 5, hash)
}

const setBit = (table: Int32Array, hash: number, bit: number): void => {
  const word = hash & (table.length - 1)
  table[word] = (table[word] as number) | (1 << (bit & 31))
}

/** The lowest 32 bits distinguish nearly all units of a country. */
const hashOfCode = (code: number): number => mixed(Math.imul(code | 0, 0x9e3779b1))

const hashOfTiles = (y: number, word: number): number => mixed(Math.imul(y, 0x9e3779b1) ^ Math.imul(word, 0x85ebca6b))

const otherHash = (hash: number): number => mixed(Math.imul(hash, 0xc2b2ae3d))

const mixed = (hash: number): number => hash ^ (hash >>> 15)
