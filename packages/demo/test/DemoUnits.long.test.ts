import { createHash } from "node:crypto"
import { unpack } from "@postcode/core/Directory"
import { isCanonical, parse, segments } from "@postcode/core/Postcode"
import { describe, expect, it } from "vitest"
import type { DemoSize } from "../src/DemoPlan.ts"
import { areaStart, planDistricts, planLgas } from "../src/DemoPlan.ts"
import { demoUnits } from "../src/DemoUnits.ts"
import { nigeriaPlaces } from "../src/NigeriaPlaces.ts"
import { settlements } from "../src/Settlements.ts"

interface Units {
  readonly codes: Float64Array
  readonly lat_e7: Int32Array
  readonly lon_e7: Int32Array
  readonly active: Uint8Array
  readonly successors: Float64Array
}

const collect = (size: DemoSize): Units => {
  const chunks = Array.from(demoUnits(size), ({ active, codes, count, lat_e7, lon_e7, successors }) => ({
    codes: codes.slice(0, count),
    lat_e7: lat_e7.slice(0, count),
    lon_e7: lon_e7.slice(0, count),
    active: active.slice(0, count),
    successors: successors.slice(0, count)
  }))
  return {
    codes: Float64Array.from(chunks.flatMap((chunk) => [...chunk.codes])),
    lat_e7: Int32Array.from(chunks.flatMap((chunk) => [...chunk.lat_e7])),
    lon_e7: Int32Array.from(chunks.flatMap((chunk) => [...chunk.lon_e7])),
    active: Uint8Array.from(chunks.flatMap((chunk) => [...chunk.active])),
    successors: Float64Array.from(chunks.flatMap((chunk) => [...chunk.successors]))
  }
}

const digest = ({ active, codes, lat_e7, lon_e7 }: Units): string => {
  const hash = createHash("sha256")
  for (const array of [codes, lat_e7, lon_e7, active]) hash.update(new Uint8Array(array.buffer))
  return hash.digest("hex")
}

const national = collect({ units: 250_000, seed: 1 })

