import { complete } from "@postcode/core/Autocomplete"
import type { Postcode } from "@postcode/core/Postcode"
import { demoDirectory } from "@postcode/demo"
import { describe, expect, it } from "vitest"
import { activePackedCodesOf, completeByBinarySearch, hasPackedCode, packedCodesOf } from "./PackedCodes.ts"

const { directory } = demoDirectory({ units: 3_000 })

describe("packed codes", () => {
  it("hold every unit of the directory in order, and no other", () => {
    const codes = packedCodesOf(directory)
    expect(codes).toHaveLength(3_000)
    expect(codes).toEqual(codes.toSorted())
    for (let id = 0; id < directory.size; id++) expect(hasPackedCode(codes, directory.postcodeAt(id))).toBe(true)
    for (const absent of ["AA-00-000-AA-00", "ZZ-99-ZZZ-ZZ-99"]) {
      expect(hasPackedCode(codes, absent as Postcode)).toBe(false)
    }
  })

  it("complete to the same codes as the directory does, at every length", () => {
    const codes = activePackedCodesOf(directory)
    for (let id = 7; id < directory.size; id += 97) {
      const postcode = directory.postcodeAt(id)
      if (!directory.isActive(id)) continue
      for (let length = 0; length < postcode.length; length++) {
        const text = postcode.slice(0, length)
        const found = completeByBinarySearch(codes, text, 20)
        expect(found.length).toBeGreaterThan(0)
        expect(
          complete(directory, text, 20)
            .suggestions.slice(0, found.length)
            .map(({ code }) => code)
        ).toEqual(found)
      }
    }
  })
})
