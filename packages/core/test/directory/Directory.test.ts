import { fromE7 } from "@postcode/core/Coordinate"
import { type Directory, type Place, pack, packedCodes, packSegments, unpack } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { compare, type PartialPostcode, type Postcode, segments } from "@postcode/core/Postcode"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../test/Cases.ts"
import { segmentValues } from "../../src/postcode/SegmentValue.ts"
import { directoryFrom, succeeded } from "./BuiltDirectory.ts"

fc.configureGlobal({ seed: 774, numRuns: cases(300) })

interface Row {
  readonly postcode: Postcode
  readonly lat_e7: number
  readonly lon_e7: number
  readonly active: boolean
}

const code = (text: string): Postcode => text as Postcode
const place = (text: string, name: string, zone?: string): Place =>
  zone === undefined ? { code: text as PartialPostcode, name } : { code: text as PartialPostcode, name, zone }

const builderOf = (rows: ReadonlyArray<Row>): DirectoryBuilder => {
  const builder = new DirectoryBuilder()
  for (const { active, lat_e7, lon_e7, postcode } of rows) {
    builder.addUnit(postcode, { lat: fromE7(lat_e7), lon: fromE7(lon_e7) }, active)
  }
  return builder
}

/** Units at arbitrary places, given as "code" or "code retired". */
const directoryOf = (...units: ReadonlyArray<string>): Directory =>
  directoryFrom(
    builderOf(
      units.map((unit, index) => ({
        postcode: code(unit.slice(0, 15)),
        lat_e7: 60_000_000 + index,
        lon_e7: 30_000_000 - index,
        active: !unit.endsWith("retired")
      }))
    )
  )

const letters = "ABYZ"
const everything = "09AZ"
const anyOf = (characters: string, length: number) =>
  fc.array(fc.constantFrom(...characters), { minLength: length, maxLength: length }).map((chosen) => chosen.join(""))
/** Postcodes of few different characters, so that they share segments. */
const postcode = fc
  .tuple(anyOf(letters, 2), anyOf("09", 2), anyOf(everything, 3), anyOf(letters, 2), anyOf("0189", 2))
  .map((parts) => code(parts.join("-")))
const row = fc.record({
  postcode,
  lat_e7: fc.integer({ min: -900_000_000, max: 900_000_000 }),
  lon_e7: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
  active: fc.boolean()
})
const distinctRows = fc.uniqueArray(row, { selector: (one) => one.postcode, maxLength: 60 })

describe("packed codes", () => {
  it("are unpacked to the same postcodes, and sort in the same order", () => {
    fc.assert(
      fc.property(postcode, postcode, (a, b) => {
        expect(unpack(pack(a))).toBe(a)
        expect(Math.sign(pack(a) - pack(b))).toBe(compare(a, b))
      })
    )
  })

  it("range from AA-00-000-AA-00 to ZZ-99-ZZZ-ZZ-99, all exact as numbers", () => {
    expect(pack(code("AA-00-000-AA-00"))).toBe(0)
    expect(pack(code("ZZ-99-ZZZ-ZZ-99"))).toBe(packedCodes - 1)
    expect(packedCodes).toBeLessThan(2 ** 53)
    for (const malformed of ["", "LA12A03BG07", "LA-12-A03-BG-O7"]) {
      expect(() => pack(malformed as Postcode)).toThrow(
        new RangeError("postcode: expected canonical format, like LA-12-A03-BG-07")
      )
    }
    expect(unpack(packSegments(25, 12, 36, 27, 7))).toBe("AZ-12-010-BB-07")
    expect(Object.values(segmentValues).reduce((product, values) => product * values)).toBe(packedCodes)
  })
})

