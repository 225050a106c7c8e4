import { unpack } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { describe, expect, it } from "vitest"
import { demoAttributes } from "../src/DemoAttributes.ts"
import { demoUnits } from "../src/DemoUnits.ts"

interface Unit {
  readonly postcode: Postcode
  readonly place: string
  readonly active: boolean
  readonly known: UnitAttributes
}

const unitsOf = (units: number, seed: number): ReadonlyArray<Unit> => {
  const attributesOf = demoAttributes(seed)
  return Array.from(demoUnits({ units, seed }), ({ active, codes, count, lat_e7, lon_e7 }) =>
    Array.from({ length: count }, (_, i) => {
      const postcode = unpack(codes[i] ?? 0)
      const known = attributesOf(postcode)
      return { postcode, place: `${lat_e7[i]} ${lon_e7[i]}`, active: active[i] === 1, known }
    })
  ).flat()
}

const units = unitsOf(60_000, 1)
const share = (test: (unit: Unit) => boolean) => units.filter(test).length / units.length

describe("demonstration attributes", () => {
  it("depend only on the postcode and the seed, in any order", () => {
    const attributesOf = demoAttributes(1)
    for (let i = units.length - 1; i >= 0; i -= 7) {
      const unit = units[i] as Unit
      expect(attributesOf(unit.postcode)).toEqual(unit.known)
    }
  })

  it("are the same on every machine", () => {
    const attributesOf = demoAttributes(1)
    expect(attributesOf("LA-03-B02-NI-18" as Postcode)).toEqual({
      locality_name: "Ikotun",
      recent_address: "Flat 1, 54 Gold Street, Ikotun",
      building_use_status: "residential",
      building_type: "block of flats",
      building_owner: "company",
      delivery_point: true
    })
    expect(attributesOf("KN-31-B11-YP-57" as Postcode)).toEqual({
      locality_name: "Hotoro",
      recent_address: "73 Hajiya Nuhu Street, Hotoro",
      building_use_status: "vacant",
      building_type: "empty plot",
      building_owner: "private",
      delivery_point: false
    })
    expect(attributesOf("KW-13-B02-KC-04" as Postcode)).toEqual({
      locality_name: "Offa",
      building_use_status: "residential",
      building_type: "bungalow",
      building_owner: "family"
    })
  })

  it("are different for another seed", () => {
    const postcode = units[100]?.postcode as Postcode
    const answers = [1, 2, 3, 4].map((seed) => JSON.stringify(demoAttributes(seed)(postcode)))
    expect(new Set(answers).size).toBe(4)
  })

  it("are never null, undefined or empty: unknown ones are absent", () => {
    for (const { known, postcode } of units) {
      if (Object.values(known).some((value) => value === undefined || value === null || value === "")) {
        expect.unreachable(postcode)
      }
    }
    expect(share(({ known }) => known.locality_name === undefined)).toBeCloseTo(0.02, 2)
    expect(share(({ known }) => known.recent_address === undefined)).toBeGreaterThan(0.05)
    expect(share(({ known }) => known.building_owner === undefined)).toBeCloseTo(0.18, 1)
    expect(share(({ known }) => Object.keys(known).length === 6)).toBeGreaterThan(0.4)
  })

  it("the use is one of seven, mostly residential", () => {
    const uses = new Set(units.map(({ known }) => known.building_use_status ?? "unknown"))
    expect([...uses].sort()).toEqual([
      "agricultural",
      "commercial",
      "industrial",
      "institutional",
      "mixed",
      "residential",
      "unknown",
      "vacant"
    ])
    expect(share(({ known }) => known.building_use_status === "residential")).toBeGreaterThan(0.5)
  })

  it("retired units and vacant plots are no delivery points", () => {
    for (const { active, known, postcode } of units) {
      const idle = !active || known.building_use_status === "vacant"
      if (idle && known.delivery_point === true) expect.unreachable(postcode)
      if (!active && (known.building_use_status ?? "vacant") !== "vacant") expect.unreachable(postcode)
    }
  })

  it("units at one point are flats of one house, and only they are", () => {
    let flats = 0
    for (const neighbours of grouped(({ place }) => place).values()) {
      const addresses = neighbours.flatMap(({ known }) => known.recent_address ?? [])
      const houses = new Set(addresses.map(houseOf))
      const isHouse = neighbours.length === 1 || addresses.every((address) => /\bFlat [0-9]+, /.test(address))
      if (houses.size > 1 || !isHouse || new Set(addresses).size < addresses.length) {
        expect.unreachable(addresses.join(" · "))
      }
      if (neighbours.length > 1) flats += neighbours.length
    }
    expect(flats).toBeGreaterThan(500)
  })

  it("each house number of an area is that of one point", () => {
    for (const neighbours of grouped(({ postcode }) => postcode.slice(0, 12)).values()) {
      const places = new Map<string, string>()
      for (const { known, place } of neighbours) {
        if (!/[0-9]/.test(known.recent_address ?? "")) continue
        const house = houseOf(known.recent_address ?? "")
        if ((places.get(house) ?? place) !== place) expect.unreachable(house)
        places.set(house, place)
      }
    }
  })
})

const houseOf = (address: string) => address.replace(/\bFlat [0-9]+, /, "")

const grouped = (keyOf: (unit: Unit) => string): Map<string, Array<Unit>> => {
  const groups = new Map<string, Array<Unit>>()
  for (const unit of units) {
    const group = groups.get(keyOf(unit))
    if (group) group.push(unit)
    else groups.set(keyOf(unit), [unit])
  }
  return groups
}
