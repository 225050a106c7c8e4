import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../../test/Cases.ts"
import { randomNumbers } from "../../../../../test/RandomNumbers.ts"
import { sharedArrays } from "../../../src/directory/Arrays.ts"
import { checkSpatialIndex } from "../../../src/directory/snapshot/checkSpatialIndex.ts"
import {
  blockAt,
  buildSpatialIndex,
  hideUnit,
  isVisible,
  latOf_e7,
  leafStart,
  lonOf_e7,
  type SpatialIndex,
  unitCount,
  withOwnVisibility
} from "../../../src/directory/space/SpatialIndex.ts"
import { axisOf, lineCount, lineOffset, rootSlot, slotsOfLine } from "../../../src/directory/space/SplitTree.ts"
import { fieldOf, wideMark } from "../../../src/directory/space/UnitBlocks.ts"
import { type Point, pointSets, spatialIndexOf } from "./SpatialPoints.ts"

fc.configureGlobal({ seed: 774, numRuns: cases(200) })

interface Cell {
  readonly lons: readonly [number, number]
  readonly lats: readonly [number, number]
}

/** Each leaf with what the splits above it leave of the globe, by the plainest walk there is. */
const cellsOf = ({ depth, splits }: SpatialIndex): ReadonlyArray<Cell> => {
  const cells: Array<Cell> = []
  const visit = (line: number, slot: number, level: number, { lats, lons }: Cell): void => {
    if (level === depth) {
      cells.push({ lons, lats })
      return
    }
    if (slot >= slotsOfLine) {
      visit(slotsOfLine * line + slot + lineOffset(depth), 1, level, { lons, lats })
      return
    }
    const split = splits[slotsOfLine * line + slot] as number
    const [low, high] = level % 2 === 0 ? lons : lats
    const before = [low, Math.min(high, split)] as const
    const behind = [Math.max(low, split), high] as const
    expect(axisOf(depth, slot)).toBe(level % 2)
    visit(line, 2 * slot, level + 1, level % 2 === 0 ? { lons: before, lats } : { lons, lats: before })
    visit(line, 2 * slot + 1, level + 1, level % 2 === 0 ? { lons: behind, lats } : { lons, lats: behind })
  }
  const all = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const
  visit(0, rootSlot(depth), 0, { lons: all, lats: all })
  return cells
}

/** Everything that a search relies on. What holds of every unit is compared before it is asserted, which takes longer. */
const expectSound = (index: SpatialIndex, points: ReadonlyArray<Point>): void => {
  expect(checkSpatialIndex(index, points.length)).toBeUndefined()
  expect(unitCount(index)).toBe(points.length)
  const unitsPerLeaf = points.length / 2 ** index.depth
  const ids = new Set<number>()
  const wrong: Array<number> = []
  for (const [leaf, { lats, lons }] of cellsOf(index).entries()) {
    const start = leafStart(index.drifts, unitsPerLeaf, leaf)
    const end = leafStart(index.drifts, unitsPerLeaf, leaf + 1)
    for (let position = start; position < end; position++) {
      const block = blockAt(leaf, start)
      const [lon_e7, lat_e7, id] = [0, 1, 2].map((field) => fieldOf(index, block, position - start, field)) as [
        number,
        number,
        number
      ]
      ids.add(id)
      const point = points[id] as Point
      const isItself = lon_e7 === point.lon_e7 && lat_e7 === point.lat_e7
      const isInCell = lon_e7 >= lons[0] && lon_e7 <= lons[1] && lat_e7 >= lats[0] && lat_e7 <= lats[1]
      if (!(isItself && isInCell && isVisible(index, position) === point.active)) wrong.push(id)
    }
  }
  expect(ids.size).toBe(points.length)
  for (const [id, { lat_e7, lon_e7 }] of points.entries()) {
    if (latOf_e7(index, id) !== lat_e7 || lonOf_e7(index, id) !== lon_e7) wrong.push(id)
  }
  expect(wrong).toEqual([])
}