describe("a directory", () => {
  it("has exactly the units of its rows, in any order", () => {
    fc.assert(
      fc.property(distinctRows, postcode, (rows, other) => {
        const { directory, rowOfUnit } = succeeded(builderOf(rows).build())
        const inOrder = [...rows].sort((a, b) => compare(a.postcode, b.postcode))
        expect(directory.size).toBe(rows.length)
        expect(directory.activeSize).toBe(rows.filter((one) => one.active).length)
        for (const [id, expected] of inOrder.entries()) {
          expect(directory.find(expected.postcode)).toBe(id)
          expect(directory.postcodeAt(id)).toBe(expected.postcode)
          expect(directory.coordinateAt(id)).toEqual({ lat: fromE7(expected.lat_e7), lon: fromE7(expected.lon_e7) })
          expect(directory.isActive(id)).toBe(expected.active)
          expect(directory.status(expected.postcode)).toBe(expected.active ? "active" : "retired")
          expect(rows[rowOfUnit[id] as number]).toBe(expected)
        }
        if (rows.every((one) => one.postcode !== other)) {
          expect(directory.find(other)).toBe(-1)
          expect(directory.status(other)).toBe("unknown")
        }
      })
    )
  })

  it("lists the branches that hold an active unit, in code order, and no others", () => {
    fc.assert(
      fc.property(distinctRows, (rows) => {
        const directory = directoryFrom(builderOf(rows))
        const active = rows.filter((one) => one.active).map((one) => segments(one.postcode))
        const distinct = (codes: ReadonlyArray<string>) => [...new Set(codes)].sort().map((found) => ({ code: found }))
        expect(directory.states()).toEqual(distinct(active.map((unit) => unit.state)))
        for (const { district, lga, state } of rows.map((one) => segments(one.postcode))) {
          const inState = active.filter((unit) => unit.state === state)
          const inLga = inState.filter((unit) => unit.lga === lga)
          const inDistrict = inLga.filter((unit) => unit.district === district)
          const orNothing = (codes: ReadonlyArray<string>) => (codes.length === 0 ? undefined : distinct(codes))
          expect(directory.lgas(state)).toEqual(orNothing(inState.map((unit) => unit.lga)))
          expect(directory.districts(state, lga)).toEqual(orNothing(inLga.map((unit) => unit.district)))
          expect(directory.areas(state, lga, district)).toEqual(orNothing(inDistrict.map((unit) => unit.area)))
        }
      })
    )
  })

  it("counts the branches that hold an active unit", () => {
    const several = directoryOf(
      "KN-10-A01-AA-01",
      "LA-11-A01-AA-01 retired",
      "LA-12-A03-BG-07",
      "LA-12-A03-BG-08",
      "LA-12-A03-BH-07",
      "LA-12-A04-BG-07",
      "LA-12-A04-BK-07 retired",
      "LA-13-A04-BG-07"
    )
    expect(several.branchCounts()).toEqual({ states: 2, lgas: 3, districts: 4, areas: 5 })
    fc.assert(
      fc.property(distinctRows, (rows) => {
        const active = rows.filter((one) => one.active).map((one) => one.postcode.split("-"))
        const count = (depth: number) => new Set(active.map((parts) => parts.slice(0, depth).join("-"))).size
        const expected = { states: count(1), lgas: count(2), districts: count(3), areas: count(4) }
        expect(directoryFrom(builderOf(rows)).branchCounts()).toEqual(expected)
      })
    )
  })

  it("puts many shuffled units in order", () => {
    const count = 50_000
    const builder = new DirectoryBuilder({ capacity: 10 })
    // 7,919 and 50,000 have no factor in common, so every number comes once.
    for (let step = 0; step < count; step++) {
      const number = (step * 7_919) % count
      const packed = packSegments(number % 500, number % 97, number % 40_000, number % 600, number % 100)
      builder.addPackedUnit(packed, number, -number, number % 3 > 0)
    }
    const { directory, rowOfUnit } = succeeded(builder.build())
    expect(directory.size).toBe(count)
    for (let id = 0; id < count; id++) {
      const number = ((rowOfUnit[id] as number) * 7_919) % count
      expect(directory.find(directory.postcodeAt(id))).toBe(id)
      expect(directory.coordinateAt(id).lat).toBe(fromE7(number))
      expect(directory.isActive(id)).toBe(number % 3 > 0)
      if (id > 0) expect(compare(directory.postcodeAt(id - 1), directory.postcodeAt(id))).toBe(-1)
    }
  })

  it("can be empty", () => {
    const directory = directoryOf()
    expect([directory.size, directory.activeSize, directory.find(code("LA-12-A03-BG-07"))]).toEqual([0, 0, -1])
    expect(directory.states()).toEqual([])
    expect(directory.lgas("LA")).toBeUndefined()
  })

  it("refuses an unknown id", () => {
    const directory = directoryOf("LA-12-A03-BG-07")
    for (const id of [-1, 1, 0.5, Number.NaN]) {
      expect(() => directory.postcodeAt(id)).toThrow(RangeError)
      expect(() => directory.coordinateAt(id)).toThrow(RangeError)
      expect(() => directory.isActive(id)).toThrow(RangeError)
    }
  })

  it("lists nothing under a code that is malformed, in lower case or without an active unit", () => {
    const directory = directoryOf("LA-12-A03-BG-07", "LA-13-A03-BG-07 retired", "KN-01-A03-BG-07 retired")
    for (const state of ["", "L", "la", "LAG", "12", "KN", "QQ", "ＬＡ"]) expect(directory.lgas(state)).toBeUndefined()
    for (const lga of ["", "1", "123", "LA", "13", "14"]) expect(directory.districts("LA", lga)).toBeUndefined()
    for (const district of ["", "a03", "A04"]) expect(directory.areas("LA", "12", district)).toBeUndefined()
    expect(directory.areas("LA", "12", "A03")).toEqual([{ code: "BG" }])
  })

  it("has the version and date of its edition", () => {
    const built = succeeded(new DirectoryBuilder({ version: "2026-1", date: "2026-01-31" }).build())
    expect([built.directory.version, built.directory.date]).toEqual(["2026-1", "2026-01-31"])
  })
})

