// Snapshots with checksums that match, and sections that no writer makes so long: each is refused before a search could
// take long over it.
import { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { InvalidSnapshot } from "@postcode/core/Snapshot"
import { describe, expect, it } from "vitest"
import { buildMisspellings } from "../../../src/directory/text/Misspellings.ts"
import { readWords } from "../../../src/directory/text/Words.ts"
import { fixtureDirectory, fixtureUnits } from "../../search/address/AddressFixture.ts"
import { directoryFrom } from "../BuiltDirectory.ts"
import { elementsOf, sectionIn, snapshotOf, withSections } from "./SnapshotBytes.ts"

const original = snapshotOf(fixtureDirectory(), { addresses: true })

const refusalOf = (bytes: Uint8Array): string => {
  try {
    Directory.open(bytes)
    return "opened"
  } catch (error) {
    if (error instanceof InvalidSnapshot) return error.message
    throw error
  }
}

/** The snapshot with so many more elements in the last range of a section. */
const withLongLast = (section: string, starts: string, more: number, element = 0): Uint8Array => {
  const values = elementsOf(original, section)
  const ends = elementsOf(original, starts)
  const longer = new Uint32Array(values.length + more).fill(element)
  longer.set(values)
  ends[ends.length - 1] = longer.length
  return withSections(original, { [section]: longer, [starts]: ends })
}

/** The same for a section of bytes, each of them `x`. */
const withLongBytes = (section: string, starts: string, more: number): Uint8Array => {
  const { end, start } = sectionIn(original, section)
  const longer = new Uint8Array(end - start + more).fill(0x78)
  longer.set(original.subarray(start, end))
  const ends = elementsOf(original, starts)
  ends[ends.length - 1] = longer.length
  return withSections(original, { [section]: longer, [starts]: ends })
}

const withPlaces = (json: string): Uint8Array => withSections(original, { places: new TextEncoder().encode(json) })

describe("a snapshot is refused", () => {
  it("with a text of a million words", () => {
    expect(refusalOf(withLongLast("addresses.textWords", "addresses.textWordStarts", 1_000_000))).toMatch(
      /^section addresses.textWordStarts: expected at most 24 elements in range \d+, found 1\d{6}$/
    )
  })

  it("with a bucket of 100,000 misspellings", () => {
    expect(refusalOf(withLongLast("addresses.misspellings", "addresses.misspellingStarts", 100_000))).toMatch(
      /^section addresses.misspellingStarts: expected at most \d+ elements in range \d+, found 1000\d\d$/
    )
  })

  it("with a word of 300,000 bytes", () => {
    expect(refusalOf(withLongBytes("addresses.wordBytes", "addresses.wordStarts", 300_000))).toMatch(
      /^section addresses.wordStarts: expected at most 96 elements in range \d+, found 3000\d\d$/
    )
  })

  it("with a text of a million bytes", () => {
    expect(refusalOf(withLongBytes("addresses.textBytes", "addresses.textStarts", 1_000_000))).toMatch(
      /^section addresses.textStarts: expected at most 600 elements in range \d+, found 10000\d\d$/
    )
  })

  it("with references that repeat, as blocked a service for seconds", () => {
    for (const of of ["name", "locality"]) {
      expect(refusalOf(withLongLast(`addresses.${of}Refs`, `addresses.${of}RefStarts`, 100_000, 1))).toMatch(
        new RegExp(`^section addresses.${of}Refs: expected element \\d+ above the one before it, and below \\d+$`)
      )
    }
  })

  it("with LGAs that repeat", () => {
    const lgas = elementsOf(original, "addresses.lgas")
    lgas[1] = lgas[0] as number
    expect(refusalOf(withSections(original, { "addresses.lgas": lgas }))).toBe(
      "section addresses.lgas: expected element 1 above the one before it, and below 67600"
    )
  })

  it("with 8 MB of nested brackets, or with fewer, before they are parsed", () => {
    expect(refusalOf(withPlaces("[".repeat(2 ** 22) + "]".repeat(2 ** 22)))).toMatch(
      /^section places: expected at most \d+ bytes, found 8388608$/
    )
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
    expect(refusalOf(withPlaces(nested(100_000)))).toBe("section places: expected objects of texts in one array")
    expect(refusalOf(withPlaces(`[${'{"code":'.repeat(3)}1${"}".repeat(3)}]`))).toBe(
      "section places: expected objects of texts in one array"
    )
    expect(refusalOf(withPlaces('[{"code":"LA","name":"[[[{{{\\"[[["}]'))).toBe("opened")
  })

  it("with names of 7 MB, or one long name, or too many places", () => {
    const place = (name: string) => JSON.stringify([{ code: "LA", name }])
    expect(refusalOf(withPlaces(place("x ".repeat(3_500_000))))).toMatch(/^section places: expected at most \d+ bytes/)
    expect(refusalOf(withPlaces(place("x ".repeat(51))))).toBe(
      "section places: place 0: name: expected at most 100 bytes in UTF-8, found 102"
    )
    expect(refusalOf(withPlaces(place("x ".repeat(50))))).toBe("opened")
    expect(refusalOf(withPlaces(`[${"{},".repeat(4096)}{}]`))).toBe(
      "section places: expected at most 4096 places, found 4097"
    )
  })

  it("with another depth of the tree than its units need", () => {
    const depth = sectionIn(original, "spatial.depth").start
    expect(original[depth]).toBe(1)
    const drifts = Uint8Array.of(128, 128)
    const units = sectionIn(original, "spatial.units")
    const flat = withSections(original, {
      "spatial.depth": Uint32Array.of(0),
      "spatial.splits": new Uint32Array(0),
      "spatial.drifts": drifts,
      "spatial.units": original.slice(units.start, units.end - 12)
    })
    expect(refusalOf(flat)).toBe(`section spatial.depth: expected 1 for ${fixtureUnits.length} units, found 0`)
  })

  it("with equal splits, which have all leaves near one point", () => {
    const builder = new DirectoryBuilder()
    for (let unit = 0; unit < 1_000; unit++) {
      const postcode = `LA-12-A03-${"ABCDEFGHIJ"[Math.floor(unit / 100)]}A-${String(unit % 100).padStart(2, "0")}`
      builder.addUnit(postcode as Postcode, { lat: unit / 100, lon: (unit * 37) % 100 }, true)
    }
    const bytes = snapshotOf(directoryFrom(builder))
    const splits = elementsOf(bytes, "spatial.splits").fill(0)
    expect(refusalOf(bytes)).toBe("opened")
    expect(refusalOf(withSections(bytes, { "spatial.splits": splits }))).toMatch(
      /^section spatial.splits: expected the units of leaf \d+ within those above it$/
    )
  })
})

describe("a directory does not get", () => {
  it("words of more than 32 characters, also of initials", () => {
    const words = readWords(`${"a b c d ".repeat(25)} ${"ọ".repeat(200)}`).words
    expect(words.map(({ length }) => length)).toEqual([32, 32])
  })

  it("more than 128 words in a bucket of misspellings", () => {
    // All are the same without their first byte.
    const words = Array.from({ length: 240 }, (_, first) => [first < 48 ? first : first + 10, 0x61, 0x62, 0x63])
    const starts = Uint32Array.from({ length: words.length + 1 }, (_, at) => 4 * at)
    const built = buildMisspellings(Uint8Array.from(words.flat()), starts, 6)
    const lengths = Array.from(built.starts.subarray(1), (end, bucket) => end - (built.starts[bucket] as number))
    expect(Math.max(...lengths)).toBe(128)
    expect(built.words.length).toBe(built.starts.at(-1))
  })

  it("names of places that a snapshot cannot have", () => {
    const builder = new DirectoryBuilder()
    const code = "LA" as PartialPostcode
    expect(builder.addPlace({ code, name: "ọ".repeat(34) })).toEqual({
      ok: false,
      reason: "name: expected at most 100 bytes in UTF-8, found 102"
    })
    expect(builder.addPlace({ code, name: "Lagos", zone: "x".repeat(101) })).toEqual({
      ok: false,
      reason: "zone: expected at most 100 bytes in UTF-8, found 101"
    })
  })
})