describe("a spatial index", () => {
  it.each(Object.entries(pointSets))("has every unit once, in its cell: %s", (_, make) => {
    for (const count of [0, 1, 2, 3, 20, 21, 22, 400, 3_000]) {
      const points = make(count, randomNumbers(count))
      expectSound(spatialIndexOf(points), points)
    }
  })

  it("has every unit once in its cell, for any points", () => {
    const point = fc.record({
      lat_e7: fc.integer({ min: -900_000_000, max: 900_000_000 }),
      lon_e7: fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }),
      active: fc.boolean()
    })
    const near = fc.record({ lat_e7: fc.nat({ max: 9 }), lon_e7: fc.nat({ max: 9 }), active: fc.boolean() })
    fc.assert(
      fc.property(fc.array(fc.oneof(point, near), { maxLength: 300 }), (points) =>
        expectSound(spatialIndexOf(points), points)
      )
    )
  })

  it("is valid at any depth of its tree", () => {
    for (let depth = 0; depth <= 12; depth++) {
      const points = pointSets.towns(21 * 2 ** depth - 1, randomNumbers(depth))
      const index = spatialIndexOf(points)
      expect(index.depth).toBe(depth)
      expect(index.splits).toHaveLength(16 * lineCount(depth))
      expectSound(index, points)
    }
  })

  it("accepts the rows of units in any order", () => {
    const points = pointSets.towns(500, randomNumbers(1))
    const units = { count: points.length, rowOf: (id: number) => points.length - 1 - id }
    const lons_e7 = Int32Array.from(points, (point) => point.lon_e7).reverse()
    const lats_e7 = Int32Array.from(points, (point) => point.lat_e7).reverse()
    const active = new Uint8Array(63).fill(255)
    const index = buildSpatialIndex(units, { lats_e7, lons_e7 }, active)
    for (const [id, { lat_e7, lon_e7 }] of points.entries()) {
      expect([latOf_e7(index, id), lonOf_e7(index, id)]).toEqual([lat_e7, lon_e7])
    }
  })

  it("is the same in shared memory with the option", () => {
    const points = pointSets.towns(700, randomNumbers(2))
    const index = spatialIndexOf(points, sharedArrays())
    expect(index).toEqual(spatialIndexOf(points))
    for (const array of Object.values(index)) {
      if (typeof array !== "number") expect(array.buffer).toBeInstanceOf(SharedArrayBuffer)
    }
  })

  it("takes less than 9 bytes a unit where units lie close", () => {
    const index = spatialIndexOf(pointSets.towns(100_000, randomNumbers(3)))
    const bytes = Object.values(index).reduce(
      (sum, array) => sum + (typeof array === "number" ? 4 : array.byteLength),
      0
    )
    expect(bytes / 100_000).toBeLessThan(9)
  })

  it("hides units in a copy that shares everything else", () => {
    const points = pointSets.mixed(1_000, randomNumbers(4)).map((point) => ({ ...point, active: true }))
    const index = spatialIndexOf(points)
    const own = withOwnVisibility(index)
    for (let id = 0; id < points.length; id += 3) hideUnit(own, id)
    expectSound(index, points)
    expectSound(
      own,
      points.map((point, id) => ({ ...point, active: id % 3 !== 0 }))
    )
    expect(own.units).toBe(index.units)
  })
})

