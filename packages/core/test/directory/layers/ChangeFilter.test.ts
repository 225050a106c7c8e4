import { type Coordinate, distance_m, toE7 } from "@postcode/core/Coordinate"
import { describe, expect, it } from "vitest"
import { addToFilter, aimAt, emptyFilter, isNear, mayHoldNear } from "../../../src/directory/layers/ChangeFilter.ts"

/** The farthest point in a direction that is still within the radius, in 1e-7 degrees. */
const edge = (center: Coordinate, radius_m: number, angle: number): { lat_e7: number; lon_e7: number } => {
  const at = (degrees: number): Coordinate => ({
    lat: center.lat + degrees * Math.cos(angle),
    lon: center.lon + degrees * Math.sin(angle)
  })
  let near = 0
  let far = 1
  for (let step = 0; step < 50; step++) {
    const middle = (near + far) / 2
    if (distance_m(center, at(middle)) <= radius_m) near = middle
    else far = middle
  }
  const { lat, lon } = at(near)
  return { lat_e7: toE7(lat), lon_e7: toE7(lon) }
}

describe("a circle in a change filter", () => {
  it.each([0, 1.2, 59.99, -59.99, 69.99])("contains its edge at a latitude of %d, with any radius", (lat) => {
    for (const radius_m of [5, 25, 300, 1_000, 2_000]) {
      for (let lon = -0.1; lon < 0.1; lon += 0.0107) {
        const center = { lat, lon }
        for (let direction = 0; direction < 8; direction++) {
          const { lat_e7, lon_e7 } = edge(center, radius_m, (direction * Math.PI) / 4)
          const filter = emptyFilter(1)
          addToFilter(filter, 1, lat_e7, lon_e7)
          aimAt(center, radius_m)
          expect([isNear(lat_e7, lon_e7), mayHoldNear(filter)]).toEqual([true, true])
        }
      }
    }
  })

  it.each([0, 59.99, 69.99])("does not contain a point at twice the radius, at a latitude of %d", (lat) => {
    const center = { lat, lon: 3.4 }
    for (const radius_m of [300, 2_000]) {
      aimAt(center, radius_m)
      for (let direction = 0; direction < 4; direction++) {
        const { lat_e7, lon_e7 } = edge(center, 2 * radius_m, (direction * Math.PI) / 2)
        expect(isNear(lat_e7, lon_e7)).toBe(false)
      }
    }
  })
})
