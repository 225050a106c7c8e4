import { type Coordinate, distance_m, fromE7 } from "@postcode/core/Coordinate"
import geodesic from "geographiclib-geodesic"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../../test/Cases.ts"
import { randomNumbers } from "../../../../../test/RandomNumbers.ts"
import { checkSpatialIndex } from "../../../src/directory/snapshot/checkSpatialIndex.ts"
import {
  beginSearch,
  endSearch,
  hitDistance_m,
  hitId,
  offerUnit,
  searchIndex,
  type UnitOrder
} from "../../../src/directory/space/BoundedSearch.ts"
import { hideUnit, type SpatialIndex, withOwnVisibility } from "../../../src/directory/space/SpatialIndex.ts"
import { type Point, pointSets, spatialIndexOf } from "./SpatialPoints.ts"

/** The first one of a search is indexed; the units of the others are offered. */
interface Layer {
  readonly index: SpatialIndex
  readonly points: ReadonlyArray<Point>
  readonly firstId: number
  readonly accept?: (id: number) => boolean
}

interface Found {
  readonly id: number
  readonly distance_m: number
}

const search = (
  layers: ReadonlyArray<Layer>,
  center: Coordinate,
  radius_m: number,
  limit: number,
  order?: UnitOrder
): ReadonlyArray<Found> => {
  beginSearch(center, radius_m, limit, order)
  const [indexed, ...offered] = layers
  if (indexed !== undefined) searchIndex(indexed.index, indexed.accept)
  for (const { firstId, points } of offered) {
    for (const [id, { active, lat_e7, lon_e7 }] of points.entries()) {
      if (active) offerUnit(firstId + id, lon_e7, lat_e7)
    }
  }
  return Array.from({ length: endSearch() }, (_, rank) => ({ id: hitId(rank), distance_m: hitDistance_m(rank) }))
}

/** The metric of the search may be off by so much. */
const metric_m = 0.0002

const expectSameAsBruteForce = (
  layers: ReadonlyArray<Layer>,
  center: Coordinate,
  radius_m: number,
  limit: number,
  order: UnitOrder = (a, b) => a - b
): void => {
  const placeOf = new Map<number, string>()
  const distances: Array<Found> = []
  for (const { accept, firstId, points } of layers) {
    for (const [id, point] of points.entries()) {
      if (!point.active && accept?.(id) !== true) continue
      // A degree of latitude is at least 110 km long.
      if (Math.abs(point.lat_e7 / 1e7 - center.lat) * 110_000 > radius_m + 1) continue
      placeOf.set(firstId + id, `${point.lat_e7} ${point.lon_e7}`)
      const at = { lat: fromE7(point.lat_e7), lon: fromE7(point.lon_e7) }
      distances.push({ id: firstId + id, distance_m: distance_m(center, at) })
    }
  }
  distances.sort((a, b) => a.distance_m - b.distance_m || order(a.id, b.id))
  const found = search(layers, center, radius_m, limit, order)
  const countWithin = (reach_m: number) => distances.filter((one) => one.distance_m <= reach_m).length
  expect(found.length).toBeGreaterThanOrEqual(Math.min(limit, countWithin(radius_m - metric_m)))
  expect(found.length).toBeLessThanOrEqual(Math.min(limit, countWithin(radius_m + metric_m)))
  expect(new Set(found.map((one) => one.id)).size).toBe(found.length)
  const distanceOf = new Map(distances.map((one) => [one.id, one.distance_m]))
  for (const [rank, { distance_m: d_m, id }] of found.entries()) {
    expect(Math.abs(d_m - (distanceOf.get(id) as number))).toBeLessThan(metric_m)
    expect(Math.abs(d_m - (distances[rank] as Found).distance_m)).toBeLessThan(metric_m)
    const previous = found[rank - 1]
    if (previous !== undefined) {
      expect(previous.distance_m < d_m || (previous.distance_m === d_m && order(previous.id, id) < 0)).toBe(true)
    }
  }
  expectFirstOfEachPlace(found, placeOf, order)
}

