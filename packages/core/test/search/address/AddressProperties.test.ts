// Properties that hold for every text, and a reference implementation for the index.
import { searchAddress } from "@postcode/core/AddressSearch"
import type { Directory } from "@postcode/core/Directory"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fixtureDirectory, fixtureUnits } from "./AddressFixture.ts"
import { fuzzedText } from "./FuzzedTexts.ts"

const directory = fixtureDirectory()

describe("searchAddress, for every text", () => {
  it("returns a code that exists, with its precision", () => {
    fc.assert(
      fc.property(fuzzedText, (text) => {
        const { candidates, code, precision } = searchAddress(directory, text)
        for (const one of [{ code, precision }, ...candidates]) {
          if (one.code === null) expect(one.precision).toBeNull()
          else
            expect([one.code, isCodeOf(directory, one.code), one.precision]).toEqual([
              one.code,
              true,
              precisions[one.code.length]
            ])
        }
        expect(candidates.length).toBeLessThanOrEqual(5)
        expect(candidates.every(({ probability }) => probability >= 0 && probability <= 1)).toBe(true)
      }),
      { numRuns: 300 }
    )
  })

  it("shows nothing below an LGA if that is the limit", () => {
    const secrets = fixtureUnits.flatMap(([, locality, address]) => [locality, ...address.split(", ")])
    const open = new Set([...directory.places.map(({ name }) => name), "Ikeja", "Kogi"])
    const texts = fc.oneof(fuzzedText, fc.constantFrom(...fixtureUnits.flatMap(([code, , address]) => [code, address])))
    fc.assert(
      fc.property(texts, (text) => {
        const { understood, ...answer } = searchAddress(directory, text, { finest: "lga", limit: 20 })
        expect([null, "lga", "state"]).toContain(answer.precision)
        expect(answer.candidates.every(({ code }) => code.length <= 5)).toBe(true)
        expect([understood.name, understood.locality]).toEqual([null, null])
        const shown = JSON.stringify([answer.label, answer.candidates])
        const told = secrets.filter((secret) => !open.has(secret) && shown.includes(secret))
        expect(told).toEqual([])
      }),
      { numRuns: 300 }
    )
  })

  it("finds the same unit for the parts of an address in any order", () => {
    for (const [code, , address] of fixtureUnits) {
      const parts = address.split(", ")
      if (/^\d|^Flat/.test(address)) continue
      const expected = searchAddress(directory, address)
      if (expected.code !== code) continue
      fc.assert(
        fc.property(fc.shuffledSubarray(parts, { minLength: parts.length }), (shuffled) => {
          expect(searchAddress(directory, shuffled.join(", ")).candidates[0]?.code).toBe(code)
        }),
        { numRuns: 5 }
      )
    }
  })
})

describe("the address index", () => {
  it("finds each name and each house number of the rows", () => {
    // The reference implementation: rows with the same words.
    const wordsOf = (text: string) => [...new Set(text.toLowerCase().match(/[a-z0-9]+/g))].sort().join(" ")
    for (const [code, , address] of fixtureUnits) {
      const same = fixtureUnits.filter(([, , other]) => wordsOf(other) === wordsOf(address)).map(([one]) => one)
      const { candidates } = searchAddress(directory, address, { limit: 20 })
      expect(
        candidates.map((candidate) => candidate.code),
        address
      ).toContain(candidates[0]?.precision === "unit" ? code : code.slice(0, 12))
      if (same.length === 1 && candidates[0]?.precision === "unit") expect(candidates[0].code).toBe(code)
    }
  })
})

const precisions: Readonly<Record<number, string>> = { 2: "state", 5: "lga", 9: "district", 12: "area", 15: "unit" }

/** Whether a unit or a place has a code. */
const isCodeOf = (of: Directory, code: string): boolean =>
  fixtureUnits.some(([postcode]) => postcode.startsWith(code)) || of.places.some((place) => place.code === code)