describe("demonstration units", () => {
  it.each([1, 2, 773, 774, 775, 1_000, 12_345])(
    "%d requested units are exactly as many, distinct and ascending",
    (units) => {
      const { codes } = collect({ units, seed: 5 })
      expect(codes).toHaveLength(units)
      expect(codes.every((code, i) => i === 0 || code > (codes[i - 1] ?? 0))).toBe(true)
    }
  )

  it("the default is 250,000 units of seed 1", () => {
    expect(digest(collect({}))).toBe(digest(national))
  })

  it("the same size and seed give the same units on every machine", () => {
    expect(digest(national)).toBe("b73ac50058cb407c0045022a3fe308355ed88b50262fdf92e36f174a59fc9729")
    expect(digest(collect({ units: 1_000, seed: -(2 ** 40) }))).toBe(
      "8853b6982b16203071c5a30c3ba30b931acf2591b248f9c200e66c4eb8e7bc24"
    )
  })

  it("another seed gives other units, also if it differs in its upper 32 bits only", () => {
    const digests = [1, 2, 1 + 2 ** 32, -1].map((seed) => digest(collect({ units: 2_000, seed })))
    expect(new Set(digests).size).toBe(4)
  })

  it("a size not a whole number from 1 to 40,000,000, or a seed not a safe integer, is refused", () => {
    for (const units of [0, -1, 1.5, 40_000_001, Number.NaN]) {
      expect(() => collect({ units })).toThrow(/units: expected a whole number from 1 to 40000000/)
    }
    for (const seed of [0.5, 2 ** 53, Number.NaN])
      expect(() => collect({ seed })).toThrow(/seed: expected a whole number/)
  })

  it("codes are distinct, in order, and well formed: a letter and two digits for the district, units from 01", () => {
    let last = ""
    for (const code of national.codes) {
      const postcode = unpack(code)
      if (postcode <= last || !isCanonical(postcode)) expect.unreachable(`${postcode} after ${last}`)
      last = postcode
      const { district, unit } = segments(postcode)
      if (!/^[A-Z][0-9]{2}$/.test(district) || unit === "00") expect.unreachable(postcode)
    }
    expect(parse(last)).toEqual({ ok: true, postcode: last })
  })

  it("all 37 states and 774 LGAs have units, and no others", () => {
    const found = new Set<string>()
    for (const code of national.codes) {
      const postcode = unpack(code)
      found.add(postcode.slice(0, 2)).add(postcode.slice(0, 5))
    }
    expect([...found].sort()).toEqual(nigeriaPlaces().map((place) => place.code))
  })

  it("774 units are one for each LGA", () => {
    const { codes } = collect({ units: 774, seed: 3 })
    expect(new Set(Array.from(codes, (code) => unpack(code).slice(0, 5))).size).toBe(774)
  })

  it("all units lie in Nigeria's bounding box, also with ten million", () => {
    const box = { south: 180e7, north: -180e7, west: 180e7, east: -180e7 }
    for (const { count, lat_e7, lon_e7 } of demoUnits({ units: 10_000_000, seed: 2 })) {
      for (let i = 0; i < count; i++) {
        box.south = Math.min(box.south, lat_e7[i] ?? 0)
        box.north = Math.max(box.north, lat_e7[i] ?? 0)
        box.west = Math.min(box.west, lon_e7[i] ?? 0)
        box.east = Math.max(box.east, lon_e7[i] ?? 0)
      }
    }
    expect(box.south).toBeGreaterThan(4e7)
    expect(box.north).toBeLessThan(14e7)
    expect(box.west).toBeGreaterThan(2.6e7)
    expect(box.east).toBeLessThan(14.7e7)
  })

  it("about two in a hundred are retired, and the first unit of an area never is", () => {
    const retired = national.active.filter((active) => active === 0).length
    expect(retired / national.active.length).toBeGreaterThan(0.018)
    expect(retired / national.active.length).toBeLessThan(0.022)
    national.codes.forEach((code, i) => {
      if (code % 100 === 1 && national.active[i] !== 1) expect.unreachable(unpack(code))
    })
  })

  it("one retired unit in four is replaced by an active one of its area", () => {
    const active = new Set(national.codes.filter((_, i) => national.active[i] === 1))
    let replaced = 0
    national.successors.forEach((successor, i) => {
      if (successor === 0) return
      replaced++
      const code = national.codes[i] as number
      const isSameArea = Math.floor(code / 100) === Math.floor(successor / 100)
      if (active.has(code) || !active.has(successor) || !isSameArea) expect.unreachable(unpack(code))
    })
    const retired = national.codes.length - active.size
    expect(replaced / retired).toBeGreaterThan(0.2)
    expect(replaced / retired).toBeLessThan(0.3)
  })

  it("districts start at many letters, and areas are not all near AA", () => {
    const letters = new Set<string>()
    const areas = new Set<string>()
    for (const code of national.codes) {
      const { area, district } = segments(unpack(code))
      letters.add(district.slice(0, 1))
      areas.add(area)
    }
    expect(letters.size).toBeGreaterThanOrEqual(4)
    expect(areas.size).toBeGreaterThan(500)
  })

  it("cities have more: Lagos the most of all states, a capital's LGA three times the median of its state", () => {
    const perLga = new Map<string, number>()
    const perState = new Map<string, number>()
    for (const code of national.codes) {
      const postcode = unpack(code)
      const [state, lga] = [postcode.slice(0, 2), postcode.slice(0, 5)]
      perLga.set(lga, (perLga.get(lga) ?? 0) + 1)
      perState.set(state, (perState.get(state) ?? 0) + 1)
    }
    expect([...perState].toSorted((a, b) => b[1] - a[1])[0]?.[0]).toBe("LA")
    for (const [capital, state] of [
      ["KN-21", "KN"],
      ["BO-21", "BO"],
      ["FC-02", "FC"],
      ["RI-22", "RI"]
    ] as const) {
      const counts = [...perLga]
        .filter(([lga]) => lga.startsWith(state))
        .map(([, count]) => count)
        .toSorted((a, b) => a - b)
      expect(perLga.get(capital), capital).toBeGreaterThan(3 * (counts[counts.length >> 1] ?? 0))
    }
  })
})

