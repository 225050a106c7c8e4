/** Where units are around a place: distances, directions, scales, and labels that do not lie on each other. */
import { describe, expect, it } from "vitest"
import { placeLabels } from "../../src/screens/directory/map/labels.ts"
import { directionOf, offsetBy } from "../../src/screens/directory/map/place.ts"
import { degreesText, multiples, niceStep } from "../../src/screens/directory/map/scale.ts"

describe("places", () => {
  it("are computed from their distances to three points", () => {
    const from = (east: number, north: number) => Math.hypot(30 - east, -40 - north)
    const { east_m, north_m } = offsetBy(from(0, 0), from(25, 0), from(0, 25), 25)
    expect([east_m, north_m].map(Math.round)).toEqual([30, -40])
    expect(offsetBy(0, 25, 25, 25)).toEqual({ east_m: 0, north_m: 0 })
  })

  it.each([
    [0, 10, "north"],
    [10, 10, "north-east"],
    [10, -1, "east"],
    [0, -5, "south"],
    [-7, -7, "south-west"],
    [-3, 9, "north"],
    [-9, 1, "west"]
  ])("%d m east and %d m north are in the %s", (east_m, north_m, direction) => {
    expect(directionOf({ east_m, north_m })).toBe(direction)
  })

  it("have scales of 1, 2 and 5, and coordinates with the decimals that these need", () => {
    expect([0.037, 50, 0.5, 99, 1].map(niceStep)).toEqual([0.02, 50, 0.5, 50, 1])
    expect(multiples(5, -7, 11)).toEqual([-5, 0, 5, 10])
    expect(degreesText(-6.5985, 0.0005, ["N", "S"])).toBe("6.5985° S")
    expect(degreesText(3, 0.5, ["E", "W"])).toBe("3.0° E")
  })

  it("have labels that do not overlap, except the first one, which is always shown", () => {
    const frame = { x: 0, y: 0, width: 200, height: 60 }
    const crowd = Array.from({ length: 6 }, (_, at) => ({ x: 100 + at, y: 30, text: "LA 11 B05" }))
    const [first, ...others] = placeLabels(crowd, frame, [frame])
    expect(first).toBeDefined()
    expect(others.filter(Boolean)).toEqual([])
    const boxes = placeLabels(crowd, frame, []).flatMap((box) => box ?? [])
    expect(boxes.length).toBeGreaterThan(1)
    expect(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(boxes.length)
  })
})