describe("names", () => {
  const builder = new DirectoryBuilder()
  for (const one of [
    place("LA", "Lagos", "South West"),
    place("LA-12", "Ikorodu"),
    place("KN", "Kano", "North West"),
    place("KN-22", "Kano Municipal")
  ]) {
    expect(builder.addPlace(one)).toEqual({ ok: true })
  }
  builder.addUnit(code("LA-12-A03-BG-07"), { lat: 6.6, lon: 3.5 }, true)
  builder.addUnit(code("LA-13-A03-BG-07"), { lat: 6.6, lon: 3.5 }, true)
  builder.addUnit(code("ZZ-00-A03-BG-07"), { lat: 6.6, lon: 3.5 }, true)
  const directory = directoryFrom(builder)

  it("are listed with their codes", () => {
    expect(directory.states()).toEqual([{ code: "LA", name: "Lagos" }, { code: "ZZ" }])
    expect(directory.lgas("LA")).toEqual([{ code: "12", name: "Ikorodu" }, { code: "13" }])
  })

  it("are returned for any postcode, even if its unit does not exist", () => {
    const lagos = { state_name: "Lagos", zone: "South West" }
    expect(directory.placeNames(code("LA-12-A03-BG-07"))).toEqual({ ...lagos, lga_name: "Ikorodu" })
    expect(directory.placeNames(code("LA-99-ZZZ-ZZ-99"))).toEqual(lagos)
    expect(directory.placeNames(code("KN-22-000-AA-00"))).toEqual({
      state_name: "Kano",
      lga_name: "Kano Municipal",
      zone: "North West"
    })
    expect(directory.placeNames(code("ZZ-00-A03-BG-07"))).toEqual({})
    expect(directory.placeNames("LA12A03BG07" as Postcode)).toEqual({})
  })

  it.each([
    [place("L", "Lagos"), "code: state: expected 2 letters at position 0"],
    [place("la-13", "Kosofe"), "code: expected a state or an LGA, like LA or LA-12"],
    [place("LA-12-A03", "Ward"), "code: expected a state or an LGA, like LA or LA-12"],
    [place("LA-13", " "), "name: expected a name, found nothing"],
    [place("LA-13", "Kosofe", "South West"), "zone: expected none, as a zone belongs to a state"],
    [place("LA", "Lagos"), "code: LA came before"],
    [place("OG-01", "Abeokuta North"), "code: the state OG is missing; states come before their LGAs"]
  ])("are refused with a reason: %o", (one, reason) => {
    expect(builder.addPlace(one)).toEqual({ ok: false, reason })
  })
})

describe("a builder", () => {
  it("reports every row that repeats a postcode, with the first row that has it", () => {
    const builder = builderOf([])
    for (const text of [
      "LA-12-A03-BG-07",
      "LA-12-A03-BG-06",
      "LA-12-A03-BG-07",
      "LA-12-A03-BG-06",
      "LA-12-A03-BG-07"
    ]) {
      builder.addUnit(code(text), { lat: 6, lon: 3 }, true)
    }
    const duplicates = [
      { postcode: "LA-12-A03-BG-07", rows: [0, 2] },
      { postcode: "LA-12-A03-BG-06", rows: [1, 3] },
      { postcode: "LA-12-A03-BG-07", rows: [0, 4] }
    ]
    expect([...builder.duplicates()]).toEqual(duplicates)
    const refused = builder.build()
    expect(refused.ok).toBe(false)
    expect([...refused.duplicates]).toEqual(duplicates)
    const built = succeeded(builder.build({ skipDuplicates: true }))
    expect([...built.duplicates]).toEqual(duplicates)
    expect([...built.rowOfUnit]).toEqual([1, 0])
    expect(built.directory.size).toBe(2)
  })

  it("numbers rows in order, and refuses invalid units", () => {
    const builder = new DirectoryBuilder()
    expect(builder.addUnit(code("LA-12-A03-BG-07"), { lat: 90, lon: 180 }, true)).toBe(0)
    expect(builder.addPackedUnit(0, -900_000_000, -1_800_000_000, true)).toBe(1)
    for (const [packed, lat_e7, lon_e7] of [
      [-1, 0, 0],
      [packedCodes, 0, 0],
      [0.5, 0, 0],
      [0, 900_000_001, 0],
      [0, 0, -1_800_000_001],
      [0, 0.5, 0],
      [0, 0, Number.NaN]
    ] as const) {
      expect(() => builder.addPackedUnit(packed, lat_e7, lon_e7, true)).toThrow(RangeError)
    }
    for (const coordinate of [
      { lat: 90.1, lon: 0 },
      { lat: 0, lon: -180.1 },
      { lat: Number.NaN, lon: 0 }
    ]) {
      expect(() => builder.addUnit(code("LA-12-A03-BG-08"), coordinate, true)).toThrow(RangeError)
    }
    expect(builder.addUnit(code("LA-12-A03-BG-08"), { lat: 0, lon: 0 }, true)).toBe(2)
  })
})
