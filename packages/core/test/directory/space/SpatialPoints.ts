/** Sets of points that spatial indexes have trouble with, and the plainest of indexes. */

import type { RandomNumbers } from "../../../../../test/RandomNumbers.ts"
import { type Arrays, ownArrays } from "../../../src/directory/Arrays.ts"
import { emptyBits, setBit } from "../../../src/directory/codes/BitSet.ts"
import { orderedRows } from "../../../src/directory/codes/CodeOrder.ts"
import { buildSpatialIndex, type SpatialIndex } from "../../../src/directory/space/SpatialIndex.ts"

/** A unit without a code. */
export interface Point {
  readonly lat_e7: number
  readonly lon_e7: number
  readonly active: boolean
}

type MakePoints = (count: number, next: RandomNumbers) => ReadonlyArray<Point>

const lagos = { lat_e7: 64_541_000, lon_e7: 33_947_000 }

const each =
  (place: (next: RandomNumbers, at: number, count: number) => Omit<Point, "active">): MakePoints =>
  (count, next) =>
    Array.from({ length: count }, (_, at) => ({ ...place(next, at, count), active: next() < 0.9 }))

const around = (
  next: RandomNumbers,
  { lat_e7, lon_e7 }: Omit<Point, "active">,
  spread_e7: number
): Omit<Point, "active"> => ({
  lat_e7: Math.round(Math.min(9e8, Math.max(-9e8, lat_e7 + (next() - 0.5) * spread_e7))),
  lon_e7: wrapped(Math.round(lon_e7 + (next() - 0.5) * spread_e7))
})

const wrapped = (lon_e7: number): number =>
  lon_e7 > 1.8e9 ? lon_e7 - 3.6e9 : lon_e7 < -1.8e9 ? lon_e7 + 3.6e9 : lon_e7

/** Makes points of a kind, as many as wanted. */
export const pointSets = {
  /** Towns of ten areas of 100 units, at 15 to 20 m, in code order. */
  towns: each((next, at) => {
    const town = Math.floor(at / 1_000)
    const area = Math.floor(at / 100) % 10
    const lat_e7 = lagos.lat_e7 + (town % 7) * 3_000_000 + (area % 3) * 16_000 + (Math.floor(at / 10) % 10) * 1_600
    const lon_e7 = lagos.lon_e7 + town * 500_000 + Math.floor(area / 3) * 16_000 + (at % 10) * 1_600
    return around(next, { lat_e7, lon_e7 }, 500)
  }),
  /** Towns and hamlets, far apart ones too, and towers. */
  mixed: each((next, at) => {
    if (at % 5 === 0) return { lat_e7: lagos.lat_e7 + (at % 3) * 1_500, lon_e7: lagos.lon_e7 }
    return around(next, lagos, [4_000, 40_000, 4_000_000, 200_000_000][at % 4] as number)
  }),
  /** All at one point. */
  stack: each(() => lagos),
  /** A hundred units at each of a few points. */
  towers: each((_, at) => ({ lat_e7: lagos.lat_e7 + (at % 7) * 800, lon_e7: lagos.lon_e7 - (at % 11) * 900 })),
  /** A street along a meridian, in code order. */
  meridian: each((_, at) => ({ lat_e7: lagos.lat_e7 + at * 1_300, lon_e7: lagos.lon_e7 })),
  /** A street along a parallel, in no order. */
  parallel: each((_, at, count) => ({ lat_e7: lagos.lat_e7, lon_e7: lagos.lon_e7 + ((at * 7_919) % count) * 1_300 })),
  /** Farther apart than 65,535 in either direction. */
  sparse: each((next) => around(next, lagos, 900_000_000)),
  /** In any order of codes, so that units of a leaf have ids far apart. */
  shuffled: each((next) => around(next, lagos, 300_000)),
  antimeridian: each((next) => around(next, { lat_e7: -168_000_000, lon_e7: 1_800_000_000 }, 60_000)),
  northPole: each((next) => ({
    lat_e7: 900_000_000 - Math.floor(next() * 90_000),
    lon_e7: Math.floor((next() - 0.5) * 3.6e9)
  })),
  southPole: each((next) => ({
    lat_e7: -900_000_000 + Math.floor(next() * 90_000),
    lon_e7: Math.floor((next() - 0.5) * 3.6e9)
  })),
  globe: each((next) => ({ lat_e7: Math.floor((next() - 0.5) * 1.8e9), lon_e7: Math.floor((next() - 0.5) * 3.6e9) }))
} as const satisfies Record<string, MakePoints>

const activeBitsOf = (points: ReadonlyArray<Point>): Uint8Array => {
  const bits = emptyBits(points.length)
  for (const [id, { active }] of points.entries()) {
    if (active) setBit(bits, id)
  }
  return bits
}

/** An index in which the point at index i has id i. */
export const spatialIndexOf = (points: ReadonlyArray<Point>, arrays: Arrays = ownArrays): SpatialIndex =>
  buildSpatialIndex(
    orderedRows(points.length),
    {
      lats_e7: Int32Array.from(points, (point) => point.lat_e7),
      lons_e7: Int32Array.from(points, (point) => point.lon_e7)
    },
    activeBitsOf(points),
    arrays
  )
