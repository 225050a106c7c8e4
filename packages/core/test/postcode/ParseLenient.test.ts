import { parseLenient } from "@postcode/core/ParseLenient"
import { isValid, maxInputLength, type Postcode, parse, segmentNames } from "@postcode/core/Postcode"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { unescaped, vectorRows } from "../Vectors.ts"

const runs = { seed: 774, numRuns: 5_000 }

describe("parseLenient", () => {
  it.each(vectorRows("lenient.csv").slice(1))("vector %j", (input = "", canonical, changed, segment, position) => {
    const result = parseLenient(unescaped(input))
    expect(
      result.ok
        ? [result.postcode, String(result.changed), "", ""]
        : ["", "", result.error.segment, String(result.error.position)]
    ).toEqual([canonical, changed, segment, position])
  })

  it("accepts what parse accepts, unchanged", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\s?[A-Za-z]{2}-[0-9]{2}-[A-Za-z0-9]{3}-[A-Za-z]{2}-[0-9]{2}\s?$/), (text) => {
        expect(parseLenient(text)).toEqual({ ...parse(text), changed: 0 })
      }),
      runs
    )
  })

  it("restores a postcode with exchanged look-alikes and separators, and counts the look-alikes", () => {
    fc.assert(
      fc.property(damaged, ({ changed, postcode, text }) => {
        expect(parseLenient(text)).toEqual({ ok: true, postcode, changed })
      }),
      runs
    )
  })

  it("returns for any text a valid postcode, or an error with the segment and the position", () => {
    const text = fc.string({ unit: fc.constantFrom(..."OI5SB801aZL2-  \u2013/ｋ\ud800"), maxLength: 20 })
    fc.assert(
      fc.property(text, (input) => {
        const result = parseLenient(input)
        if (result.ok) return expect(isValid(result.postcode)).toBe(true)
        const { expected, message, position, segment } = result.error
        expect(message).toBe(`${segment}: expected ${expected} at position ${position}`)
        expect(segmentNames).toContain(segment)
        expect(position).toBeLessThanOrEqual(input.length)
      }),
      runs
    )
  })

  it("input that is too long, or no text, is an error", () => {
    for (const input of [`EK-O1-A03-FK-01${" ".repeat(maxInputLength)}`, undefined, null, 7]) {
      expect(parseLenient(input as string)).toMatchObject({ ok: false })
    }
  })
})

/** A postcode in which look-alikes stand for some letters and digits of all segments but the district. */
const damaged = fc
  .tuple(
    fc.stringMatching(/^[A-Z]{2}[0-9]{2}[A-Z0-9]{3}[A-Z]{2}[0-9]{2}$/),
    fc.array(fc.boolean(), { minLength: 11, maxLength: 11 }),
    fc.array(fc.constantFrom("", "-", " ", "  ", " - ", "\u2013", "\u00a0"), { minLength: 11, maxLength: 11 })
  )
  .map(([compact, isDamaged, separators]) => {
    let changed = 0
    let text = ""
    for (const [at, sign] of [...compact].entries()) {
      const other = at >= 4 && at < 7 ? undefined : twins.get(sign)
      if (other !== undefined && isDamaged[at]) changed++
      text += (separators[at] as string) + (other !== undefined && isDamaged[at] ? other : sign)
    }
    const parts = [compact.slice(0, 2), compact.slice(2, 4), compact.slice(4, 7), compact.slice(7, 9), compact.slice(9)]
    return { changed, postcode: parts.join("-") as Postcode, text }
  })

const twins = new Map(["0O", "1I", "5S", "8B"].flatMap(([a = "", b = ""]) => [[a, b] as const, [b, a] as const]))