describe("spacing of demonstration units", () => {
  const { distances, stacked } = nearestNeighbours(national)

  it("90 % have their nearest neighbour 15 to 20 m away, and almost none are closer, or alone within 30 m", () => {
    const share = (from_m: number, to_m: number) =>
      distances.filter((distance_m) => distance_m >= from_m && distance_m < to_m).length / distances.length
    expect(share(15, 20)).toBeGreaterThan(0.9)
    expect(share(0.02, 14.5)).toBeLessThan(0.001)
    expect(share(30, Number.POSITIVE_INFINITY)).toBeLessThan(0.001)
  })

  it("1 to 5 % are at the same point as another", () => {
    expect(stacked / national.codes.length).toBeGreaterThan(0.01)
    expect(stacked / national.codes.length).toBeLessThan(0.05)
  })
})

describe("plan of a demonstration", () => {
  it.each([
    [40_000_000, 1],
    [40_000_000, 99],
    [3_000_000, 12],
    [40_000, 4]
  ])("%d units of seed %d fit: districts have no more areas than sites, and areas at most 99 units", (units, seed) => {
    let planned = 0
    let smallest = Number.POSITIVE_INFINITY
    let largest = 0
    for (const lga of planLgas({ units, seed })) {
      const districts = planDistricts(lga)
      expect(districts.map((district) => district.code)).toEqual(
        [...new Set(districts.map((district) => district.code))].sort()
      )
      for (const district of districts) {
        planned += district.units
        const rows = Math.ceil(district.areas / district.columns)
        expect(district.columns * district.layout.column_pitch_m).toBeLessThanOrEqual(lga.site_side_m)
        expect(rows * district.layout.row_pitch_m).toBeLessThanOrEqual(lga.site_side_m)
        for (let area = 0; area < district.areas; area++) {
          const size = areaStart(district, area + 1) - areaStart(district, area)
          smallest = Math.min(smallest, size)
          largest = Math.max(largest, size)
        }
        expect(district.first_row + rows).toBeLessThanOrEqual(26)
        expect(district.first_column + district.columns).toBeLessThanOrEqual(26)
      }
    }
    expect(planned).toBe(units)
  })

  it("the middle of each district is nearer to its own LGA's point than to any other's, and at most 10 km away", () => {
    const points = [...settlements().values()]
    for (const lga of planLgas({ units: 1_000_000, seed: 6 })) {
      for (const { code, lat_e7, lon_e7 } of planDistricts(lga)) {
        const from_m = (point: { readonly lat: number; readonly lon: number }) =>
          Math.hypot(lat_e7 / 1e7 - point.lat, (lon_e7 / 1e7 - point.lon) * Math.cos(point.lat / 57.3)) * 111_000
        const own_m = from_m(lga.settlement)
        expect(own_m).toBeLessThan(10_500)
        if (points.some((point) => from_m(point) < own_m)) expect.unreachable(`${lga.settlement.state} ${code}`)
      }
    }
  })
})

/** The distance of each unit to its nearest neighbour, by a grid of 30 m cells; 30 m and more counts as 30. */
function nearestNeighbours({ lat_e7, lon_e7 }: Units): { readonly distances: Float64Array; readonly stacked: number } {
  const cell_m = 30
  const x = Float64Array.from(
    lon_e7,
    (lon, i) => (lon / 1e7) * 111_320 * Math.cos(((lat_e7[i] ?? 0) / 1e7) * (Math.PI / 180))
  )
  const y = Float64Array.from(lat_e7, (lat) => (lat / 1e7) * 110_600)
  const key = (column: number, row: number) => row * 1_000_000 + column
  const cells = new Map<number, Array<number>>()
  for (let i = 0; i < x.length; i++) {
    const at = key(Math.floor((x[i] ?? 0) / cell_m), Math.floor((y[i] ?? 0) / cell_m))
    const cell = cells.get(at)
    if (cell) cell.push(i)
    else cells.set(at, [i])
  }
  const distances = new Float64Array(x.length).fill(cell_m)
  for (let i = 0; i < x.length; i++) {
    const column = Math.floor((x[i] ?? 0) / cell_m)
    const row = Math.floor((y[i] ?? 0) / cell_m)
    for (let near = 0; near < 9; near++) {
      for (const j of cells.get(key(column - 1 + (near % 3), row - 1 + Math.floor(near / 3))) ?? []) {
        const distance_m = Math.hypot((x[i] ?? 0) - (x[j] ?? 0), (y[i] ?? 0) - (y[j] ?? 0))
        if (j !== i && distance_m < (distances[i] ?? 0)) distances[i] = distance_m
      }
    }
  }
  return { distances, stacked: distances.filter((distance_m) => distance_m <= 0.02).length }
}
