import { Result } from "effect"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { parseQuery } from "../../src/input/Query.ts"

const seed = { seed: 20_260_131, numRuns: 2_000 }
const names = ["a", "b", "code", "radius_m"]
const known = new Map(names.map((name) => [name, name]))

const valuesOf = (query: string): Readonly<Record<string, string>> => {
  const parsed = parseQuery(query, known)
  if (Result.isFailure(parsed)) throw new Error(parsed.failure.message)
  return parsed.success
}

const faultOf = (query: string): unknown => {
  const parsed = parseQuery(query, known)
  return Result.isFailure(parsed) ? parsed.failure : undefined
}

describe("parseQuery", () => {
  it("reads what URLSearchParams writes", () => {
    const name = fc.constantFrom(...names)
    fc.assert(
      fc.property(fc.dictionary(name, fc.string({ unit: "grapheme", minLength: 1 })), (values) => {
        expect(valuesOf(new URLSearchParams(values).toString())).toEqual({ ...values })
      }),
      seed
    )
  })

  it("reads what encodeURIComponent writes, in any order and with empty parts in between", () => {
    const values = fc.uniqueArray(fc.tuple(fc.constantFrom(...names), fc.string({ unit: "grapheme", minLength: 1 })), {
      selector: ([name]) => name
    })
    fc.assert(
      fc.property(values, fc.constantFrom("&", "&&", "&x=1&", "&=&"), (values, separator) => {
        const query = values.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join(separator)
        expect(valuesOf(query)).toEqual(Object.fromEntries(values))
      }),
      seed
    )
  })

  it("reads any text as URLSearchParams does, except values that it refuses or counts as missing", () => {
    const part = fc.constantFrom(
      "a",
      "b",
      "code",
      "x",
      "=",
      "&",
      "%41",
      "%2B",
      "+",
      "%",
      "%C3%A9",
      "%ff",
      "%00",
      ";",
      "1"
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const query = parts.join("")
        const parsed = parseQuery(query, known)
        const expected = new URLSearchParams(query)
        if (Result.isSuccess(parsed)) {
          for (const name of names) {
            expect(expected.getAll(name).length).toBeLessThanOrEqual(1)
            expect(parsed.success[name] ?? "").toBe(expected.get(name) ?? "")
          }
        } else {
          const twice = names.some((name) => expected.getAll(name).length > 1)
          const malformed = names.some((name) => expected.get(name)?.match(/[%\ufffd]/))
          expect(twice || malformed).toBe(true)
        }
      }),
      seed
    )
  })

  it("a repeated known parameter is refused, also if it is empty, escaped or without a value", () => {
    for (const query of ["a=1&a=1", "a=1&a=2", "a&a", "a=&a=1", "a=1&%61=2", "a=1&b=2&a", "a=1&a=%ZZ"]) {
      expect(faultOf(query)).toMatchObject({ _tag: "InvalidParameter", parameter: "a", message: /^a: sent more/ })
    }
  })

  it("two names of one parameter are accepted, and refused together, even if empty", () => {
    const synonyms = new Map([
      ["lng", "lng"],
      ["lon", "lng"]
    ])
    for (const query of ["lng=3", "lon=3"]) expect(parseQuery(query, synonyms)).toEqual(Result.succeed({ lng: "3" }))
    for (const query of ["lng=3&lon=3", "lng=3&lon=4", "lng&lon=3", "lng=&lon"]) {
      const message = "lon: means the same as lng: send only one of them"
      expect(parseQuery(query, synonyms)).toMatchObject({ failure: { parameter: "lon", message } })
    }
    const message = "lon: sent more than once: send it once"
    expect(parseQuery("lon=1&lon=1", synonyms)).toMatchObject({ failure: { parameter: "lon", message } })
  })

  it("an unknown parameter is ignored, however often and however malformed", () => {
    for (const query of ["x=1&x=2", "x=%ZZ", "%ZZ", "%ZZ=1", "=1", "A=1&A=2", "code[]=1", "a%00=1", "__proto__=1"]) {
      expect(valuesOf(query)).toEqual({})
    }
  })

  it("an empty value counts as missing", () => {
    for (const query of ["", "&", "a", "a=", "a=&b", "a&b=&code"]) expect(valuesOf(query)).toEqual({})
  })

  it("a value that is not percent-encoded UTF-8 is refused", () => {
    for (const value of ["%", "%4", "%ZZ", "%4G", "%80", "%C0%AF", "%C3", "%ED%A0%80", "%F5%80%80%80", "a%20%"]) {
      expect(faultOf(`b=${value}`)).toMatchObject({ parameter: "b", message: "b: expected percent-encoded UTF-8" })
    }
  })

  it("a plus sign is a space, an escaped one a plus sign", () => {
    expect(valuesOf("a=+1+&b=%2B1")).toEqual({ a: " 1 ", b: "+1" })
  })

  it("a value may hold equals signs, question marks and semicolons", () => {
    expect(valuesOf("a==1=&b=?;/:@")).toEqual({ a: "=1=", b: "?;/:@" })
  })

  it("names of Object's properties are ordinary parameters", () => {
    expect(Object.keys(valuesOf("a=1"))).toEqual(["a"])
    expect(parseQuery("constructor=1&toString=2", new Map([["constructor", "constructor"]]))).toEqual(
      Result.succeed({ constructor: "1" })
    )
  })

  it("a parameter is found after 10,000 unknown ones", () => {
    expect(valuesOf(`${"x=%41&".repeat(10_000)}a=1`)).toEqual({ a: "1" })
  })
})
