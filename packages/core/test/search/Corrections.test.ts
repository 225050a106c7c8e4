import { corrections, explainMalformed, likelyCorrection } from "@postcode/core/Corrections"
import type { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { compact, display, maxInputLength, type Postcode, parse } from "@postcode/core/Postcode"
import fc from "fast-check"
import { describe, expect, it, vi } from "vitest"
import { randomBelow } from "../../../../test/RandomNumbers.ts"
import { directoryFrom } from "../directory/BuiltDirectory.ts"
import { unescaped, vectorDirectory, vectorRows } from "../Vectors.ts"

fc.configureGlobal({ seed: 774, numRuns: 3_000 })

/** Units given as "code" or "code retired". */
const directoryOf = (units: Iterable<string>): Directory => {
  const builder = new DirectoryBuilder()
  for (const unit of new Set(units)) {
    builder.addUnit(unit.slice(0, 15) as Postcode, { lat: 6, lon: 3 }, !unit.endsWith("retired"))
  }
  return directoryFrom(builder)
}

describe("a text that is one typing error away from an active unit", () => {
  const directory = directoryOf(["LA-12-A03-BG-07", "LA-12-A03-BG-50 retired", "KN-01-C04-IL-21"])

  it.each([
    ["a wrong character that is well formed", "LA-12-A03-BX-07"],
    ["a letter in place of a digit", "LA-12-A03-BG-O7"],
    ["a digit in place of a letter", "LA-12-A03-8G-07"],
    ["a sign in place of a character", "LA-12-A#3-BG-07"],
    ["a letter of another script in place of a character", "L\u0410-12-A03-BG-07"],
    ["two neighbours swapped in a segment", "LA-21-A03-BG-07"],
    ["two neighbours swapped across a separator", "L1-A2-A03-BG-07"],
    ["two neighbours swapped, so that none is well formed where it stands", "LA-12-A03-B0-G7"],
    ["a missing character", "LA-12-A03-BG-0"],
    ["a missing character in the middle, with nothing between the segments", "LA12A0BG07"],
    ["a missing character and signs around", "LA-12-A03-BG-0 ##"],
    ["a leading zero left out", "LA-12-A03-BG-7"],
    ["a doubled character", "LA-12-A003-BG-07"],
    ["a surplus character", "LA-12-A03-BVG-07"],
    ["a surplus character, with nothing between the segments", "LA12A03BG071"]
  ])("with %s has the unit as a candidate", (_, text) => {
    expect(corrections(directory, text)).toEqual(["LA-12-A03-BG-07"])
  })

  it.each([
    ["spaces", "la 12 a03 bg o7"],
    ["nothing", "LA12AO3BG07"],
    ["dashes of a word processor", "LA\u201312\u2013AO3\u2013BG\u201307"],
    ["several kinds", " LA_12/AO3.BG - 07"]
  ])("has the unit as a candidate with %s between the segments", (_, text) => {
    expect(corrections(directory, text)).toEqual(["LA-12-A03-BG-07"])
  })

  it.each([
    ["what stands between the segments", "LA-12 A03BG07"],
    ["signs around", '"LA-12-A03-BG-07",'],
    ["full-width characters and a dash", "ＬＡ-１２Ａ０３ＢＧ０７"],
    ["an accent", "LÁ-12-A03-BG-07"]
  ])("in which only %s is wrong has the unit as its only candidate", (_, text) => {
    expect(corrections(directory, text)).toEqual(["LA-12-A03-BG-07"])
  })

  it.each([
    ["is an active unit in any format", "la 12 a03 bg 07"],
    ["is two slips away", "LA-12-A03-XX-07"],
    ["lacks two characters", "LA-12-A03-BG"],
    ["lacks a character and has a wrong one", "LA-12-A0-BX-07"],
    ["has two too many", "LA-12-A03-BG-0711"],
    ["has one too many and a wrong one", "LA-12-A034-BX-07"],
    ["is one slip away from a retired unit alone", "LA-12-A03-BG-51"],
    ["has three characters that cannot stand where they do", "LA-OO-AO3-8G-07"],
    ["is empty", ""],
    ["holds half a character in place of two", "LA-12-A\ud800-BG-07 \ud800"],
    ["is longer than any input that is read", `LA-12-AO3-BG-07${" ".repeat(maxInputLength)}`]
  ])("a text that %s has no candidate", (_, text) => {
    expect(corrections(directory, text)).toEqual([])
  })

  it("an unknown or retired postcode has candidates, too", () => {
    expect(corrections(directory, "LA-12-A03-BG-08")).toEqual(["LA-12-A03-BG-07"])
    expect(corrections(directory, "KN-01-C04-IL-12")).toEqual(["KN-01-C04-IL-21"])
    expect(corrections(directoryOf(["LA-12-A03-BG-05 retired", "LA-12-A03-BG-50"]), "LA12A03BG05")).toEqual([
      "LA-12-A03-BG-50"
    ])
  })
})

describe("candidates come in order", () => {
  it("look-alikes, then swapped neighbours, then the key beside it, then any other character", () => {
    const directory = directoryOf(["LA-12-AO3-BG-01", "LA-12-0A3-BG-01", "LA-12-A03-BG-02", "LA-12-A03-BG-08"])
    expect(corrections(directory, "LA-12-A03-BG-01", 9)).toEqual([
      "LA-12-AO3-BG-01",
      "LA-12-0A3-BG-01",
      "LA-12-A03-BG-02",
      "LA-12-A03-BG-08"
    ])
  })

  it("a leading zero before any other missing character", () => {
    const directory = directoryOf(["01", "10", "17", "91"].map((unit) => `LA-12-A03-BG-${unit}`))
    expect(corrections(directory, "LA-12-A03-BG-1", 9)).toEqual(
      ["01", "10", "17", "91"].map((unit) => `LA-12-A03-BG-${unit}`)
    )
  })

  it("a doubled character before any other surplus one", () => {
    const directory = directoryOf(["LA-12-A03-BG-11", "LA-12-A03-BG-01"])
    expect(corrections(directory, "LA-12-A03-BG-011", 9)).toEqual(["LA-12-A03-BG-01", "LA-12-A03-BG-11"])
  })

  it("an error near the end before one near the start", () => {
    const directory = directoryOf(["QA-12-A03-BG-07", "LA-12-A03-BM-07", "LA-12-A03-BG-47", "LA-12-A53-BG-07"])
    expect(corrections(directory, "LA-12-A03-BG-07", 9)).toEqual([
      "LA-12-A03-BG-47",
      "LA-12-A03-BM-07",
      "LA-12-A53-BG-07",
      "QA-12-A03-BG-07"
    ])
  })

  it("in code order for equally likely ones, and at most the requested number", () => {
    const directory = directoryOf([9, 4, 5, 2, 3, 0].map((unit) => `LA-12-A03-BG-0${unit}`))
    expect(corrections(directory, "LA-12-A03-BG-07")).toEqual(["00", "02", "03"].map((unit) => `LA-12-A03-BG-${unit}`))
    expect(corrections(directory, "LA-12-A03-BG-07", 1)).toEqual(["LA-12-A03-BG-00"])
    expect(corrections(directory, "LA-12-A03-BG-07", 0)).toEqual([])
    expect(corrections(directory, "LA-12 A03BG-00", 0)).toEqual([])
  })
})

describe("compared with a search in all active units", () => {
  const lookAlikes = new Set(["0O", "1I", "1L", "IL", "2Z", "5S", "6G", "8B"].flatMap(([a, b]) => [a! + b, b! + a]))
  /** Where a key lies on the keyboard, in keys from the left and from the top. */
  const keys = new Map(
    ["1234567890", "QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"].flatMap((row, y) =>
      [...row].map((key, x) => [key, { x: x + y / 2, y }] as const)
    )
  )
  const isBeside = (a: string, b: string): boolean => {
    const [from, to] = [keys.get(a), keys.get(b)]
    if (from === undefined || to === undefined) return false
    return Math.abs(from.x - to.x) === (from.y === to.y ? 1 : 0.5) && Math.abs(from.y - to.y) <= 1
  }

  /** Which slip leads from one to the other: its kind and its place; undefined if none does. */
  const slip = (written: string, meant: string): Slip | undefined => {
    if (written.length === 10) return missing(written, meant)
    if (written.length === 12) return surplus(written, meant)
    if (written.length !== 11) return undefined
    const places = [...meant].flatMap((character, place) => (character === written[place] ? [] : [place]))
    const [first = -1, second] = places
    if (places.length === 1) {
      const pair = [written[first]!, meant[first]!] as const
      return [lookAlikes.has(pair.join("")) ? 0 : isBeside(...pair) ? 2 : 3, first]
    }
    const isSwap =
      places.length === 2 &&
      second === first + 1 &&
      written[first] === meant[second] &&
      written[second] === meant[first]
    return isSwap ? [1, first] : undefined
  }

  const without = (text: string, place: number): string => text.slice(0, place) + text.slice(place + 1)

  const missing = (written: string, meant: string): Slip | undefined => {
    const place = [...meant].findLastIndex((_, at) => without(meant, at) === written)
    return place < 0 ? undefined : [meant[place] === "0" && (place === 2 || place === 9) ? 0 : 1, place]
  }

  const surplus = (written: string, meant: string): Slip | undefined => {
    const place = [...written].findLastIndex((_, at) => without(written, at) === meant)
    return place < 0 ? undefined : [written[place] === written[place - 1] ? 0 : 1, place]
  }

  interface Candidate {
    readonly unit: Postcode
    readonly kind: number
    readonly place: number
  }

  const candidates = (among: ReadonlyArray<Postcode>, written: string): ReadonlyArray<Candidate> =>
    among
      .flatMap((unit) => {
        const found = slip(written, compact(unit))
        return found === undefined ? [] : [{ unit, kind: found[0], place: found[1] }]
      })
      .sort((a, b) => a.kind - b.kind || b.place - a.place || (a.unit < b.unit ? -1 : 1))

  // Few characters, most of which look alike or lie side by side, so that slips of every kind meet units.
  const letters = "OILSBQ"
  const digits = "01582"
  const alphabets = [letters, letters, digits, digits, "0O1LA", "0O1LA", "0O1LA", letters, letters, digits, digits]
  const spelled = fc.tuple(...alphabets.map((alphabet) => fc.constantFrom(...alphabet))).map((signs) => signs.join(""))

  const random = randomBelow(774)
  const pick = (from: string): string => from[random(from.length)]!
  const centres = Array.from({ length: 3 }, () => alphabets.map(pick).join(""))
  const near = centres.flatMap((centre) =>
    Array.from({ length: 500 }, () => {
      const signs = [...centre]
      for (let change = random(2); change >= 0; change--) {
        const place = random(11)
        signs[place] = pick(alphabets[place]!)
      }
      return signs.join("")
    })
  )
  const units = [...new Set(near)].map((text, index) => `${canonical(text)}${index % 4 === 0 ? " retired" : ""}`)
  const directory = directoryOf(units)
  const active = units.filter((unit): unit is Postcode => unit.length === 15)
  const known = units.map((unit) => unit.slice(0, 15) as Postcode)

  const slipped = fc.oneof(
    fc.constantFrom("swapped", "missing", "missing", "doubled"),
    fc.constantFrom(..."0123456789ABGILOQSZ#"),
    fc.constantFrom(...letters, ...digits).map((sign) => `added ${sign}`)
  )
  const place = fc
    .nat(10)
    .chain((at) => fc.tuple(fc.constant(at), fc.oneof(slipped, fc.constantFrom(...alphabets[at]!))))
  const anyUnit = fc.nat(units.length - 1).map((index) => compact(known[index]!))
  /** A unit, or now and then any other text, with up to two slips. */
  const written = fc
    .tuple(
      fc.oneof({ weight: 6, arbitrary: anyUnit }, { weight: 1, arbitrary: spelled }),
      fc.array(place, { minLength: 1, maxLength: 2 })
    )
    .map(([text, slips]) => {
      const signs = [...text]
      for (const [at, kind] of slips) {
        const other = Math.min(at + 1, signs.length - 1)
        if (kind === "swapped") [signs[at], signs[other]] = [signs[other]!, signs[at]!]
        else if (kind === "missing") signs.splice(at, 1)
        else if (kind === "doubled") signs.splice(at, 0, signs[at]!)
        else if (kind.startsWith("added")) signs.splice(at, 0, kind.slice(6))
        else signs[at] = kind
      }
      return signs.join("")
    })
    // One sign that is neither a letter nor a digit stands for a character if others stand on both sides.
    .filter((text) => !text.includes("#") || /^[^#]+#[^#]+$/.test(text))
    .map((text) => (text.length > 11 ? text.replace("#", "") : text))

  const rendering = fc.constantFrom<(signs: string) => string>(
    (signs) => signs,
    (signs) => signs.toLowerCase(),
    (signs) => canonical(signs),
    (signs) => ` ${display(canonical(signs) as Postcode)}`,
    (signs) => [...signs].join(" ")
  )

  it("the candidates are the same, in order of likelihood", () => {
    const seen = { none: 0, several: 0, short: 0, long: 0 }
    fc.assert(
      fc.property(written, rendering, fc.constantFrom(1, 2, 3, 300), (signs, render, limit) => {
        const text = render(signs)
        const found = corrections(directory, text, limit)
        const spells = active.find((unit) => compact(unit) === signs)
        const expected = candidates(active, signs).slice(0, limit)
        if (spells !== undefined) expect(found).toEqual(parse(text).ok ? [] : [spells])
        else expect(found).toEqual(expected.map(({ unit }) => unit))
        if (found.length === 0) seen.none++
        if (found.length > 1) seen.several++
        if (found.length > 0 && signs.length === 10) seen.short++
        if (found.length > 0 && signs.length === 12) seen.long++
      })
    )
    expect(seen.none).toBeGreaterThan(100)
    expect(seen.several).toBeGreaterThan(300)
    expect(seen.short).toBeGreaterThan(100)
    expect(seen.long).toBeGreaterThan(100)
  })

  it("the likely correction is active, and the only unit that the likeliest typing error leads to", () => {
    const seen = { likely: 0, retired: 0, several: 0 }
    fc.assert(
      fc.property(written, rendering, (signs, render) => {
        const text = render(signs)
        const likely = likelyCorrection(directory, text)
        const spells = known.find((unit) => compact(unit) === signs)
        if (spells !== undefined) {
          expect(likely).toBe(active.includes(spells) && !parse(text).ok ? spells : undefined)
          return
        }
        const [best, ...others] = candidates(known, signs)
        const isAlone = others.every(({ kind }) => kind !== best?.kind)
        const isActive = best !== undefined && active.includes(best.unit)
        expect(likely).toBe(isAlone && isActive ? best.unit : undefined)
        if (likely !== undefined) seen.likely++
        if (isAlone && !isActive && best !== undefined) seen.retired++
        if (!isAlone) seen.several++
      }),
      { numRuns: 2_000 }
    )
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(100)
  })

  it("a text needs at most 252 lookups", () => {
    const status = vi.spyOn(directory, "status")
    let most = 0
    for (const search of [
      (text: string) => corrections(directory, text, 300),
      (text: string) => likelyCorrection(directory, text)
    ]) {
      fc.assert(
        fc.property(fc.oneof(written, fc.string({ maxLength: 20 })), (text) => {
          status.mockClear()
          search(text)
          most = Math.max(most, status.mock.calls.length)
        })
      )
    }
    status.mockRestore()
    expect(most).toBeLessThanOrEqual(252)
    expect(most).toBeGreaterThan(240)
  })

  it("a text needs at most as many lookups with any characters as letters or digits", () => {
    const nothing = directoryOf([])
    const status = vi.spyOn(nothing, "status")
    const most = new Map<number, number>()
    for (const length of [10, 11, 12]) {
      for (let pattern = 0; pattern < 2 ** length; pattern++) {
        const signs = Array.from({ length }, (_, at) =>
          (pattern >> at) & 1 ? String((at * 7) % 10) : "QWZMKXVNHTYU"[at]
        )
        status.mockClear()
        corrections(nothing, signs.join(""))
        most.set(length, Math.max(most.get(length) ?? 0, status.mock.calls.length))
      }
    }
    expect([...most]).toEqual([
      [10, 174],
      [11, 250],
      [12, 8]
    ])
  })
})

type Slip = readonly [kind: number, place: number]

describe("the golden vectors", () => {
  const directory = vectorDirectory("corrections-directory")

  it.each(vectorRows("corrections.csv").slice(1))("%o → %s, of %s", (input, likely, candidates) => {
    const text = unescaped(input as string)
    expect(likelyCorrection(directory, text) ?? "").toBe(likely)
    expect(corrections(directory, text).join("|")).toBe(candidates)
  })
})

it("a message ends with the likely correction, and repeats nothing of the text", () => {
  const directory = directoryOf(["LA-12-A03-BG-07"])
  const error = { message: "unit: expected 2 digits at position 13" }
  expect(explainMalformed(directory, "LA-12-A03-BG-O7", error)).toBe(
    "unit: expected 2 digits at position 13; did you mean LA-12-A03-BG-07?"
  )
  expect(explainMalformed(directory, "LA-12-A03-XX-O7", error)).toBe(error.message)
})

it("any text is read in bounded time, and leads only to units that exist", () => {
  const directory = directoryOf(["LA-12-A03-BG-07", "LA-12-A03-BG-70 retired"])
  const text = fc.oneof(
    fc.string({ unit: "binary", maxLength: 60 }),
    fc.string({ unit: fc.constantFrom(..."LA12A03BG07-\u0301\u2013\ufdfa\ud800# '<"), maxLength: 20 })
  )
  fc.assert(
    fc.property(text, (text) => {
      expect([undefined, "LA-12-A03-BG-07"]).toContain(likelyCorrection(directory, text))
    }),
    { numRuns: 500 }
  )
  // The character that grows the most in normalization, and signs without a letter.
  for (const sign of ["\ufdfa", "#", "\u0301", "-", " "]) {
    const started = process.threadCpuUsage()
    for (let i = 0; i < 20; i++) likelyCorrection(directory, `LA-12-A03-BG${sign.repeat(maxInputLength - 13)}0`)
    expect(process.threadCpuUsage(started).user / 20).toBeLessThan(20_000)
  }
  expect(likelyCorrection(directory, undefined as unknown as string)).toBeUndefined()
})

const canonical = (signs: string): string =>
  `${signs.slice(0, 2)}-${signs.slice(2, 4)}-${signs.slice(4, 7)}-${signs.slice(7, 9)}-${signs.slice(9)}`
