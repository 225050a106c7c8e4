import {
  compact,
  compare,
  display,
  fromSegments,
  isCanonical,
  isValid,
  maxInputLength,
  type Postcode,
  parse,
  parsePartial,
  prefix,
  type SegmentName,
  type Segments,
  segmentNames,
  segments
} from "@postcode/core/Postcode"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cases } from "../../../../test/Cases.ts"
import { unescaped, vectorRows } from "../Vectors.ts"

const runs = { seed: 774, numRuns: cases(2_000) }

const code = "LA-12-A03-BG-07" as Postcode

/** The value of a parse that must succeed. */
const parsed = (input: string): Postcode => {
  const result = parse(input)
  if (!result.ok) throw new Error(result.error.message)
  return result.postcode
}

/** The segment and position of a parse that must fail. */
const faultOf = (input: string): readonly [SegmentName, number] => {
  const result = parse(input)
  if (result.ok) throw new Error("parsed")
  return [result.error.segment, result.error.position]
}

describe("the golden vectors", () => {
  const rows = readVectors()

  it("are complete", () => {
    expect(rows.length).toBeGreaterThanOrEqual(60)
    expect(new Set(rows.map((row) => row.error_segment))).toEqual(new Set(["", ...segmentNames]))
  })

  it.each(rows.map((row, index) => [index + 2, row] as const))("line %i", (_line, row) => {
    const input = unescaped(row.input)
    const result = parse(input)
    const answer = result.ok
      ? {
          valid: "true",
          canonical: result.postcode,
          display: display(result.postcode),
          compact: compact(result.postcode),
          error_segment: "",
          error_position: ""
        }
      : {
          valid: "false",
          canonical: "",
          display: "",
          compact: "",
          error_segment: result.error.segment,
          error_position: String(result.error.position)
        }
    expect({ input: row.input, ...answer }).toEqual(row)
    expect(isValid(input)).toBe(result.ok)
  })
})

describe("parse", () => {
  it("answers the canonical form of every format, in either case, with white space around it", () => {
    fc.assert(
      fc.property(postcodes, renderings, margins, margins, (postcode, render, before, after) => {
        expect(parse(before + render(postcode) + after)).toEqual({ ok: true, postcode })
      }),
      runs
    )
  })

  it("gives back the postcode whose display or compact format it reads", () => {
    fc.assert(
      fc.property(postcodes, (postcode) => {
        expect(parsed(display(postcode))).toBe(postcode)
        expect(parsed(compact(postcode))).toBe(postcode)
        expect(parsed(postcode)).toBe(postcode)
      }),
      runs
    )
  })

  it("agrees with a regular expression on arbitrary strings", () => {
    fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 30 }), agreesWithOracle), runs)
    fc.assert(fc.property(fc.string({ unit: fc.constantFrom(...telling), maxLength: 18 }), agreesWithOracle), runs)
  })

  it("agrees with a regular expression, faults included, on postcodes that were damaged", () => {
    fc.assert(fc.property(damaged, agreesWithOracle), { ...runs, numRuns: cases(20_000) })
  })

  it("accepts at each place exactly the characters of the grammar", () => {
    const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
    const digits = "0123456789"
    const places = [letters, letters, "-", digits, digits, "-", ...Array(3).fill(digits + letters), "-"]
    places.push(letters, letters, "-", digits, digits)
    for (const [index, allowed] of places.entries()) {
      const taken = everyUnit.filter((unit) => isValid(code.slice(0, index) + unit + code.slice(index + 1)))
      const dashes = "-\u2010\u2011\u2012\u2013\u2014\u2212"
      const inAscii = allowed === "-" ? dashes : allowed
      expect(taken.join("")).toBe(inAscii + [...allowed].sort().map(fullWidth).join(""))
    }
  })

  it("accepts as separators the dashes and spaces that word processors write, and no other character", () => {
    const separators = everyUnit.filter((unit) => isValid(code.replaceAll("-", unit)))
    const seen = separators.filter((unit) => !/\p{Cf}/u.test(unit))
    expect(seen.join("")).toBe(" -\u00a0\u2010\u2011\u2012\u2013\u2014\u202f\u2212\uff0d")
  })

  it("ignores around a postcode exactly the white space of ECMAScript and format characters", () => {
    const margin = everyUnit.filter((unit) => isValid(unit + code) && isValid(code + unit))
    expect(margin).toEqual(everyUnit.filter((unit) => unit.trim() === "" || /\p{Cf}/u.test(unit)))
  })

  it("the error has the segment, the position and the expected characters, and nothing of the input", () => {
    expect(parse("LA-12-A_3-BG-07")).toEqual({
      ok: false,
      error: {
        segment: "district",
        position: 6,
        expected: "3 letters or digits",
        message: "district: expected 3 letters or digits at position 6"
      }
    })
    expect(parse("LA-12 A03BG07")).toMatchObject({ error: { expected: "a dash, then 3 letters or digits" } })
    expect(parse("LA 12-A03-BG-07")).toMatchObject({ error: { expected: "a space, then 3 letters or digits" } })
    for (const trailing of ["-99", "8", " x"]) {
      expect(parse(code + trailing)).toMatchObject({ error: { expected: "2 digits and nothing after them" } })
    }
  })

  it("refuses an input of a million characters for its first 1,024", () => {
    expect(faultOf("A".repeat(1_000_000))).toEqual(["state", 0])
    expect(faultOf(" ".repeat(1_000_000) + code)).toEqual(["state", maxInputLength])
    expect(faultOf(code + " ".repeat(1_000_000))).toEqual(["unit", 13])
    expect(faultOf(code.repeat(70_000))).toEqual(["unit", 13])
    expect(isValid(code + " ".repeat(1_000_000))).toBe(false)
  })

  it("refuses every value that is no string without throwing, and so does isValid", () => {
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    const others = [undefined, null, 0, 12n, Symbol("LA"), Array.from(code), new String(code), () => code, proxy]
    for (const value of others) {
      expect(faultOf(value as string)).toEqual(["state", 0])
      expect(isValid(value as string)).toBe(false)
      expect(isCanonical(value)).toBe(false)
    }
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withTypedArray: true })
    fc.assert(
      fc.property(anything, (value) => {
        expect(parse(value as string).ok).toBe(isValid(value as string))
      }),
      runs
    )
  })
})

