import { type Coordinate, fromE7 } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { compare } from "@postcode/core/Postcode"
import {
  clampNearbyRadius,
  clampReverseRadius,
  confidence,
  type Hit,
  nearest,
  roundDistance,
  within
} from "@postcode/core/ReverseGeocoder"
import fc from "fast-check"
import geodesic from "geographiclib-geodesic"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../test/Cases.ts"
import { randomNumbers } from "../../../../test/RandomNumbers.ts"
import { directoryFrom } from "../directory/BuiltDirectory.ts"
import { karney_m } from "../directory/space/Geodesic.ts"
import type { Point } from "../directory/space/SpatialPoints.ts"
import { vectorRows } from "../Vectors.ts"

fc.configureGlobal({ seed: 774, numRuns: cases(400) })

/** Two distances closer than this may be told apart by the oracle and not by the metric of the search. */
const metric_m = 0.0002

/** A directory in which the point at index i has id i. */
const directoryOf = (points: ReadonlyArray<Point>): Directory => {
  const builder = new DirectoryBuilder({ capacity: points.length })
  for (const [index, { active, lat_e7, lon_e7 }] of points.entries()) {
    builder.addPackedUnit(index * 977, lat_e7, lon_e7, active)
  }
  return directoryFrom(builder)
}

const coordinateOf = ({ lat_e7, lon_e7 }: Point): Coordinate => ({ lat: fromE7(lat_e7), lon: fromE7(lon_e7) })

/** Metres north and east of a point as 1e-7 degrees on the globe, past poles and antimeridian where it leads there. */
const moved = ({ lat, lon }: Coordinate, north_m: number, east_m: number): Omit<Point, "active"> => {
  const angle = (Math.atan2(east_m, north_m) * 180) / Math.PI
  const end = geodesic.Geodesic.WGS84.Direct(lat, lon, angle, Math.hypot(north_m, east_m))
  return { lat_e7: Math.round((end.lat2 as number) * 1e7), lon_e7: Math.round((end.lon2 as number) * 1e7) }
}

/** All active units by the oracle, nearest first. */
const ranked = (points: ReadonlyArray<Point>, center: Coordinate, reach_m: number): ReadonlyArray<Hit> =>
  points
    .flatMap((point, id) => {
      // A degree of latitude is at least 110 km long: what is farther north or south need not be measured.
      if (!point.active || Math.abs(point.lat_e7 / 1e7 - center.lat) * 110_000 > reach_m + 1) return []
      return [{ id, distance_m: karney_m(center, coordinateOf(point)) }]
    })
    .sort((a, b) => a.distance_m - b.distance_m || a.id - b.id)

/** Holds hits against the oracle's ranking; only what differs by less than the metric may be in another order. */
const expectRanking = (
  points: ReadonlyArray<Point>,
  hits: ReadonlyArray<Hit>,
  ranking: ReadonlyArray<Hit>,
  radius_m: number,
  limit: number
): void => {
  const countWithin = (reach_m: number) => ranking.filter((hit) => hit.distance_m <= reach_m).length
  expect(hits.length).toBeGreaterThanOrEqual(Math.min(limit, countWithin(radius_m - metric_m)))
  expect(hits.length).toBeLessThanOrEqual(Math.min(limit, countWithin(radius_m + metric_m)))
  const distances = new Map(ranking.map((hit) => [hit.id, hit.distance_m]))
  const ids = new Set(hits.map((hit) => hit.id))
  expect(ids.size).toBe(hits.length)
  for (const [rank, hit] of hits.entries()) {
    const previous = hits[rank - 1]
    expect(Math.abs(hit.distance_m - (distances.get(hit.id) as number))).toBeLessThan(metric_m)
    expect(Math.abs(hit.distance_m - (ranking[rank]?.distance_m as number))).toBeLessThan(metric_m)
    if (previous !== undefined) {
      expect(
        previous.distance_m < hit.distance_m || (previous.distance_m === hit.distance_m && previous.id < hit.id)
      ).toBe(true)
    }
    // Of units at one point those of smaller postcodes come first, and are not left out.
    const twins = points.flatMap((point, id) => (isTwin(point, points[hit.id] as Point) && id < hit.id ? [id] : []))
    for (const id of twins) expect(ids.has(id)).toBe(true)
  }
}

