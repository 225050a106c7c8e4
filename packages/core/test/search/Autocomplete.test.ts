import { complete } from "@postcode/core/Autocomplete"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { compact, type PartialPostcode, type Postcode, segmentNames, segments } from "@postcode/core/Postcode"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../test/Cases.ts"
import { directoryFrom } from "../directory/BuiltDirectory.ts"
import { unescaped, vectorDirectory, vectorRows } from "../Vectors.ts"

fc.configureGlobal({ seed: 774, numRuns: cases(1_000) })

const directory = vectorDirectory("autocomplete-directory")

/** `8.5 4.5` as a point. */
const pointOf = (text: string) => {
  const [lat, lng] = text.split(" ").map(Number)
  return { lat, lng }
}

describe("the golden vectors", () => {
  it.each(vectorRows("autocomplete.csv").slice(1))(
    "q %o, limit %s → %s: %s, %s",
    (q, limit, segment, codes, ...columns) => {
      const [labels, prefixes, within, units, centres] = columns.map((column) => column.split("|"))
      const suggestions = (codes === "" ? [] : codes?.split("|"))?.map((code, at) => ({
        code,
        label: labels?.[at],
        prefix: prefixes?.[at],
        ...(within?.[at] && { within: within[at] }),
        ...(units?.[at] && { units: Number(units[at]) }),
        ...(centres?.[at] && { centre: pointOf(centres[at]) })
      }))
      expect(complete(directory, unescaped(q as string), Number(limit))).toEqual({ segment, suggestions })
    }
  )
})

describe("a code", () => {
  const anyOf = (characters: string, length: number) =>
    fc.array(fc.constantFrom(...characters), { minLength: length, maxLength: length }).map((chosen) => chosen.join(""))
  const postcode = fc
    .tuple(anyOf("ABZ", 2), anyOf("09", 2), anyOf("0AZ", 3), anyOf("ABZ", 2), anyOf("019", 2))
    .map((parts) => parts.join("-") as Postcode)
  const units = fc.uniqueArray(fc.record({ postcode, active: fc.boolean() }), {
    selector: (unit) => unit.postcode,
    minLength: 1,
    maxLength: 40
  })
  const ends = [2, 4, 7, 9, 11]
  /** Lengths of what stands before each segment of a canonical code. */
  const partialLengths = [0, 3, 6, 10, 13]

  /** The first `length` characters of a code with a separator between finished segments where `gaps` has one. */
  const typed = (code: string, length: number, gaps: ReadonlyArray<string>): string =>
    [...code.slice(0, length)].map((letter, at) => (gaps[ends.indexOf(at)] ?? "") + letter).join("")

  it("is completed by all codes of active units that start with it, in order, from any format", () => {
    const gaps = fc.array(fc.constantFrom("", "-", " ", " - ", "\u2013", "\u00a0"), { minLength: 4, maxLength: 4 })
    const style = fc.record({ length: fc.integer({ min: 0, max: 11 }), gaps, lower: fc.boolean() })
    fc.assert(
      fc.property(units, postcode, style, (listed, other, { gaps, length, lower }) => {
        const builder = new DirectoryBuilder()
        for (const unit of listed) builder.addUnit(unit.postcode, { lat: 6, lon: 3 }, unit.active)
        const built = directoryFrom(builder)
        for (const one of [other, listed[0]?.postcode as Postcode]) {
          const start = compact(one).slice(0, length)
          const segment = segmentNames[Math.min(4, ends.filter((end) => end <= length).length)] ?? "unit"
          const active = listed.filter((unit) => unit.active)
          const codes = active
            .filter((unit) => compact(unit.postcode).startsWith(start))
            .map((unit) => segments(unit.postcode)[segment])
          const parent = one.slice(0, partialLengths[segmentNames.indexOf(segment)])
          const expected = [...new Set(codes)].sort().map((code) => {
            const prefix = parent + code
            const suggestion = { code, label: code, prefix }
            if (segment !== "district" && segment !== "area") return suggestion
            const below = active.filter((unit) => unit.postcode.startsWith(`${prefix}-`))
            const centre = below.length < 20 ? {} : { centre: { lat: 6, lng: 3 } }
            return { ...suggestion, units: below.length, ...centre }
          })
          const q = typed(compact(one), length, gaps)
          const completion = complete(built, lower ? q.toLowerCase() : q, 1_000)
          expect(completion).toEqual({ segment, suggestions: expected })
        }
      })
    )
  })
})

describe("names", () => {
  it("are compared without case, diacritics, apostrophes, hyphens, slashes and repeated spaces", () => {
    const builder = new DirectoryBuilder()
    const names = ["Ọbáfẹ́mi-Owódé", "Jama’are", "Ƙaura / Namoda", "St. John's  (East)"]
    builder.addPlace({ code: "OG" as PartialPostcode, name: "Ògùn" })
    for (const [lga, name] of names.entries()) {
      builder.addPlace({ code: `OG-0${lga}` as PartialPostcode, name })
      builder.addUnit(`OG-0${lga}-A00-AA-00` as Postcode, { lat: 7, lon: 3 }, true)
    }
    const named = directoryFrom(builder)
    const labels = (q: string) => complete(named, q, 20).suggestions.map((suggestion) => suggestion.label)
    expect(labels("ogun")).toEqual(["Ògùn"])
    for (const q of ["og obafemi owode", "OG-OBAFEMI-OWODE", "og ọbafẹmi  ow", "ogobafemiowode"]) {
      expect(labels(q)).toEqual(["Ọbáfẹ́mi-Owódé"])
    }
    for (const q of ["og jamaare", "og jama'are", "og JAMAʼARE"]) expect(labels(q)).toEqual(["Jama’are"])
    for (const q of ["og kaura namoda", "og ƙaura/n", "og Kaura-Namo"]) expect(labels(q)).toEqual(["Ƙaura / Namoda"])
    for (const q of ["og st johns east", "og st. john's (east)"]) expect(labels(q)).toEqual(["St. John's  (East)"])
    expect(labels("og johns")).toEqual(["St. John's  (East)"])
  })
})

describe("any text", () => {
  it("has a result with at most the requested number of suggestions", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 40 }), fc.integer({ min: 1, max: 100 }), (q, limit) => {
        const { segment, suggestions } = complete(directory, q, limit)
        expect(segmentNames).toContain(segment)
        expect(suggestions.length).toBeLessThanOrEqual(limit)
      })
    )
  })

  it("may be of any length", () => {
    for (const unit of ["A", "1", " ", "-", "la ", "lagos", "'", "\u0301", "é", "LA12A03BG07", "\ud800", "\u{1f600}"]) {
      expect(complete(directory, `LA${unit.repeat(1_000_000)}x`, 20).suggestions).toEqual([])
    }
    expect(complete(directory, `${" ".repeat(1_000_000)}LA12A03BG07${"\n".repeat(1_000_000)}`, 20)).toEqual({
      segment: "unit",
      suggestions: [{ code: "07", label: "07", prefix: "LA-12-A03-BG-07", within: "Ikorodu, Lagos" }]
    })
  })
})