describe("isCanonical", () => {
  it("takes a postcode as parse writes it and no other format", () => {
    fc.assert(
      fc.property(postcodes, renderings, (postcode, render) => {
        expect(isCanonical(postcode)).toBe(true)
        expect(isCanonical(render(postcode))).toBe(render(postcode) === postcode)
      }),
      runs
    )
    fc.assert(
      fc.property(damaged, (input) => {
        expect(isCanonical(input)).toBe(oracle(input) === input)
      }),
      runs
    )
  })
})

describe("fromSegments", () => {
  it("joins the result of segments, in upper and lower case", () => {
    fc.assert(
      fc.property(postcodes, (postcode) => {
        const parts = segments(postcode)
        expect(Object.values(parts).join("-")).toBe(postcode)
        expect(fromSegments(parts)).toEqual({ ok: true, postcode })
        expect(fromSegments({ ...parts, district: parts.district.toLowerCase() })).toEqual({ ok: true, postcode })
      }),
      runs
    )
  })

  it("lga and unit may omit their leading zero", () => {
    expect(fromSegments({ ...segments(code), lga: "1", unit: "9" })).toEqual({ ok: true, postcode: "LA-01-A03-BG-09" })
    for (const name of ["lga", "unit"]) {
      for (const value of ["0", "001", " 1", "1 ", "\uff11"]) {
        expect(fromSegments({ ...segments(code), [name]: value })).toMatchObject({
          ok: false,
          error: { segment: name }
        })
      }
    }
  })

  it("names the first segment that breaks its grammar", () => {
    const expected = ["2 letters", "2 digits", "3 letters or digits", "2 letters", "2 digits"]
    for (const [index, name] of segmentNames.entries()) {
      const wrong = [
        ...["", "?", " LA", "LAGOS", "1?", "\u00c503", "\uff10\uff17", "\u212aN", "L\u0131"],
        ...(name === "district" ? ["A0", "A034"] : ["A1", "1A", "A03"]),
        ...(name === "state" || name === "area" ? ["12"] : name === "district" ? [] : ["LA"]),
        ...[undefined, null, 12, ["L", "A"]]
      ]
      for (const value of wrong) {
        const parts = { ...segments(code), unit: "wrong too", [name]: value } as Segments
        expect(fromSegments(parts)).toEqual({
          ok: false,
          error: {
            segment: name,
            position: 0,
            expected: expected[index],
            message: `${name}: expected ${expected[index]}`
          }
        })
      }
    }
  })
})

