import { type Coordinate, toE7 } from "@postcode/core/Coordinate"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { describe, expect, it } from "vitest"
import { randomNumbers } from "../../../test/RandomNumbers.ts"
import { geodesic_m, ReferenceSearch } from "./ReferenceSearch.ts"

/** Units within 2 km of a point, in a square of longitude and latitude; every fifth retired, every tenth doubled. */
const town = ({ lat, lon }: Coordinate) => {
  const random = randomNumbers(1)
  const builder = new DirectoryBuilder()
  const points: Array<Coordinate & { readonly active: boolean }> = []
  const width = Math.min(180, 0.018 / Math.max(1e-9, Math.cos((lat * Math.PI) / 180)))
  while (points.length < 800) {
    const east = lon + (2 * random() - 1) * width
    const at = {
      lat: toE7(Math.min(90, Math.max(-90, lat + (2 * random() - 1) * 0.018))) / 1e7,
      lon: toE7(east > 180 ? east - 360 : east < -180 ? east + 360 : east) / 1e7
    }
    for (let count = points.length % 10 === 0 ? 2 : 1; count > 0; count--) {
      const active = points.length % 5 !== 4
      builder.addPackedUnit(points.length, toE7(at.lat), toE7(at.lon), active)
      points.push({ ...at, active })
    }
  }
  const built = builder.build()
  if (!built.ok) throw new Error("a postcode came twice")
  return { directory: built.directory, points }
}

describe("ReferenceSearch", () => {
  it.each([
    { lat: 6.4541, lon: 3.3947 },
    { lat: 0, lon: 180 },
    { lat: 66.2, lon: -179.99 },
    { lat: 89.99, lon: 20 },
    { lat: -90, lon: 0 }
  ])("finds what measuring every unit by the geodesic finds, at %o", (center) => {
    const { directory, points } = town(center)
    const reference = new ReferenceSearch(directory)
    let found = 0
    for (const [radius_m, limit, margin_m] of [
      [2_000, 1, 0],
      [700, 10, 0.5],
      [1_200, 1_000, 30],
      [0, 5, 0]
    ] as const) {
      for (const from of [center, points[0]!, points[77]!]) {
        const all = points
          .flatMap(({ active, lat, lon }, id) => (active ? [{ id, distance_m: geodesic_m(from, { lat, lon }) }] : []))
          .sort((a, b) => a.distance_m - b.distance_m || a.id - b.id)
        const reach_m = Math.min(radius_m, all[limit - 1]?.distance_m ?? radius_m) + margin_m
        const expected = all.filter(({ distance_m }) => distance_m <= reach_m)
        expect(reference.within({ lat: from.lat, lon: from.lon }, radius_m, limit, margin_m)).toEqual(expected)
        found += expected.length
      }
    }
    expect(found).toBeGreaterThan(300)
  })
})
