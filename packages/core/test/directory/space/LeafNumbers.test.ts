import { describe, expect, it } from "vitest"
import { ownArrays } from "../../../src/directory/Arrays.ts"
import { leafNumbersFault, leafOf, packLeafNumbers } from "../../../src/directory/space/LeafNumbers.ts"

describe("leaf numbers", () => {
  it.each([0, 1, 65_535, 65_536, 200_000])("return the leaf of each unit at any span, from %d on", (least) => {
    for (const span of [1, 65_534, 65_535, 65_536, 131_072]) {
      for (const count of [2, 64, 65, 130]) {
        const leaves = Uint32Array.from({ length: count }, (_, unit) => least + (unit % 3 === 1 ? span : unit % 2))
        const numbers = packLeafNumbers(leaves, ownArrays)
        expect(Array.from(leaves, (_, unit) => leafOf(numbers, unit))).toEqual([...leaves])
        expect(leafNumbersFault(numbers, count, least + span + 1)).toBeUndefined()
        expect(leafNumbersFault(numbers, count, least + span)).toMatch(/^leafBlocks: expected a block of leaves below/)
      }
    }
  })
})
