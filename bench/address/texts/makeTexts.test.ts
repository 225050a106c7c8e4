import { demoDirectory } from "@postcode/demo"
import { describe, expect, it } from "vitest"
import type { AddressRow } from "./AddressRow.ts"
import { splitAddress } from "./AddressRow.ts"
import { Labels } from "./Labels.ts"
import { Meanings, type Query } from "./Meanings.ts"
import { makeTexts } from "./makeTexts.ts"
import { rowsOf } from "./readFolder.ts"
import { fnv1a, isRight, onlyUnit } from "./TestText.ts"
import { meaningWords } from "./Words.ts"

const address = (postcode: string, locality_name: string, recent_address: string): AddressRow =>
  splitAddress({ postcode, locality_name, recent_address, lga: "Aba North", state: "Abia" })

/** Two spellings of one school, a sibling with a number, a water point named like a school, and a near-namesake. */
const rows = [
  address("AB-01-E01-AA-00", "Eziama", "Queen Esther Sec Sch, Eziama, Aba North, Abia"),
  address("AB-01-E01-AA-01", "Eziama", "Queen Esther Secondary School, Eziama, Aba North, Abia"),
  address("AB-01-E01-AA-02", "Eziama", "Aba North PHC, Eziama, Eziama Ward, Aba North, Abia"),
  address("AB-01-E01-AA-03", "Eziama", "Eziama, Aba North, Abia"),
  address("AB-01-E01-AB-00", "Osusu", "Golf Course Primary School 1, Osusu, Aba North, Abia"),
  address("AB-01-E01-AB-01", "Osusu", "Golf Course Primary School II, Osusu, Aba North, Abia"),
  address("AB-01-E02-AA-00", "Boarding Pry Sch", "Boarding Pry Sch, Aba North, Abia"),
  address("AB-01-E02-AA-01", "Osusu", "Boarding Primary School, Osusu, Aba North, Abia"),
  address("AB-01-E02-AA-02", "Osusu", "Ubani Clinic, Osusu, Aba North, Abia"),
  address("AB-01-E02-AA-03", "Osusu", "Ubane Clinic, Osusu, Aba North, Abia")
]
const labels = new Labels(rows)

/** The rows of the least cost, by comparing a text with each. */
const comparedWithAll = (meanings: Meanings, size: number, { errors, isNamed, text }: Query) => {
  const words = [...new Set(meaningWords(text))]
  const all = Array.from({ length: size }, (_, index) => index)
  const costs = all.map((index) => meanings.cost(index, words, isNamed, errors === 0 ? 0 : errors + 1))
  const least = Math.min(...costs)
  return least > errors ? [] : all.filter((index) => costs[index] === least)
}

const demo = demoDirectory({ units: 400 })
const demoRows = rowsOf(demo.directory, (id) => demo.attributes(id))