/** Of the units at one point those found are the first in order, in whichever leaf or index each of them is. */
const expectFirstOfEachPlace = (
  found: ReadonlyArray<Found>,
  placeOf: ReadonlyMap<number, string>,
  order: UnitOrder
): void => {
  const ids = new Set(found.map((one) => one.id))
  const lastOf = new Map<string, number>()
  for (const { id } of found) lastOf.set(placeOf.get(id) as string, id)
  for (const [id, place] of placeOf) {
    const last = lastOf.get(place)
    if (last !== undefined && order(id, last) < 0) expect(ids.has(id)).toBe(true)
  }
}

const layerOf = (points: ReadonlyArray<Point>, firstId = 0): Layer => ({
  index: spatialIndexOf(points),
  points,
  firstId
})

const near = (points: ReadonlyArray<Point>, next: () => number): Coordinate => {
  const point = points[Math.floor(next() * points.length)] as Point
  const spread_e7 = [0, 20, 3_000, 40_000][Math.floor(next() * 4)] as number
  return {
    lat: Math.min(90, Math.max(-90, fromE7(point.lat_e7) + ((next() - 0.5) * spread_e7) / 1e7)),
    lon: Math.min(180, Math.max(-180, fromE7(point.lon_e7) + ((next() - 0.5) * spread_e7) / 1e7))
  }
}

const radii = [0, 1, 10, 25, 100, 300, 2_000]
const limits = [1, 2, 3, 10, 40, 100, 1_000, 5_000]