describe("partial postcodes", () => {
  it("are the prefixes that end with a segment, in every format", () => {
    fc.assert(
      fc.property(
        postcodes,
        fc.constantFrom(...segmentNames),
        renderings,
        margins,
        (postcode, name, render, margin) => {
          const depth = segmentNames.indexOf(name) + 1
          const partial = prefix(postcode, name)
          expect(partial).toBe(postcode.split("-").slice(0, depth).join("-"))
          expect(parsePartial(margin + render(partial) + margin)).toEqual({ ok: true, partial, depth })
        }
      ),
      runs
    )
  })

  it.each([
    ["", "state", 0],
    ["L", "state", 0],
    ["Lagos", "state", 0],
    ["LA-", "lga", 3],
    ["LA1", "lga", 2],
    ["LA-123", "lga", 3],
    ["LA-12 A03", "district", 5],
    ["LA12A", "district", 4],
    [" LA 12 A03 BG0", "area", 11],
    ["LA-12-A03-BG-0", "unit", 13],
    ["LA-12-A03-BG-07-", "unit", 13],
    [`LA${" ".repeat(maxInputLength)}`, "lga", 2]
  ] as const)("that end elsewhere name the segment that is not whole: %j", (input, segment, position) => {
    expect(parsePartial(input)).toMatchObject({ ok: false, error: { segment, position } })
  })

  it("fail with the same error as whole postcodes if the fault is not at the end", () => {
    fc.assert(
      fc.property(damaged, (input) => {
        const whole = parse(input)
        const partial = parsePartial(input)
        if (whole.ok) expect(partial).toEqual({ ok: true, partial: whole.postcode, depth: 5 })
        else if (!partial.ok) expect(partial).toEqual(whole)
        else expect(whole.error.position).toBe(input.trimEnd().length)
      }),
      runs
    )
  })
})

describe("compare", () => {
  it("orders canonical postcodes as their characters do, so that every sort agrees", () => {
    fc.assert(
      fc.property(fc.array(postcodes, { maxLength: 20 }), (list) => {
        expect([...list].sort(compare)).toEqual([...list].sort())
      }),
      runs
    )
    fc.assert(
      fc.property(postcodes, postcodes, (a, b) => {
        expect(compare(a, b)).toBe(a === b ? 0 : a < b ? -1 : 1)
        expect(compare(a, a)).toBe(0)
      }),
      runs
    )
  })
})

interface Row {
  readonly input: string
  readonly valid: string
  readonly canonical: string
  readonly display: string
  readonly compact: string
  readonly error_segment: string
  readonly error_position: string
}

function readVectors(): ReadonlyArray<Row> {
  const [header, ...lines] = vectorRows("postcode.csv")
  return lines.map(
    (line) => Object.fromEntries(header?.map((name, index) => [name, line[index]]) ?? []) as unknown as Row
  )
}

const everyUnit = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit))

const grammar = ["[A-Za-z]{2}", "[0-9]{2}", "[A-Za-z0-9]{3}", "[A-Za-z]{2}", "[0-9]{2}"]

const postcodes = fc.stringMatching(/^[A-Z]{2}-[0-9]{2}-[A-Z0-9]{3}-[A-Z]{2}-[0-9]{2}$/) as fc.Arbitrary<Postcode>

/** Every separator, with every case. */
const renderings = fc
  .tuple(
    fc.constantFrom("-", " ", "", "\u2010", "\u2011", "\u2012", "\u2013", "\u2014", "\u2212", "\u00a0", "\u202f"),
    fc.constantFrom("upper", "lower", "mixed")
  )
  .map(([separator, letters]) => (canonical: string): string => {
    const upper = canonical.replaceAll("-", separator)
    if (letters === "upper") return upper
    return letters === "lower" ? upper.toLowerCase() : upper.slice(0, 1) + upper.slice(1).toLowerCase()
  })

