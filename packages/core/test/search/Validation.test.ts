import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { validate, whyNoPostcode } from "@postcode/core/Validation"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { directoryFrom } from "../directory/BuiltDirectory.ts"

const builder = new DirectoryBuilder()
for (const [code, name] of [
  ["LA", "Lagos"],
  ["LA-12", "Ikeja"],
  ["QA", "La-1 State"]
] as const) {
  builder.addPlace({ code: code as PartialPostcode, name })
}
for (const [code, active, replaced_by] of [
  ["LA-12-A03-BG-07", true],
  ["LA-12-A03-BG-70", false],
  ["LA-12-A03-CC-01", false],
  ["KN-01-A03-BG-07", false],
  ["LA-12-A03-DD-01", false, "LA-12-A03-DD-02"]
] as const) {
  builder.addUnit(code as Postcode, { lat: 6, lon: 3 }, active, { replaced_by: replaced_by as Postcode | undefined })
}
const directory = directoryFrom(builder)

describe("a text is", () => {
  it("valid in any format of an active unit, without a reason", () => {
    for (const text of ["LA-12-A03-BG-07", " la 12 a03 bg 07 ", "LA12A03BG07"]) {
      const postcode = "LA-12-A03-BG-07"
      expect(validate(directory, text)).toEqual({ status: "valid", postcode, reason: undefined, candidates: [] })
    }
  })

  it("retired if the unit is retired, with active units that may have been meant", () => {
    expect(validate(directory, "la12a03bg70")).toEqual({
      status: "retired",
      postcode: "LA-12-A03-BG-70",
      reason: "the unit is retired",
      candidates: ["LA-12-A03-BG-07"]
    })
  })

  it("retired with its successor, if that is known", () => {
    expect(validate(directory, "LA-12-A03-DD-01")).toMatchObject({ status: "retired", replaced_by: "LA-12-A03-DD-02" })
    expect(validate(directory, "LA-12-A03-DD-02")).toMatchObject({ status: "not_found", replaced_by: undefined })
  })

  it.each([
    ["QQ-12-A03-BG-07", "no active unit is in state QQ"],
    ["KN-01-A03-BG-08", "no active unit is in state KN"],
    ["QA-12-A03-BG-07", "no active unit is in state QA"],
    ["LA-13-A03-BG-07", "no active unit is in lga LA-13"],
    ["LA-12-A04-BG-07", "no active unit is in district LA-12-A04"],
    ["LA-12-A03-CC-02", "no active unit is in area LA-12-A03-CC"],
    ["LA-12-A03-BG-08", "area LA-12-A03-BG has no unit 08"]
  ])("not_found, with the first segment that does not exist: %s", (text, reason) => {
    expect(validate(directory, text)).toMatchObject({ status: "not_found", postcode: text, reason })
  })

  it("malformed, with the expected characters, the position and candidates", () => {
    expect(validate(directory, "LA-12-AO3-BG-O7")).toEqual({
      status: "malformed",
      postcode: undefined,
      reason: "unit: expected 2 digits at position 13",
      candidates: []
    })
    expect(validate(directory, "LA-12-A03-BG-O7").candidates).toEqual(["LA-12-A03-BG-07"])
  })

  it("malformed if it is empty", () => {
    for (const text of ["", " \t"]) {
      expect(validate(directory, text)).toMatchObject({ status: "malformed", reason: "there is no postcode" })
    }
  })
})

it("no candidates are searched if none are requested", () => {
  expect(validate(directory, "LA-12-A03-BG-08").candidates).toEqual(["LA-12-A03-BG-07"])
  expect(validate(directory, "LA-12-A03-BG-08", 0).candidates).toEqual([])
})

it.each([
  ["N/A", "this says that there is no postcode"],
  ["NULL", "this says that there is no postcode"],
  ["nil", "this says that there is no postcode"],
  [" - ", "this says that there is no postcode"],
  ["", "there is no postcode"],
  ["\u200b", "there is no postcode"],
  ["100001", "six digits are a code of the former postal system, and no postcode"],
  ["100 271", "six digits are a code of the former postal system, and no postcode"]
])("%j has no postcode, and a reason of its own", (text, reason) => {
  expect(validate(directory, text)).toMatchObject({ status: "malformed", reason })
  expect(whyNoPostcode(text)).toBeDefined()
  expect(whyNoPostcode("LA-12")).toBeUndefined()
})

it("any text has a result, and a malformed one is not repeated", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 30 }), (text) => {
      const { candidates, postcode, reason, status } = validate(directory, `#${text}`)
      expect({ status, postcode, candidates }).toEqual({ status: "malformed", postcode: undefined, candidates: [] })
      expect(reason).toBe("state: expected 2 letters at position 0")
    }),
    { seed: 774, numRuns: 2_000 }
  )
  const nothing = undefined as unknown as string
  expect(validate(directory, nothing)).toMatchObject({ status: "malformed", candidates: [] })
})
