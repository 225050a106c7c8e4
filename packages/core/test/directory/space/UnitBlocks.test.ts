import { describe, expect, it } from "vitest"
import { ownArrays } from "../../../src/directory/Arrays.ts"
import { fieldOf, packUnits, wideMark } from "../../../src/directory/space/UnitBlocks.ts"

/** The only leaf, with three units in their order. */
const readLeaf = (_: number, positions: Uint32Array): number => {
  positions.set([0, 1, 2])
  return 3
}

describe("the block of a leaf", () => {
  it.each([0, 1, 2])("is wide if units differ by 65,536 or more, in field %d", (field) => {
    for (const { span, isWide } of [
      { span: 65_534, isWide: false },
      { span: 65_535, isWide: false },
      { span: 65_536, isWide: true },
      { span: 65_537, isWide: true }
    ]) {
      const least = [33_947_000, -64_541_000, 7]
      const most = least.map((value, at) => (at === field ? value + span : value))
      const units = [least, most, least]
      const blocks = packUnits(
        Int32Array.from(units.flatMap((unit) => unit.slice(0, 2))),
        Uint32Array.from(units, ([, , id = 0]) => id),
        { starts: Uint32Array.of(0, 3), readLeaf },
        ownArrays
      )
      expect(blocks.units[3] === wideMark).toBe(isWide)
      expect(blocks.highs).toHaveLength(isWide ? 9 : 0)
      expect(units.map((_, rank) => [0, 1, 2].map((one) => fieldOf(blocks, 0, rank, one)))).toEqual(units)
    }
  })
})
