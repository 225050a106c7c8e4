import { complete } from "@postcode/core/Autocomplete"
import { type Directory, packSegments, unpack } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { compact, display, type Postcode, parse } from "@postcode/core/Postcode"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../test/Cases.ts"
import {
  absent,
  active,
  activeIn,
  activeWord,
  existingWord,
  firstIdIn,
  idIn,
  retired,
  statusIn,
  unitIn,
  unitsIn
} from "../../src/directory/codes/AreaUnits.ts"
import { emptyBits, setBit } from "../../src/directory/codes/BitSet.ts"
import { countBits, lowestBit } from "../../src/directory/codes/Bits.ts"
import { orderedRows } from "../../src/directory/codes/CodeOrder.ts"
import { activeBitsOf, buildTree, treeSize, writePacked } from "../../src/directory/codes/SegmentTree.ts"
import {
  areaAt,
  findPacked,
  indexOfTree,
  isActiveId,
  packedOf,
  postcodeOf
} from "../../src/directory/codes/TreeIndex.ts"
import {
  lastArea,
  lastDistrict,
  lastLga,
  lastUnit,
  readCanonical,
  readPostcode
} from "../../src/postcode/SegmentReader.ts"
import { directoryFrom } from "./BuiltDirectory.ts"

fc.configureGlobal({ seed: 31, numRuns: cases(200) })

/** Packed code → whether it is active. */
type Units = ReadonlyMap<number, boolean>

/** Values at the edges of words and bitmaps, of letters and of segments. */
const anyCode = fc
  .tuple(
    fc.constantFrom(0, 1, 25, 26, 286, 675),
    fc.constantFrom(0, 1, 12, 99),
    fc.constantFrom(0, 1, 12_963, 46_655),
    fc.constantFrom(0, 1, 25, 26, 27, 53, 650, 675),
    fc.oneof(fc.constantFrom(0, 1, 31, 32, 63, 64, 95, 96, 99), fc.integer({ min: 0, max: 99 }))
  )
  .map((values) => packSegments(...values))

const anyUnits: fc.Arbitrary<Units> = fc
  .oneof(
    fc.array(fc.tuple(anyCode, fc.boolean()), { maxLength: 200 }),
    // One full area, and some of its neighbours.
    fc
      .array(fc.tuple(fc.integer({ min: 0, max: 399 }), fc.boolean()), { minLength: 150, maxLength: 400 })
      .map((units) => units.map(([unit, isActive]) => [packSegments(286, 12, 12_963, 25, 0) + unit, isActive] as const))
  )
  .map((units) => new Map([...units].sort(([a], [b]) => a - b)))

const treeOf = (units: Units) => {
  const activeBits = emptyBits(units.size)
  for (const [id, isActive] of [...units.values()].entries()) {
    if (isActive) setBit(activeBits, id)
  }
  return { activeBits, tree: buildTree(orderedRows(units.size), Float64Array.from(units.keys()), activeBits) }
}

const directoryOf = (units: Units): Directory => {
  const builder = new DirectoryBuilder()
  for (const [code, isActive] of units) builder.addPackedUnit(code, 0, 0, isActive)
  return directoryFrom(builder)
}

describe("the tree of units", () => {
  it("returns the codes and active bits from which it was built", () => {
    fc.assert(
      fc.property(anyUnits, (units) => {
        const { activeBits, tree } = treeOf(units)
        const codes = new Float64Array(units.size)
        writePacked(tree, codes)
        expect([...codes]).toEqual([...units.keys()])
        expect(activeBitsOf(tree)).toEqual(activeBits)
        expect(treeSize(tree)).toBe(units.size)
      })
    )
  })

  it("numbers units in code order, and finds each by its number", () => {
    fc.assert(
      fc.property(anyUnits, (units) => {
        const index = indexOfTree(treeOf(units).tree)
        for (const [id, [code, isActive]] of [...units].entries()) {
          expect(findPacked(index, code)).toBe(id)
          expect(packedOf(index, id)).toBe(code)
          expect(postcodeOf(index, id)).toBe(unpack(code))
          expect(isActiveId(index, id)).toBe(isActive)
        }
      })
    )
  })

  it("finds no other unit", () => {
    fc.assert(
      fc.property(anyUnits, fc.array(anyCode), (units, others) => {
        const index = indexOfTree(treeOf(units).tree)
        const neighbours = [...units.keys()].flatMap((code) => [code - 1, code + 1, code + 100, code + 2600])
        for (const code of [...others, ...neighbours]) {
          if (code >= 0 && !units.has(code)) expect(findPacked(index, code)).toBe(-1)
        }
      })
    )
  })

  it("returns the units of an area, for any value", () => {
    fc.assert(
      fc.property(anyUnits, (units) => {
        const { areas } = treeOf(units).tree
        const codes = [...units.keys()]
        for (let area = 0; area < areas.values.length; area++) {
          const first = firstIdIn(areas.units, area)
          const areaCode = Math.floor((codes[first] as number) / 100) * 100
          let id = first
          for (let unit = 0; unit < 100; unit++) {
            const isActive = units.get(areaCode + unit)
            const state = isActive === undefined ? absent : isActive ? active : retired
            expect(statusIn(areas.units, area, unit)).toBe(state)
            expect(idIn(areas.units, area, unit)).toBe(state === absent ? -1 : id)
            if (state !== absent) expect(unitIn(areas.units, area, id++)).toBe(unit)
          }
          expect(unitsIn(areas.units, area)).toBe(id - first)
          const words = [0, 1, 2, 3]
          const counted = (wordOf: typeof activeWord) =>
            words.reduce((sum, word) => sum + countBits(wordOf(areas.units, area, word)), 0)
          expect(counted(existingWord)).toBe(id - first)
          expect(counted(activeWord)).toBe(activeIn(areas.units, area))
        }
      })
    )
  })

  it("has no unit in an unknown area", () => {
    const { areas } = treeOf(new Map([[7, true]])).tree
    expect([idIn(areas.units, -1, 7), statusIn(areas.units, -1, 7)]).toEqual([-1, absent])
    const index = indexOfTree(treeOf(new Map()).tree)
    expect(areaAt(index, 0, 0, 0)).toBe(-1)
    expect(findPacked(index, 0)).toBe(-1)
  })

  it("keeps one index for each tree", () => {
    const { tree } = treeOf(new Map([[7, true]]))
    expect(indexOfTree(tree)).toBe(indexOfTree(tree))
    expect(indexOfTree({ ...tree })).not.toBe(indexOfTree(tree))
  })

  it("finds every area of a district that has all areas, and of all districts of an LGA", () => {
    const units = new Map<number, boolean>()
    for (let area = 0; area < 676; area++) units.set(packSegments(286, 12, 7, area, area % 100), true)
    for (let district = 8; district < 46_656; district += 5) units.set(packSegments(286, 12, district, 0, 3), true)
    const index = indexOfTree(treeOf(units).tree)
    for (const [id, code] of [...units.keys()].entries()) expect(findPacked(index, code)).toBe(id)
    expect(findPacked(index, packSegments(286, 12, 9, 0, 3))).toBe(-1)
  })
})

