import { complete } from "@postcode/core/Autocomplete"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode } from "@postcode/core/Postcode"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { writeCompletion, writeValidity } from "../src/AnswerJson.ts"
import { anyPostcode } from "./anyPostcode.ts"

const settings = { seed: 20_260_131, numRuns: 100 }

describe("an answer that is written by hand is what JSON.stringify writes", () => {
  it("completions, also of names that need escapes", () => {
    const suggestion = fc.record({ code: fc.string({ unit: "binary" }), label: fc.string({ unit: "binary" }) })
    const segment = fc.constantFrom("state", "lga", "district", "area", "unit")
    fc.assert(
      fc.property(fc.record({ segment, suggestions: fc.array(suggestion, { maxLength: 8 }) }), (completion) => {
        const expected = JSON.stringify(completion)
        expect(writeCompletion(completion)).toBe(expected)
        // Those that were written before.
        expect(writeCompletion(completion)).toBe(expected)
      }),
      settings
    )
  })

  it("completions as they come from a directory", () => {
    const builder = new DirectoryBuilder({ version: "2026-1", date: "2026-01-31" })
    builder.addPlace({ code: "LA" as PartialPostcode, name: 'Lagos "Èkó"' })
    for (const code of fc.sample(anyPostcode, { ...settings, numRuns: 50 }))
      builder.addUnit(code, { lat: 6, lon: 3 }, true)
    const built = builder.build()
    if (!built.ok) throw new Error("it can be built")
    for (const q of ["", "l", "la", "lag", "a", "b1", "nothing"]) {
      const completion = complete(built.directory, q, 20)
      expect(writeCompletion(completion)).toBe(JSON.stringify(completion))
    }
  })

  it("whether a postcode is valid", () => {
    fc.assert(
      fc.property(anyPostcode, fc.boolean(), (postcode, valid) => {
        expect(writeValidity({ postcode, valid })).toBe(JSON.stringify({ postcode, valid }))
      }),
      settings
    )
  })
})
