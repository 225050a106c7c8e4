import { DirectoryReader, placeColumns, unitColumns } from "@postcode/core/Csv"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { describe, expect, it } from "vitest"
import { demoDirectory, demoPlacesCsv, demoUnitsCsv } from "../src/index.ts"

const size = { units: 40_000, seed: 11 }

const readBack = () => {
  const known: Array<UnitAttributes> = []
  const reader = new DirectoryReader({
    version: "demo-40000-11",
    onBadRow: ({ file, line, reason }) => expect.unreachable(`${file}.csv:${line} ${reason}`),
    onAttributes: (row, attributes) => {
      known[row] = attributes
    }
  })
  reader.writePlaces(demoPlacesCsv())
  for (const { text } of demoUnitsCsv(size)) reader.writeUnits(text)
  const read = reader.finish()
  if (!read.ok) throw new Error(`${read.badRows} bad rows`)
  return { ...read, known }
}

describe("demonstration as CSV", () => {
  it("read back, is the same directory: places, codes, coordinates and status", () => {
    const { directory } = demoDirectory(size)
    const read = readBack()
    expect(read.badRows).toBe(0)
    expect(read.directory.size).toBe(40_000)
    expect(read.directory.contents).toEqual(directory.contents)
  })

  it("read back, has the same attributes, unknown ones included", () => {
    const { attributes } = demoDirectory(size)
    const { known, rowOfUnit } = readBack()
    for (let id = 0; id < size.units; id++) {
      if (JSON.stringify(known[rowOfUnit[id] ?? 0]) !== JSON.stringify(attributes(id))) {
        expect(known[rowOfUnit[id] ?? 0]).toEqual(attributes(id))
      }
    }
    expect(known).toHaveLength(size.units)
  })

  it("places.csv has its header and a line for each state and LGA, zones at states only", () => {
    const lines = demoPlacesCsv().trimEnd().split("\n")
    expect(lines[0]).toBe(placeColumns.join(","))
    expect(lines).toHaveLength(1 + 37 + 774)
    expect(lines).toContain("LA,Lagos,South West")
    expect(lines).toContain("LA-11,Ikeja,")
  })

  it("units.csv has its header once, and comes in pieces of whole lines that say how many units they hold", () => {
    let units = 0
    let first = true
    for (const piece of demoUnitsCsv(size)) {
      expect(piece.text.endsWith("\n")).toBe(true)
      const lines = piece.text.trimEnd().split("\n")
      expect(lines[0] === unitColumns.join(",")).toBe(first)
      expect(lines).toHaveLength(piece.units + (first ? 1 : 0))
      expect(piece.text.length).toBeLessThan(4_000_000)
      units += piece.units
      first = false
    }
    expect(units).toBe(size.units)
  })

  it("refuses a size that it cannot have", () => {
    expect(() => demoUnitsCsv({ units: 1.5 }).next()).toThrow(RangeError)
  })
})