const isTwin = (a: Point, b: Point): boolean => a.active && a.lat_e7 === b.lat_e7 && a.lon_e7 === b.lon_e7

const expectSameAsOracle = (
  directory: Directory,
  points: ReadonlyArray<Point>,
  center: Coordinate,
  radius_m: number,
  limit: number
): void => {
  const ranking = ranked(points, center, radius_m)
  expectRanking(points, within(directory, center, radius_m, limit), ranking, radius_m, limit)
  const hit = nearest(directory, center, radius_m)
  expectRanking(points, hit === undefined ? [] : [hit], ranking, radius_m, 1)
}

describe("compared with a reference implementation by geodesics", () => {
  const centers: ReadonlyArray<readonly [string, Coordinate]> = [
    ["Lagos", { lat: 6.4541, lon: 3.3947 }],
    ["the equator", { lat: 0, lon: 9 }],
    ["the middle latitudes", { lat: 45.3, lon: 7.5 }],
    ["the southern end of the plane metric", { lat: -69.999, lon: -70 }],
    ["the northern end of the plane metric", { lat: 70.0001, lon: 20 }],
    ["the antimeridian", { lat: -16.8, lon: 180 }],
    ["the antimeridian from the west", { lat: 66.2, lon: -179.9995 }],
    ["the north pole", { lat: 90, lon: 0 }],
    ["the south pole", { lat: -89.9995, lon: 135 }]
  ]

  it.each(centers)("finds the same units at %s", (_, center) => {
    const next = randomNumbers(centers.findIndex((one) => one[1] === center))
    // A town 400 m wide at 15 to 20 m, a suburb 4 km wide, and towers of several units at one point.
    const points: Array<Point> = []
    while (points.length < 1_500) {
      const spread_m = next() < 0.6 ? 400 : 4_000
      const at = moved(center, (next() - 0.5) * spread_m, (next() - 0.5) * spread_m)
      const storeys = next() < 0.1 ? 6 : 1
      for (let storey = 0; storey < storeys; storey++) points.push({ ...at, active: next() < 0.8 })
    }
    const directory = directoryOf(points)
    for (let query = 0; query < 150; query++) {
      const unit = points[Math.floor(next() * points.length)] as Point
      const near_m = [0, 5, 40, 1_000][query % 4] as number
      const at = coordinateOf({
        ...unit,
        ...moved(coordinateOf(unit), (next() - 0.5) * near_m, (next() - 0.5) * near_m)
      })
      const radius_m = [0, 10, 25, 100, 250, 1_000, 2_000][query % 7] as number
      expectSameAsOracle(directory, points, at, radius_m, [1, 7, 100, 5_000][query % 3] as number)
    }
  })

  it("finds the same units for 3,000 points of a country of towns", () => {
    const next = randomNumbers(37)
    const points: Array<Point> = []
    for (let town = 0; town < 40; town++) {
      const center = { lat: 4.5 + next() * 9, lon: 3 + next() * 11 }
      for (let unit = 0; unit < 150; unit++) {
        points.push({ ...moved(center, (next() - 0.5) * 600, (next() - 0.5) * 600), active: unit % 7 > 0 })
      }
    }
    const directory = directoryOf(points)
    const coordinates = points.map(coordinateOf)
    for (let query = 0; query < cases(3_000); query++) {
      const base = coordinates[Math.floor(next() * points.length)] as Coordinate
      const center = { lat: base.lat + (next() - 0.5) * 0.001, lon: base.lon + (next() - 0.5) * 0.001 }
      const nearby = points.map((point, id) => ({
        ...point,
        active: point.active && Math.abs((coordinates[id] as Coordinate).lon - center.lon) < 0.01
      }))
      const [best] = ranked(nearby, center, 250)
      const hit = nearest(directory, center, 250)
      if (best === undefined || best.distance_m > 250) expect(hit).toBeUndefined()
      else {
        expect(hit?.id).toBe(best.id)
        expect(Math.abs((hit?.distance_m as number) - best.distance_m)).toBeLessThan(0.00005)
      }
    }
  })

  it("finds the same units in any small cluster, anywhere", () => {
    const step = fc.integer({ min: -3_000, max: 3_000 })
    const anchor = fc
      .record({
        lat: fc.oneof(
          fc.double({ min: -90, max: 90, noNaN: true }),
          fc.constantFrom(-90, 90, 0, 70, -70, 89.9999, -89.99)
        ),
        lon: fc.oneof(fc.double({ min: -180, max: 180, noNaN: true }), fc.constantFrom(-180, 180, 0.01, 179.9999))
      })
      .filter(({ lat, lon }) => Math.abs(lat) > 0.01 || Math.abs(lon) > 0.005)
    const offsets = fc.array(fc.tuple(step, step, fc.boolean()), { maxLength: 60 })
    const radius = fc.oneof(fc.constantFrom(0, 25, 250, 2_000), fc.double({ min: 0, max: 2_000, noNaN: true }))
    fc.assert(
      fc.property(
        anchor,
        offsets,
        step,
        step,
        radius,
        fc.integer({ min: 1, max: 70 }),
        (center, all, dy, dx, r, limit) => {
          const clamped = (value: number, most: number) => Math.min(most, Math.max(-most, Math.round(value)))
          const wrapped = (lon_e7: number) => ((((lon_e7 + 1.8e9) % 3.6e9) + 3.6e9) % 3.6e9) - 1.8e9
          const at = (y: number, x: number) => ({
            lat_e7: clamped(center.lat * 1e7 + y, 900_000_000),
            lon_e7: wrapped(Math.round(center.lon * 1e7) + x)
          })
          const points = all.map(([y, x, active]) => ({ ...at(y, x), active }))
          expectSameAsOracle(directoryOf(points), points, coordinateOf({ ...at(dy, dx), active: true }), r, limit)
        }
      )
    )
  })
})