describe("a bounded search", () => {
  it.each(Object.entries(pointSets))("finds what brute force finds: %s", (_, make) => {
    for (const count of [1, 2, 3, 60, 1_500]) {
      const next = randomNumbers(count)
      const layer = layerOf(make(count, next))
      for (let query = 0; query < cases(56); query++) {
        const radius_m = radii[query % radii.length] as number
        expectSameAsBruteForce([layer], near(layer.points, next), radius_m, limits[query % limits.length] as number)
      }
    }
  })

  it.each(Object.entries(pointSets))("finds it in an index and among units that are offered: %s", (_, make) => {
    const next = randomNumbers(9)
    const all = make(900, next)
    const layers = [
      layerOf(all.slice(0, 600)),
      layerOf(all.slice(600, 603), 600),
      layerOf(all.slice(603), 603),
      layerOf([], 900),
      // Units at the very points of the first layer.
      layerOf(all.slice(0, 40), 1_000)
    ]
    // As codes would: not in the order of ids.
    const order: UnitOrder = (a, b) => ((a * 7_919) % 2_003) - ((b * 7_919) % 2_003)
    for (let query = 0; query < cases(112); query++) {
      const radius_m = radii[query % radii.length] as number
      const limit = limits[query % limits.length] as number
      expectSameAsBruteForce(layers, near(all, next), radius_m, limit, order)
    }
  })

  it.each(Object.entries(pointSets))("asks about hidden units, and about no others: %s", (_, make) => {
    const next = randomNumbers(10)
    const points = make(800, next)
    const index = withOwnVisibility(spatialIndexOf(points))
    for (let id = 0; id < points.length; id += 4) hideUnit(index, id)
    const accept = (id: number): boolean => {
      expect(id % 4 === 0 || !(points[id] as Point).active).toBe(true)
      return id % 8 === 0
    }
    const seen = points.map((point, id) => ({ ...point, active: point.active && id % 4 !== 0 }))
    for (let query = 0; query < cases(56); query++) {
      const radius_m = radii[query % radii.length] as number
      const limit = limits[query % limits.length] as number
      const center = near(points, next)
      expectSameAsBruteForce([{ index, points: seen, firstId: 0 }], center, radius_m, limit)
      expectSameAsBruteForce([{ index, points: seen, firstId: 0, accept }], center, radius_m, limit)
    }
  })

  it("prefers the first in order of many units at one point, also of those that are offered", () => {
    const points = pointSets.stack(5_000, () => 0)
    const layers = [layerOf(points), layerOf(points.slice(0, 700), 5_000)]
    const center = { lat: 6.4541, lon: 3.3947 }
    const backwards: UnitOrder = (a, b) => b - a
    for (const limit of [1, 2, 100, 900, 10_000]) {
      const count = Math.min(limit, 5_700)
      expect(search(layers, center, 25, limit).map((one) => one.id)).toEqual([...Array(count).keys()])
      const last = Array.from({ length: count }, (_, rank) => 5_699 - rank)
      expect(search(layers, center, 25, limit, backwards).map((one) => one.id)).toEqual(last)
    }
  })

  it("finds all units of a large leaf, at any offset of its visibility", () => {
    for (let count = 2_672; count < 2_688; count++) {
      const layer = layerOf(pointSets.stack(count, () => 0))
      expect(search([layer], { lat: 6.4541, lon: 3.3947 }, 25, count).length).toBe(count)
    }
  })

  it("finds nearer units that are offered after the hits of the index", () => {
    const next = randomNumbers(12)
    const at = (lat_e7: number, lon_e7: number): Point => ({ lat_e7, lon_e7, active: true })
    const center = { lat: 6.4541, lon: 3.3947 }
    // The nearer to the center the denser, so that what is dense around it holds less than wanted.
    const dense = Array.from({ length: 1_500 }, () => {
      const reach_e7 = 30_000 * next() ** 2
      const angle = 2 * Math.PI * next()
      return at(
        Math.round(64_541_000 + reach_e7 * Math.cos(angle)),
        Math.round(33_947_000 + reach_e7 * Math.sin(angle))
      )
    })
    const far = Array.from({ length: 30 }, (_, unit) => at(64_541_000 + 26_000, 33_947_000 + unit * 10))
    for (let limit = 33; limit <= 600; limit += 63) {
      expectSameAsBruteForce([layerOf(far), layerOf(dense, 30)], center, 300, limit)
    }
  })

  it.each([70.01, 75, 77.7, 80])("has the distances of the geodesic at a latitude of %d", (lat) => {
    const next = randomNumbers(13)
    const spread = (reach_e7: number): number => Math.round((next() - 0.5) * 2 * reach_e7)
    const points = Array.from({ length: 300 }, () => ({
      lat_e7: lat * 1e7 + spread(170_000),
      lon_e7: 250_000_000 + spread(900_000),
      active: true
    }))
    const found = search([layerOf(points)], { lat, lon: 25 }, 2_000, 300)
    expect(found.length).toBeGreaterThan(50)
    for (const { distance_m: d_m, id } of found) {
      const { lat_e7, lon_e7 } = points[id] as Point
      const { s12 } = geodesic.Geodesic.WGS84.Inverse(lat, 25, lat_e7 / 1e7, lon_e7 / 1e7)
      expect(Math.abs(d_m - (s12 as number))).toBeLessThan(0.00002)
    }
  })

  it("finds nothing for a limit of 0, and in an index without units", () => {
    expect(search([layerOf(pointSets.stack(50, () => 0))], { lat: 6.4541, lon: 3.3947 }, 25, 0)).toEqual([])
    expect(search([layerOf([])], { lat: 6.4541, lon: 3.3947 }, 25, 10)).toEqual([])
  })

  it("ends within the arrays for any index that passes the check", () => {
    const next = randomNumbers(11)
    const points = pointSets.mixed(2_000, next)
    const index = spatialIndexOf(points)
    const fields = ["splits", "drifts", "units", "highs", "visible"] as const
    for (let round = 0; round < cases(1_000); round++) {
      const field = fields[round % fields.length] as (typeof fields)[number]
      const array = index[field].slice()
      for (let change = 0; change < 3; change++) array[Math.floor(next() * array.length)] = Math.floor(next() * 2 ** 32)
      const other = { ...index, [field]: array }
      if (checkSpatialIndex(other, points.length) !== undefined) continue
      const limit = limits[round % limits.length] as number
      const found = search([{ index: other, points, firstId: 0 }], near(points, next), 2_000, limit)
      for (const { distance_m: d_m, id } of found) {
        expect(id >= 0 && id < points.length && d_m <= 2_000.001).toBe(true)
      }
    }
  })
})