describe("labels", () => {
  it.each([
    ["Queen Esther Sec. Sch., Eziama", [0, 1], "both spellings are one name"],
    ["eziama, aba north p.h.c", [2], "order and initials do not count"],
    ["Golf Course Pry Sch 2, Osusu, Aba North", [5], "numbers may be Roman"],
    ["Golf Course Primary School, Osusu", [], "a name is complete"],
    ["Golf Course Primary School 3, Osusu", [], "a number is what it is"],
    ["Boarding Primary School, Aba North, Abia", [6, 7], "a locality can be what is meant"],
    ["Ubani Clinic, Osusu", [8], "another letter is another name"],
    ["Ubani Clinic, Eziama", [], "a place that contradicts is another place"]
  ])("%s", (text, meant) => {
    expect(labels.unitOf(text).codes).toEqual(meant.map((index) => rows[index]!.postcode))
  })

  it("a text with typing errors means the address with the fewest errors, and is uncertain if another one is as near", () => {
    expect(labels.unitOf("Ubanix Clinic, Osusu", { errors: 1 })).toMatchObject({
      codes: [rows[8]!.postcode],
      isCertain: false
    })
    expect(labels.unitOf("Ubanu Clinic, Osusu", { errors: 1 }).codes).toEqual([rows[8]!.postcode, rows[9]!.postcode])
    expect(labels.unitOf("Aba Nroth PHC, Eziama", { errors: 1 })).toMatchObject({
      codes: [rows[2]!.postcode],
      isCertain: true
    })
  })

  it("a locality means all of its units, and a missing house number means the units with its neighbours", () => {
    expect(labels.placeOf("Eziama, Aba North").codes).toEqual(rows.slice(0, 4).map(({ postcode }) => postcode))
    expect(labels.siblingsOf(rows[4]!)).toEqual([rows[4]!.postcode, rows[5]!.postcode])
    expect(labels.siblingsIn("Plot 7, Golf Course Primary School, Aba North")).toEqual(labels.siblingsOf(rows[4]!))
    expect(labels.siblingsIn("Golf Course Clinic, Aba North")).toEqual([])
  })

  it("are the same as those of a comparison with every row", () => {
    let several = 0
    for (const of of [rows, demoRows]) {
      const meanings = new Meanings(of)
      for (const { kind, text } of makeTexts(of, { count: 27, half: "even", seed: 3 })) {
        for (const query of [true, false].flatMap((isNamed) => [0, 1].map((errors) => ({ text, isNamed, errors })))) {
          const expected = comparedWithAll(meanings, of.length, query)
          const found = [...meanings.find(query).rows].sort((a, b) => a - b)
          expect(found, `${kind}: ${text}`).toEqual(expected)
          if (expected.length > 1) several++
        }
      }
    }
    expect(several).toBeGreaterThan(10)
  })
})

describe("makeTexts", () => {
  const options = { count: 54, half: "odd", seed: 1 } as const
  const texts = makeTexts(demoRows, options)

  it("makes the same texts for the same seed, and names only units of the selected half", () => {
    expect(makeTexts(demoRows, options)).toEqual(texts)
    const other = makeTexts(demoRows, { ...options, half: "even" })
    const units = (from: typeof texts) => from.flatMap(({ meaning }) => onlyUnit(meaning) ?? [])
    expect(units(texts).every((code) => fnv1a(code) % 2 === 1)).toBe(true)
    expect(units(other).every((code) => fnv1a(code) % 2 === 0)).toBe(true)
    expect(units(texts).length).toBeGreaterThan(30)
  })

  it("accepts no unit as the answer to a text about an unlisted address", () => {
    const unlisted = texts.filter(({ meaning }) => meaning.isUnlisted)
    expect(unlisted.length).toBeGreaterThan(15)
    for (const { meaning } of unlisted) {
      expect(demoRows.some(({ postcode }) => isRight(meaning, postcode))).toBe(false)
    }
  })
})

describe("isRight", () => {
  const codes = ["LA-11-B03-PD-01", "LA-11-B03-PD-02", "LA-11-B03-PE-01"]

  it("is true of a code that contains all meant units, and of a unit only if no other unit is meant", () => {
    const meaning = { codes, isUnlisted: false, isCertain: false }
    expect(["LA-11-B03", "LA-11", "LA"].every((code) => isRight(meaning, code))).toBe(true)
    expect(["LA-11-B03-PD", "LA-12", "AB", codes[0]!].some((code) => isRight(meaning, code))).toBe(false)
    expect(isRight({ ...meaning, codes: codes.slice(0, 1) }, codes[0]!)).toBe(true)
    expect(isRight({ codes: [], isUnlisted: true, isCertain: false }, "LA")).toBe(false)
  })

  it("accepts a code with up to 5 % of the units outside it", () => {
    const many = Array.from({ length: 40 }, (_, unit) => `LA-11-B03-PD-${unit + 10}`)
    const meaning = { isUnlisted: false, isCertain: false }
    expect(
      isRight({ ...meaning, codes: [...many.slice(2), ...codes.slice(2), "AB-01-E01-AA-00"] }, "LA-11-B03-PD")
    ).toBe(true)
    expect(isRight({ ...meaning, codes: [...many.slice(3), "AB-01-E01-AA-00", "AB-02-E01-AA-00"] }, "LA")).toBe(false)
  })
})
