import {
  type Coordinate,
  distance_m,
  fromE7,
  isCoordinate,
  isLatitude,
  isLongitude,
  toE7
} from "@postcode/core/Coordinate"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { karney_m } from "./Geodesic.ts"

fc.configureGlobal({ seed: 774, numRuns: 5_000 })

const edges = (limit: number) => fc.constantFrom(0, limit, -limit, limit - 1e-7, 1e-7 - limit, 1e-7, limit / 2)
const latitude = fc.oneof({ weight: 4, arbitrary: fc.double({ min: -90, max: 90, noNaN: true }) }, edges(90))
const longitude = fc.oneof({ weight: 4, arbitrary: fc.double({ min: -180, max: 180, noNaN: true }) }, edges(180))
const anywhere = fc.record({ lat: latitude, lon: longitude })
/** Steps from a micrometre to some hundred kilometres. */
const step = fc
  .tuple(fc.double({ min: -11, max: 0, noNaN: true }), fc.boolean())
  .map(([exponent, west]) => (west ? -1 : 1) * 10 ** exponent)

const moved = ({ lat, lon }: Coordinate, north: number, east: number): Coordinate => ({
  lat: Math.min(90, Math.max(-90, lat + north)),
  lon: lon + east > 180 ? lon + east - 360 : lon + east < -180 ? lon + east + 360 : lon + east
})

const opposite = ({ lat, lon }: Coordinate): Coordinate => ({ lat: -lat, lon: lon > 0 ? lon - 180 : lon + 180 })

describe("ranges", () => {
  it("include the poles and the antimeridian, and nothing beyond them", () => {
    for (const lat of [-90, 0, 90]) expect(isLatitude(lat)).toBe(true)
    for (const lat of [-90.0000001, 90.0000001, Number.NaN, Number.POSITIVE_INFINITY])
      expect(isLatitude(lat)).toBe(false)
    for (const lon of [-180, 0, 180]) expect(isLongitude(lon)).toBe(true)
    for (const lon of [-180.0000001, 180.0000001, Number.NaN]) expect(isLongitude(lon)).toBe(false)
    expect(isCoordinate({ lat: 90, lon: -180 })).toBe(true)
    expect(isCoordinate({ lat: 91, lon: 0 })).toBe(false)
    expect(isCoordinate({ lat: 0, lon: 181 })).toBe(false)
  })
})

describe("fixed point", () => {
  it("keeps every value in its range", () => {
    fc.assert(fc.property(fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }), (e7) => toE7(fromE7(e7)) === e7))
  })

  it("keeps decimals of up to seven places unchanged", () => {
    for (const degrees of [5.116485, 7.346672, -0.0000001, 179.9999999, 3.3947, 90, -180]) {
      expect(fromE7(toE7(degrees))).toBe(degrees)
    }
  })

  it("rounds to the nearest", () => {
    expect(toE7(0.00000014)).toBe(1)
    expect(toE7(0.00000016)).toBe(2)
    expect(toE7(-0.00000016)).toBe(-2)
  })
})

describe("distance_m", () => {
  it("is within a millimetre of the geodesic wherever the points are not almost opposite", () => {
    fc.assert(
      fc.property(anywhere, anywhere, (a, b) => {
        const expected_m = karney_m(a, b)
        fc.pre(expected_m < 19_900_000)
        expect(Math.abs(distance_m(a, b) - expected_m)).toBeLessThan(0.001)
      })
    )
  })

  it("is within a hundredth of a millimetre of the geodesic between neighbours, at poles and antimeridian, too", () => {
    fc.assert(
      fc.property(anywhere, step, step, (a, north, east) => {
        const b = moved(a, north, east)
        const expected_m = karney_m(a, b)
        expect(Math.abs(distance_m(a, b) - expected_m)).toBeLessThan(0.00001 + expected_m * 1e-9)
      })
    )
  })

  it("is within 0.1 % of the geodesic between points that are almost opposite", () => {
    fc.assert(
      fc.property(anywhere, step, step, (a, north, east) => {
        const b = moved(opposite(a), north, east)
        const expected_m = karney_m(a, b)
        expect(Math.abs(distance_m(a, b) - expected_m)).toBeLessThan(expected_m * 0.001)
      })
    )
  })

  it("is the same both ways and 0 from a point to itself", () => {
    fc.assert(
      fc.property(anywhere, anywhere, (a, b) => {
        expect(distance_m(a, a)).toBe(0)
        expect(Math.abs(distance_m(a, b) - distance_m(b, a))).toBeLessThan(1e-6)
      })
    )
  })

  it("treats a pole as one point, and both sides of the antimeridian as one line", () => {
    expect(distance_m({ lat: 90, lon: -120 }, { lat: 90, lon: 33 })).toBe(0)
    expect(distance_m({ lat: -90, lon: 0 }, { lat: -90, lon: 180 })).toBe(0)
    expect(distance_m({ lat: 6.5, lon: 180 }, { lat: 6.5, lon: -180 })).toBe(0)
    expect(distance_m({ lat: 0, lon: 179.9999999 }, { lat: 0, lon: -179.9999999 })).toBeCloseTo(0.0222639, 6)
  })

  it("is exact for known distances", () => {
    expect(distance_m({ lat: 6.4541, lon: 3.3947 }, { lat: 9.0765, lon: 7.3986 })).toBeCloseTo(528_330.27, 2)
    expect(distance_m({ lat: 0, lon: 0 }, { lat: 0, lon: 1 })).toBeCloseTo(111_319.491, 3)
  })
})