describe("a directory", () => {
  it("completes units with the active ones of the area, in order", () => {
    fc.assert(
      fc.property(
        anyUnits,
        fc.integer({ min: 1, max: 120 }),
        fc.constantFrom("", "0", "3", "6", "9"),
        (units, limit, typed) => {
          const directory = directoryOf(units)
          const codes = [...units].filter(([, isActive]) => isActive).map(([code]) => unpack(code))
          for (const area of new Set([...units.keys()].map((code) => unpack(code).slice(0, 13)))) {
            const expected = codes.filter((code) => code.startsWith(area + typed)).slice(0, limit)
            const { suggestions } = complete(directory, area + typed, limit)
            expect(suggestions.map(({ code }) => area + code)).toEqual(expected)
          }
        }
      )
    )
  })

  it("returns the same status for any format of a postcode", () => {
    fc.assert(
      fc.property(anyUnits, fc.array(anyCode), (units, others) => {
        const directory = directoryOf(units)
        for (const code of [...units.keys(), ...others]) {
          const postcode = unpack(code)
          const isActive = units.get(code)
          const status = isActive === undefined ? "unknown" : isActive ? "active" : "retired"
          const texts = [postcode, display(postcode), compact(postcode), postcode.toLowerCase(), `\t ${postcode}  `]
          expect(texts.map((text) => directory.statusOf(text))).toEqual(texts.map(() => status))
          expect(directory.status(postcode)).toBe(status)
          expect(directory.has(postcode)).toBe(status === "active")
        }
      })
    )
  })
})

describe("reading a postcode", () => {
  const odd = fc.constantFrom(..."-  09AZaz@[`{/:\u00a0\u2013\u2212\u202f\u0130\u0141\u0661\uff21\ud800\t", "")

  it("accepts the same texts as parse, with the same result", () => {
    fc.assert(
      fc.property(
        anyCode,
        fc.nat(2),
        fc.array(fc.tuple(fc.nat(17), odd, fc.boolean()), { maxLength: 4 }),
        (code, rendering, edits) => {
          const canonical = unpack(code)
          let text: string = [canonical, display(canonical), compact(canonical)][rendering] as string
          for (const [at, character, inserts] of edits) {
            text = text.slice(0, at) + character + text.slice(inserts ? at : at + 1)
          }
          const parsed = parse(text)
          expect(readPostcode(text)).toBe(parsed.ok)
          if (parsed.ok) expect(unpack(packedOfRead())).toBe(parsed.postcode)
        }
      ),
      { numRuns: cases(5_000) }
    )
  })

  it("refuses values that are not strings, and texts that are too long", () => {
    for (const value of [undefined, null, 7, {}, ["LA-12-A03-BG-07"]]) expect(readPostcode(value as never)).toBe(false)
    expect(readPostcode(`${" ".repeat(1009)}LA-12-A03-BG-07`)).toBe(true)
    expect(readPostcode(`${" ".repeat(1010)}LA-12-A03-BG-07`)).toBe(false)
  })

  it("refuses a postcode of another length than a canonical one", () => {
    expect(readCanonical("LA12A03BG07" as Postcode)).toBe(false)
    expect(readCanonical("LA-12-A03-BG-0" as Postcode)).toBe(false)
    expect(readCanonical("LA-12-A03-BG-0x" as Postcode)).toBe(false)
    expect(readCanonical("LA-12-A03-BG-07" as Postcode)).toBe(true)
  })

  const packedOfRead = (): number =>
    packSegments(Math.floor(lastLga() / 100), lastLga() % 100, lastDistrict(), lastArea(), lastUnit())
})

describe("bits", () => {
  it("are counted, and the lowest one is found", () => {
    fc.assert(
      fc.property(fc.integer(), (word) => {
        const bits = (word >>> 0).toString(2)
        expect(countBits(word)).toBe(bits.replaceAll("0", "").length)
        expect(countBits(word >>> 0)).toBe(countBits(word))
        if (word !== 0) expect(lowestBit(word)).toBe(bits.length - 1 - bits.lastIndexOf("1"))
      })
    )
  })
})
