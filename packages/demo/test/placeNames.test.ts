/** Names of states and LGAs anywhere in a text: all of Nigeria, written in many ways. */
import { complete } from "@postcode/core/Autocomplete"
import type { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { nigeriaPlaces, nigeriaStates } from "../src/NigeriaPlaces.ts"

const directoryFrom = (builder: DirectoryBuilder): Directory => {
  const built = builder.build()
  if (!built.ok) throw new Error("a postcode came twice")
  return built.directory
}

fc.configureGlobal({ seed: 774 })

interface Lga {
  readonly code: string
  readonly name: string
  readonly state: string
}

const directory = (() => {
  const builder = new DirectoryBuilder()
  for (const place of nigeriaPlaces()) {
    builder.addPlace(place)
    if (place.code.length > 2) builder.addUnit(`${place.code}-A00-AA-01` as Postcode, { lat: 7, lon: 7 }, true)
  }
  return directoryFrom(builder)
})()

const lgas: ReadonlyArray<Lga> = nigeriaStates().flatMap(({ code, lgas: ofState, name: state }) =>
  ofState.map((lga) => ({ code: `${code}-${lga.code}`, name: lga.name, state }))
)
const stateNames = new Set(lgas.map(({ state }) => state))

const found = (q: string) => complete(directory, q, 100).suggestions.map(({ prefix }) => prefix)

/** The share of LGAs that come first for the text made of each. */
const firstFor = (write: (lga: Lga) => string): number =>
  lgas.filter((lga) => found(write(lga))[0] === lga.code).length / lgas.length

/** An LGA, and a number from 0 to below a limit that depends on nothing else. */
const lga = fc.constantFrom(...lgas)

/** A text with one wrong, missing, additional or swapped letter in a word of 5 letters and more, if it has one. */
const misspelled = (text: string): fc.Arbitrary<string> => {
  const starts = [...text.matchAll(/[a-z]{5,}/gi)]
  if (starts.length === 0) return fc.constant(text)
  return fc
    .tuple(fc.constantFrom(...starts), fc.nat(1_000), fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz"), fc.nat(3))
    .map(([match, position, letter, kind]) => {
      const at = match.index + (position % (match[0].length - 1))
      const swapped = `${text.charAt(at + 1)}${text.charAt(at)}`
      const [change, used] = (
        [
          [letter, 1],
          ["", 1],
          [letter, 0],
          [swapped, 2]
        ] as const
      )[kind] ?? ["", 0]
      return text.slice(0, at) + change + text.slice(at + used)
    })
}

describe("all LGAs of Nigeria", () => {
  it.each<readonly [string, (lga: Lga) => string]>([
    ["name, state", ({ name, state }) => `${name}, ${state}`],
    ["state and name, in lower case", ({ name, state }) => `${state} ${name}`.toLowerCase()],
    ["name and state, with both words", ({ name, state }) => `${name} LGA, ${state} State`],
    ["the end of an address", ({ name, state }) => `12 Allen Avenue, ${name}, ${state} State, Nigeria`],
    ["in one word", ({ name, state }) => `${name.replace(/\P{L}/gu, "")} ${state}`],
    [
      "with spaces in place of hyphens, slashes and apostrophes",
      ({ name, state }) => `${name} ${state}`.replace(/[-/']/g, " ")
    ],
    ["half of a name with a slash", ({ name, state }) => `${name.split("/").at(-1)}, ${state}`],
    ["with diacritics", ({ name, state }) => `${name} ${state}`.replace(/[aeiou]/g, "$&\u0300").replace(/s/g, "\u1e63")]
  ])("come first with their state: %s", (_, write) => {
    expect(firstFor(write)).toBeGreaterThanOrEqual(0.99)
  })

  it("come first by their name, and a wrong one never does", () => {
    expect(firstFor(({ name }) => name)).toBeGreaterThanOrEqual(0.98)
    for (const { code, name } of lgas) {
      // Seven have the name of a state, which is suggested in their place.
      const suggested = complete(directory, name, 100).suggestions.filter(({ label }) => label === name)
      if (stateNames.has(name)) expect(suggested.map(({ within }) => within)).toEqual([undefined])
      else expect(suggested.map(({ prefix }) => prefix)).toContain(code)
    }
  })

  it("are suggested in every state that has one of the name", () => {
    expect(found("surulere")).toEqual(["LA-20", "OY-33"])
    expect(found("Surulere, Oyo")).toEqual(["OY-33"])
    expect(complete(directory, "surulere", 1).suggestions).toEqual([
      { code: "20", label: "Surulere", prefix: "LA-20", within: "Lagos" }
    ])
  })

  it("come first with their words and those of the state in any order", () => {
    const orders = lga.chain((one) => {
      const words = `${one.name} ${one.state}`.split(/[ /-]/)
      return fc.tuple(fc.constant(one), fc.shuffledSubarray(words, { minLength: words.length }))
    })
    const wrong = fc.sample(orders, 700).filter(([{ code }, words]) => found(words.join(" "))[0] !== code)
    expect(wrong.length).toBeLessThanOrEqual(7)
  })

  it("come first with a typing error in the name or the state", () => {
    const texts = lga.chain((one) => fc.tuple(fc.constant(one), misspelled(`${one.name}, ${one.state}`)))
    const wrong = fc.sample(texts, 700).filter(([{ code }, text]) => found(text)[0] !== code)
    expect(wrong.length).toBeLessThanOrEqual(7)
  })
})

describe("all states of Nigeria", () => {
  it("come first by name, with and without a typing error, and with the word", () => {
    for (const { code, name } of nigeriaStates()) {
      for (const q of [name, name.toUpperCase(), `${name} State`, `${name}, Nigeria`, `12 Allen Avenue, ${name}`]) {
        expect(found(q)[0], q).toBe(code)
      }
    }
    const long = fc.constantFrom(...nigeriaStates().filter(({ name }) => name.length > 4))
    const texts = long.chain((state) => fc.tuple(fc.constant(state), misspelled(state.name)))
    // Some errors make another name: `auchi`, `kara`.
    const wrong = fc.sample(texts, 300).filter(([{ code }, text]) => found(text)[0] !== code)
    expect(wrong.length).toBeLessThanOrEqual(9)
  })

  it("come after the LGA of their name if the text has the word for it", () => {
    for (const { code, name, state } of lgas.filter((one) => one.name === one.state)) {
      for (const q of [`${name} LGA`, `${name} local government`, `${name}, ${state}`])
        expect(found(q), q).toContain(code)
      expect(found(`${name} State`), name).toEqual([code.slice(0, 2)])
    }
    expect(found("Ekiti, Kwara")).toEqual(["KW-04"])
    expect(found("Nasarawa, Kano")).toEqual(["KN-31"])
  })
})

describe("a text", () => {
  it.each([
    ["Abuja", "FC"],
    ["fct", "FC"],
    ["Wuse, Abuja FCT", "FC"],
    ["AMAC", "FC-02"],
    ["gwagwalada abuja", "FC-04"],
    ["Portharcourt", "RI-22"],
    ["PH", "RI-22"],
    ["Benin City", "ED-12"],
    ["Sagamu", "OG-18"],
    ["Ifako Ijaye", "LA-10"],
    ["Mai Adua", "KT-24"],
    ["Qua an Pan", "PL-14"],
    ["koko", "KE-13"],
    ["Ado Ekiti", "EK-01"],
    ["Katsina-Ala", "BE-09"],
    ["Ikorodu Road, Surulere, Lagos", "LA-20"],
    ["abuja municipal", "FC-02"],
    ["12 allen avenue ikej", "LA-11"]
  ])("%s names %s", (q, code) => {
    expect(found(q)[0]).toBe(code)
  })

  it("with more than the name of a place is never more precise than the text", () => {
    for (const q of [
      "victoria island",
      "north",
      "12 allen avenue",
      "island",
      "road",
      "state",
      "lga",
      "12 i",
      "allen i"
    ]) {
      expect(found(q), q).toEqual([])
    }
    for (const q of ["victoria island, lagos", "lagos victoria island"]) {
      expect(found(q), q).toEqual(["LA"])
    }
    // A city of two LGAs.
    expect(found("Lekki Phase 1, Lagos")).toEqual(["LA-08", "LA-09"])
    expect(found("Ikeja, Oyo State")).not.toContain("LA-11")
  })

  it("lists the LGAs of the state that start with its end", () => {
    expect(found("lagos ik")).toEqual(["LA-11", "LA-12"])
    expect(found("aba").slice(0, 2)).toEqual(["AB-01", "AB-02"])
    expect(found("12 broad street lagos i")).toEqual(["LA"])
  })

  it("of up to 200 arbitrary characters has a result of one segment within milliseconds", () => {
    const words = directory.names.placeNames.words
    const pieces = [
      ...words,
      ...["state", "lga", "road", "obi", "north", "la", "\u0301", "<script>", "' OR 1=1 --", "\ud800"],
      ...fc.sample(fc.array(fc.nat(0xffff), { maxLength: 12 }), 500).map((units) => String.fromCharCode(...units))
    ]
    const text = fc.array(fc.nat(pieces.length - 1), { maxLength: 60 }).map((chosen) =>
      chosen
        .map((index) => pieces[index])
        .join(" ")
        .slice(0, 200)
    )
    const before_us = process.cpuUsage().user
    const runs = 200
    fc.assert(
      fc.property(text, (q) => {
        const { segment, suggestions } = complete(directory, q, 100)
        const length = { state: 2, lga: 5, district: 9, area: 12, unit: 15 }[segment]
        expect(suggestions.filter(({ prefix }) => prefix.length !== length)).toEqual([])
        expect(new Set(suggestions).size).toBe(suggestions.length)
      }),
      { numRuns: runs }
    )
    expect((process.cpuUsage().user - before_us) / runs).toBeLessThan(5_000)
  })

  it("of more than 200 characters is not searched for names", () => {
    expect(found(`${"x ".repeat(97)}ikeja`)).toEqual(["LA-11"])
    expect(found(`${"x ".repeat(98)}ikeja`)).toEqual([])
  })
})

describe("another country", () => {
  it("has no aliases, and names of which every word is common are found", () => {
    const builder = new DirectoryBuilder()
    const place = (code: string, name: string) => builder.addPlace({ code: code as PartialPostcode, name })
    place("FR", "Frontier")
    place("CE", "Central")
    for (let lga = 1; lga < 60; lga++) {
      const code = `CE-${String(lga).padStart(2, "0")}`
      place(code, lga === 1 ? "North East" : `District ${lga}`)
      builder.addUnit(`${code}-A00-AA-01` as Postcode, { lat: 1, lon: 1 }, true)
    }
    const other = directoryFrom(builder)
    const prefixes = (q: string) => complete(other, q, 100).suggestions.map(({ prefix }) => prefix)
    expect(prefixes("abuja")).toEqual([])
    expect(prefixes("north east")).toEqual(["CE-01"])
    expect(prefixes("district 42")).toEqual(["CE-42"])
    expect(prefixes("frontier")).toEqual([])
  })
})