const margins = fc.string({ unit: fc.constantFrom(" ", "\t", "\n", "\u00a0", "\u2003", "\ufeff"), maxLength: 3 })

/** Characters at the edges of the grammar, and those that change into ASCII under some conversion. */
const telling = [
  ..."AZaz09@[`{/:-- __ .,?\t\n\u00a0\u202f\u2009\u2010\u2013\u2014\u2015\u2212\u00ad\u200b\ufeff"
].concat([..."\u0130\u0131\u017f\u212a\u00c5\uff21\uff10\u0661\u0410\ud83d\udcee"])

/** A postcode in some rendering after one to three characters were put in, taken out or replaced. */
const damaged = fc
  .tuple(
    postcodes,
    renderings,
    fc.array(fc.tuple(fc.nat(18), fc.nat(1), fc.constantFrom("", ...telling)), { minLength: 1, maxLength: 3 })
  )
  .map(([postcode, render, edits]) =>
    edits.reduce((text, [at, taken, put]) => text.slice(0, at) + put + text.slice(at + taken), render(postcode))
  )

const ascii = (text: string): string => text.replace(/[\u2010-\u2014\u2212]/g, "-").replace(/[\u00a0\u202f]/g, " ")

const fullWidth = (character: string): string => String.fromCharCode(character.charCodeAt(0) + 0xfee0)

/** The characters that stay after folding, each with its position in the input. */
const foldedUnits = (input: string): ReadonlyArray<readonly [unit: string, position: number]> => {
  const units = [...input].flatMap((character, index, all) => {
    const position = all.slice(0, index).join("").length
    return /\p{Cf}/u.test(character) ? [] : character.split("").map((unit, at) => [unit, position + at] as const)
  })
  return units.map(([unit, position]) => [/[\uff01-\uff5e]/.test(unit) ? unit.normalize("NFKC") : unit, position])
}

const folded = (input: string): string =>
  input.length > 1_024
    ? input
    : foldedUnits(input)
        .map(([unit]) => unit)
        .join("")
        .replace(/[.,;]+(\s*)$/, "$1")

/** The canonical form by one regular expression a rendering; undefined for what is malformed. */
function oracle(written: string): string | undefined {
  if (written.length > 1_024) return undefined
  const input = folded(written)
  for (const separator of ["-", " ", ""]) {
    const match = new RegExp(`^\\s*(${grammar.join(`)${separator}(`)})\\s*$`).exec(ascii(input))
    if (match !== null) return match.slice(1).join("-").toUpperCase()
  }
  return undefined
}

/** The first segment that no regular expression of the leading segments reaches, and where it starts. */
function oracleFault(input: string): readonly [SegmentName, number] {
  const text = ascii(input).trimEnd()
  const separator = /^\s*[A-Za-z]{2}([- ])/.exec(text)?.[1] ?? ""
  let reached = /^\s*/.exec(input)?.[0] ?? ""
  for (const [index, name] of segmentNames.entries()) {
    const edge = separator !== "" ? "(?![A-Za-z0-9])" : index === 0 ? "(?![A-Za-z])" : ""
    const match = new RegExp(`^\\s*${grammar.slice(0, index + 1).join(separator)}${edge}`).exec(text)
    if (match === null) {
      const introduced = index > 0 && separator !== "" && text[reached.length] === separator
      return [name, reached.length + (introduced ? 1 : 0)]
    }
    reached = match[0]
  }
  return ["unit", reached.length - 2]
}

function agreesWithOracle(input: string): void {
  const canonical = oracle(input)
  const [segment, position] = oracleFault(folded(input))
  const units = foldedUnits(input)
  const last = units.at(-1)?.[1] ?? -1
  expect(isValid(input)).toBe(canonical !== undefined)
  if (canonical !== undefined) expect(parse(input)).toEqual({ ok: true, postcode: canonical })
  else expect(faultOf(input)).toEqual([segment, units[position]?.[1] ?? last + 1])
}
