// Compared with a count and a mean over all units, as completion shows both.
import { complete } from "@postcode/core/Autocomplete"
import { isNullIsland } from "@postcode/core/Coordinate"
import type { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { LiveDirectory, type UnitChange } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import { describe, expect, it } from "vitest"
import { randomNumbers } from "../../../../test/RandomNumbers.ts"
import { directoryFrom } from "./BuiltDirectory.ts"

const branches = ["LA-12-A03", "LA-12-A0Z", "LA-12-B07", "ZZ-00-000"].flatMap((district) =>
  ["AA", "BG", "ZZ"].map((area) => `${district}-${area}`)
)

const next = randomNumbers(24)
const one = <T>(values: ReadonlyArray<T>): T => values[Math.floor(next() * values.length)] as T
const anyPostcode = () => `${one(branches)}-${String(Math.floor(next() * 100)).padStart(2, "0")}` as Postcode
/** Around the equator and Greenwich, so that means of either sign and 0 occur. */
const anyCoordinate = () => ({ lat: (next() - 0.5) * 0.02, lon: (next() - 0.5) * 0.02 })

const everyPostcode = branches.flatMap((area) =>
  Array.from({ length: 100 }, (_, unit) => `${area}-${String(unit).padStart(2, "0")}` as Postcode)
)

/** What completion has to show of a branch. */
const expectedOf = (directory: Directory, prefix: string) => {
  const below = everyPostcode
    .filter((postcode) => postcode.startsWith(`${prefix}-`) && directory.status(postcode) === "active")
    .map((postcode) => directory.find(postcode))
  const located = below.map((id) => directory.coordinateAt(id)).filter((point) => !isNullIsland(point))
  const mean = (field: "lat" | "lon") => {
    const sum_e7 = located.reduce((sum, point) => sum + Math.round(point[field] * 1e7), 0)
    return Number((Math.round(sum_e7 / located.length / 1e4) / 1e3 + 0).toFixed(3))
  }
  if (located.length < 20) return { units: below.length }
  return { units: below.length, centre: { lat: mean("lat"), lng: mean("lon") } }
}

const expectRight = (directory: Directory): void => {
  for (const parent of ["LA-12", "ZZ-00", "LA-12-A03", "LA-12-A0Z", "LA-12-B07", "ZZ-00-000"]) {
    for (const suggestion of complete(directory, parent, 100).suggestions) {
      const { code: _, label: __, prefix, ...below } = suggestion
      expect(below, prefix).toEqual(expectedOf(directory, prefix))
    }
  }
}

const build = (units: number): Directory => {
  const builder = new DirectoryBuilder()
  const postcodes = new Set(Array.from({ length: units }, anyPostcode))
  for (const postcode of postcodes) builder.addUnit(postcode, anyCoordinate(), next() < 0.8)
  return directoryFrom(builder)
}

const anyChange = (directory: Directory): UnitChange => {
  const postcode = anyPostcode()
  const status = directory.status(postcode)
  if (status === "unknown") return { change: "add", postcode, coordinate: anyCoordinate() }
  if (next() < 0.3) return { change: "move", postcode, coordinate: anyCoordinate() }
  return { change: status === "active" ? "retire" : "reactivate", postcode }
}

describe("the units below a district or an area", () => {
  it("are counted, with their centre from 20 units on", () => {
    for (const units of [0, 1, 50, 200, 700]) expectRight(build(units))
  })

  it("follow every change, and the earlier directory stays as it was", () => {
    for (const units of [0, 60, 500]) {
      const first = build(units)
      const before = complete(first, "LA-12", 100)
      const live = new LiveDirectory(first)
      for (let step = 0; step < 40; step++) {
        const changes = Array.from({ length: one([1, 1, 3, 20]) }, () => anyChange(live.current))
        for (const change of changes) live.apply([change])
        expectRight(live.current)
      }
      expect(complete(first, "LA-12", 100)).toEqual(before)
      expectRight(live.current)
    }
  })

  it("show no centre of 19 units, so that it does not reveal a unit's coordinate", () => {
    const builder = new DirectoryBuilder()
    for (let unit = 0; unit < 20; unit++) {
      const postcode = `LA-12-A03-AA-${String(unit).padStart(2, "0")}` as Postcode
      builder.addUnit(postcode, { lat: 6.5004 + unit / 1e4, lon: 3.3 }, true)
    }
    const live = new LiveDirectory(directoryFrom(builder))
    const shown = () => complete(live.current, "LA-12-A03", 1).suggestions[0]
    expect(shown()).toMatchObject({ units: 20, centre: { lat: 6.501, lng: 3.3 } })
    live.apply([{ change: "retire", postcode: "LA-12-A03-AA-07" as Postcode }])
    expect(shown()).toEqual({ code: "AA", label: "AA", prefix: "LA-12-A03-AA", units: 19 })
  })
})