describe("the check of an index", () => {
  const points = pointSets.mixed(3_000, randomNumbers(5))
  const index = spatialIndexOf(points)
  const blocks = Array.from({ length: 2 ** index.depth }, (_, leaf) =>
    blockAt(leaf, leafStart(index.drifts, points.length / 2 ** index.depth, leaf))
  )
  const narrow = blocks.find((block) => index.units[block + 3] !== wideMark) as number
  const wide = blocks.find((block) => index.units[block + 3] === wideMark) as number
  const altered = (field: keyof SpatialIndex, at: number, value: number): SpatialIndex => {
    const array = (index[field] as Uint8Array).slice()
    array[at] = value
    return { ...index, [field]: array }
  }

  it("finds arrays that are too short or too long", () => {
    for (const field of Object.keys(index).filter((name) => name !== "depth" && name !== "highs")) {
      const array = index[field as "splits"]
      for (const length of [0, array.length - 1, array.length + 1]) {
        const other = new (array.constructor as Int32ArrayConstructor)(length)
        other.set(array.subarray(0, length))
        expect(checkSpatialIndex({ ...index, [field]: other }, points.length)).toMatch(/expected/)
      }
    }
    expect(checkSpatialIndex({ ...index, highs: index.highs.slice(0, -1) }, points.length)).toMatch(/^units: expected/)
    expect(checkSpatialIndex(index, points.length + 1)).toMatch(/^units: expected/)
    for (const depth of [-1, 0.5, 27, Number.NaN, index.depth + 1]) {
      expect(checkSpatialIndex({ ...index, depth }, points.length)).toMatch(/^(depth|splits): expected/)
    }
  })

  it("finds a leaf without units", () => {
    const unitsPerLeaf = points.length / 2 ** index.depth
    const size = leafStart(index.drifts, unitsPerLeaf, 6) - leafStart(index.drifts, unitsPerLeaf, 5)
    expect(size).toBeGreaterThan(0)
    const empty = altered("drifts", 6, (index.drifts[6] as number) - size)
    expect(checkSpatialIndex(empty, points.length)).toMatch(/^drifts: expected leaf 5 to end from/)
  })

  it("finds overlapping leaves, ids and coordinates out of range, and leaf numbers beyond the last", () => {
    expect(checkSpatialIndex(altered("drifts", 0, 129), points.length)).toMatch(/^drifts: expected the first leaf/)
    expect(checkSpatialIndex(altered("drifts", 5, 0), points.length)).toMatch(/^drifts: expected leaf 4 to end/)
    for (const { numbers, at, value } of [
      { numbers: "units", at: narrow + 1, value: 0x6b4a },
      { numbers: "units", at: narrow + 3, value: 0x35a5 },
      { numbers: "units", at: narrow + 5, value: 1 },
      { numbers: "units", at: wide + 1, value: 1 },
      { numbers: "highs", at: 0, value: 0x6b4a },
      { numbers: "highs", at: 1, value: 0x35a5 },
      { numbers: "highs", at: 2, value: 1 }
    ] as const) {
      expect(checkSpatialIndex(altered(numbers, at, value), points.length)).toMatch(/: expected .* in leaf \d+$/)
    }
    expect(checkSpatialIndex(altered("leafBlockStarts", 1, 0), points.length)).toMatch(/^leafBlockStarts: expected/)
    expect(checkSpatialIndex(altered("leafBlocks", 1, 0x7fff), points.length)).toMatch(/^leafBlocks: expected/)
    const last = spatialIndexOf(points.slice(0, 2_999))
    expect(checkSpatialIndex({ ...last, visible: last.visible.map(() => 255) }, 2_999)).toMatch(/^visible: expected/)
  })

  it("finds every altered number that would make a search leave the arrays", () => {
    const next = randomNumbers(6)
    const fields = ["splits", "drifts", "units", "highs", "leafBlocks", "leafBlockStarts", "visible"] as const
    const outside: Array<readonly [string, number]> = []
    let passed = 0
    for (let round = 0; round < 1_500; round++) {
      const field = fields[round % fields.length] as (typeof fields)[number]
      const other = altered(field, Math.floor(next() * index[field].length), Math.floor(next() * 2 ** 32))
      if (checkSpatialIndex(other, points.length) !== undefined) continue
      passed++
      for (let id = round % 7; id < points.length; id += 7) {
        const [lat_e7, lon_e7] = [latOf_e7(other, id), lonOf_e7(other, id)]
        if (!(Math.abs(lat_e7) <= 900_000_000 && Math.abs(lon_e7) <= 1_800_000_000)) outside.push([field, id])
      }
    }
    expect(outside).toEqual([])
    expect(passed).toBeGreaterThan(100)
  })
})