describe("nearest and within", () => {
  const lagos = { lat: 6.4541, lon: 3.3947 }
  const on = (north_m: number, east_m: number, active = true): Point => ({ ...moved(lagos, north_m, east_m), active })

  it("find each unit at its own point with a radius of 0, also with rounding errors", () => {
    const next = randomNumbers(2)
    const points = Array.from({ length: 3_000 }, () => on(next() * 20_000, next() * 20_000))
    const directory = directoryOf(points)
    for (const [id, point] of points.entries()) {
      const { lat, lon } = coordinateOf(point)
      expect(nearest(directory, { lat, lon }, 0)).toEqual({ id, distance_m: 0 })
      expect(nearest(directory, { lat: lat * (1 + 2e-16), lon: lon * (1 - 2e-16) }, 0)).toEqual({ id, distance_m: 0 })
    }
  })

  it("include a unit exactly at the radius, and none beyond", () => {
    const next = randomNumbers(3)
    for (let round = 0; round < 500; round++) {
      const point = on((next() - 0.5) * 350, (next() - 0.5) * 350)
      const directory = directoryOf([point])
      const radius_m = karney_m(lagos, coordinateOf(point))
      expect(nearest(directory, lagos, radius_m)?.id).toBe(0)
      expect(within(directory, lagos, radius_m, 5)).toHaveLength(1)
      expect(nearest(directory, lagos, radius_m - 0.001)).toBeUndefined()
      expect(within(directory, lagos, radius_m - 0.001, 5)).toEqual([])
    }
  })

  it("prefer the smaller postcode at equal distances, stacked or opposite", () => {
    const { lat_e7, lon_e7 } = on(0, 0)
    const east = { lat_e7, lon_e7: lon_e7 + 1_000, active: true }
    const west = { lat_e7, lon_e7: lon_e7 - 1_000, active: true }
    const beyond = { lat_e7, lon_e7: lon_e7 + 1_001, active: true }
    const points = [beyond, west, east, east, west, west, east, beyond, east, west, west, east]
    const directory = directoryOf(points)
    expect(nearest(directory, lagos, 25)?.id).toBe(1)
    const hits = within(directory, lagos, 25, 20)
    expect(hits.map((hit) => hit.id)).toEqual([1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 0, 7])
    expect(new Set(hits.slice(0, 10).map((hit) => hit.distance_m)).size).toBe(1)
    expect(within(directory, lagos, 25, 4).map((hit) => hit.id)).toEqual([1, 2, 3, 4])
    expect(compare(directory.postcodeAt(1), directory.postcodeAt(2))).toBe(-1)
  })

  it("prefer the smaller postcode in a stack, where a rounding error could prune its half of the tree", () => {
    for (let offset_e7 = 1; offset_e7 < 2_000; offset_e7 += 13) {
      const north = { lat_e7: offset_e7, lon_e7: 1e8, active: true }
      const east = { lat_e7: 0, lon_e7: 1e8 + offset_e7, active: true }
      for (const point of [north, east]) {
        const directory = directoryOf(Array.from({ length: 40 }, () => point))
        expect(nearest(directory, { lat: 0, lon: 10 }, 25)?.id).toBe(0)
        expect(within(directory, { lat: 0, lon: 10 }, 25, 3).map((hit) => hit.id)).toEqual([0, 1, 2])
      }
    }
  })

  it("never find a unit at latitude 0 and longitude 0, which has no known location", () => {
    const nowhere = Array.from({ length: 300 }, () => ({ lat_e7: 0, lon_e7: 5_000, active: true }))
    const directory = directoryOf([...nowhere, { lat_e7: 0, lon_e7: 100_000, active: true }])
    expect(nearest(directory, { lat: 0, lon: 0 }, 250)).toBeUndefined()
    expect(within(directory, { lat: 0, lon: 0 }, 2_000, 10).map((hit) => hit.id)).toEqual([300])
  })

  it("ignore any number of nearer retired units", () => {
    const retired = Array.from({ length: 200 }, (_, index) => on(index % 5, 0, false))
    const directory = directoryOf([...retired, on(20, 0), on(300, 0)])
    expect(nearest(directory, lagos, 25)?.id).toBe(200)
    expect(within(directory, lagos, 2_000, 10).map((hit) => hit.id)).toEqual([200, 201])
    expect(nearest(directoryOf(retired), lagos, 250)).toBeUndefined()
  })

  it("find nothing in an empty directory", () => {
    expect(nearest(directoryOf([]), lagos, 250)).toBeUndefined()
    expect(within(directoryOf([]), lagos, 2_000, 10)).toEqual([])
  })

  it("refuse an invalid coordinate, radius or limit", () => {
    const directory = directoryOf([on(0, 0)])
    for (const [lat, lon] of [
      [90.1, 0],
      [0, 180.1],
      [Number.NaN, 0],
      [0, Number.POSITIVE_INFINITY]
    ] as const) {
      expect(() => nearest(directory, { lat, lon }, 25)).toThrow(RangeError)
      expect(() => within(directory, { lat, lon }, 25, 1)).toThrow(RangeError)
    }
    for (const radius_m of [-0.1, 2_000.1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => nearest(directory, lagos, radius_m)).toThrow(RangeError)
      expect(() => within(directory, lagos, radius_m, 1)).toThrow(RangeError)
    }
    for (const limit of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(() => within(directory, lagos, 25, limit)).toThrow(RangeError)
    }
  })
})

describe("radii", () => {
  it("of a reverse geocode are 25 m by default, and at most 250 m", () => {
    expect([undefined, 0, 0.5, 25, 250, 250.1, 1e9].map(clampReverseRadius)).toEqual([25, 0, 0.5, 25, 250, 250, 250])
  })

  it("of a nearby search are 300 m by default, and at most 2 km", () => {
    expect([undefined, 0, 300, 2_000, 2_001, 1e9].map(clampNearbyRadius)).toEqual([300, 0, 300, 2_000, 2_000, 2_000])
  })
})

describe("confidence", () => {
  it.each(vectorRows("confidence.csv").slice(1))("of %s m, shown as %s m, is %s", (distance, shown, grade) => {
    expect(roundDistance(Number(distance))).toBe(Number(shown))
    expect(confidence(Number(distance))).toBe(grade)
    expect(confidence(roundDistance(Number(distance)))).toBe(grade)
  })
})
