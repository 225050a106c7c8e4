import { complete } from "@postcode/core/Autocomplete"
import { fromE7 } from "@postcode/core/Coordinate"
import { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { LiveDirectory } from "@postcode/core/LiveDirectory"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import { nearest, within } from "@postcode/core/ReverseGeocoder"
import { InvalidSnapshot, snapshotHeader, snapshotLength, snapshotPieces } from "@postcode/core/Snapshot"
import fc from "fast-check"
import { afterEach, describe, expect, it, vi } from "vitest"
import { packedCodes } from "../../../src/directory/codes/PackedCode.ts"
import { xxh32 } from "../../../src/directory/snapshot/xxh32.ts"
import { vectorDirectory, vectorText } from "../../Vectors.ts"
import { directoryFrom } from "../BuiltDirectory.ts"
import { at, entryLength, inEntry, reseal, sectionIn, snapshotOf, viewOf, withSections } from "./SnapshotBytes.ts"

fc.configureGlobal({ seed: 774, numRuns: 150 })

interface Row {
  readonly postcode: Postcode
  readonly lat_e7: number
  readonly lon_e7: number
  readonly active: boolean
  readonly replaced_by?: Postcode | undefined
}

interface Edition {
  readonly version?: string
  readonly date?: string
}

const directoryOf = (
  rows: ReadonlyArray<Row>,
  places: ReadonlyArray<readonly [code: string, name: string, zone?: string]> = [],
  edition: Edition = {}
): Directory => {
  const builder = new DirectoryBuilder(edition)
  for (const [code, name, zone] of places) {
    const place = { code: code as PartialPostcode, name }
    const added = builder.addPlace(zone === undefined ? place : { ...place, zone })
    if (!added.ok) throw new Error(added.reason)
  }
  for (const { active, lat_e7, lon_e7, postcode, replaced_by } of rows) {
    const details = active ? undefined : { replaced_by }
    builder.addUnit(postcode, { lat: fromE7(lat_e7), lon: fromE7(lon_e7) }, active, details)
  }
  return directoryFrom(builder)
}

const places = [
  ["AB", "Abịa", "South East"],
  ["AB-00", "Aba, 𝔸"],
  ["YZ", "Yobe"]
] as const

/** Everything that can be asked of a directory, about each of its units and some that it lacks. */
const answersOf = (directory: Directory) => {
  const ids = Array.from({ length: directory.size }, (_, id) => id)
  const codes = ids.map((id) => directory.postcodeAt(id))
  const points = [...ids.map((id) => directory.coordinateAt(id)), { lat: 6.5, lon: 3.4 }, { lat: 90, lon: 180 }]
  const states = directory.states()
  const lgas = states.flatMap(({ code }) => (directory.lgas(code) ?? []).map((lga) => ({ state: code, lga })))
  const districts = lgas.flatMap(({ lga, state }) =>
    (directory.districts(state, lga.code) ?? []).map((district) => ({ state, lga, district }))
  )
  return {
    said: [directory.size, directory.activeSize, directory.version, directory.date, directory.contents.changes],
    codes,
    points,
    states,
    lgas,
    districts,
    areas: districts.map(({ district, lga, state }) => directory.areas(state, lga.code, district.code)),
    active: ids.map((id) => directory.isActive(id)),
    found: [...codes, "QQ-99-QQQ-QQ-99" as Postcode].map((code) => [
      directory.find(code),
      directory.status(code),
      directory.replacedBy(code)
    ]),
    names: codes.map((code) => directory.placeNames(code)),
    completed: ["", "a", "ab", "AB-0", "ab00", "yobe", "zz9", "AB00AAA", ...codes.map((code) => code.slice(0, 12))].map(
      (text) => complete(directory, text, 20)
    ),
    nearest: points.map((point) => nearest(directory, point, 250)),
    within: points.map((point) => within(directory, point, 2000, 50))
  }
}

const anyOf = (characters: string, length: number) =>
  fc.array(fc.constantFrom(...characters), { minLength: length, maxLength: length }).map((chosen) => chosen.join(""))
const row: fc.Arbitrary<Row> = fc.record({
  postcode: fc
    .tuple(anyOf("ABYZ", 2), anyOf("09", 2), anyOf("0A", 3), anyOf("ABYZ", 2), anyOf("0189", 2))
    .map((parts) => parts.join("-") as Postcode),
  lat_e7: fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: -900_000_000, max: 900_000_000 })),
  lon_e7: fc.oneof(fc.integer({ min: 0, max: 90_000 }), fc.integer({ min: -1_800_000_000, max: 1_800_000_000 })),
  active: fc.boolean(),
  replaced_by: fc.constantFrom(undefined, "QQ-99-QQQ-QQ-99" as Postcode, "AA-00-000-AA-00" as Postcode)
})
const anyDirectory = fc
  .record({
    rows: fc.uniqueArray(row, { selector: ({ postcode }) => postcode, maxLength: 60 }),
    edition: fc.record({
      version: fc.string({ unit: "grapheme", maxLength: 40 }),
      date: fc.constantFrom("", "2026-01-31", "2024-02-29")
    })
  })
  .map(({ edition, rows }) => directoryOf(rows, places, edition))

describe("a snapshot", () => {
  it("has the same results as its directory, for any directory", () => {
    fc.assert(
      fc.property(anyDirectory, (directory) => {
        expect(answersOf(Directory.open(snapshotOf(directory)))).toEqual(answersOf(directory))
      })
    )
  })

  it("has the same bytes for the same directory, and for one that was opened from it", () => {
    fc.assert(
      fc.property(anyDirectory, (directory) => {
        const bytes = snapshotOf(directory)
        expect(snapshotOf(directory)).toEqual(bytes)
        expect(snapshotOf(Directory.open(bytes))).toEqual(bytes)
      })
    )
  })

  it("of a directory with changes includes them, and has their number", () => {
    const rows = rowsAt(60)
    const [first, second, third, ...others] = rows as [Row, Row, Row, ...Array<Row>]
    const live = new LiveDirectory(directoryOf([first, second, ...others], places))
    const coordinate = { lat: fromE7(third.lat_e7), lon: fromE7(third.lon_e7) }
    const applied = live.apply([
      { change: "retire", postcode: first.postcode, replaced_by: second.postcode },
      { change: "reactivate", postcode: second.postcode },
      { change: "add", postcode: third.postcode, coordinate, active: third.active }
    ])
    expect(applied.ok).toBe(true)
    const bytes = snapshotOf(live.current)
    expect(snapshotHeader(bytes)).toMatchObject({ units: 60, activeUnits: 30, changes: 3 })
    const present = directoryOf(
      [{ ...first, active: false, replaced_by: second.postcode }, { ...second, active: true }, third, ...others],
      places
    )
    const { said, ...answers } = answersOf(Directory.open(bytes))
    expect(said).toEqual([60, 30, "", "", 3])
    expect(answersOf(present)).toMatchObject(answers)
  })

  it("has sections of 64-byte alignment, and a header that describes them", () => {
    const directory = directoryOf(rowsAt(60), places, { version: "2026-1", date: "2026-01-31" })
    const header = snapshotHeader(snapshotOf(directory))
    expect(header).toMatchObject({
      formatVersion: 5,
      length_bytes: snapshotLength(directory),
      units: 60,
      activeUnits: 30,
      version: "2026-1",
      date: "2026-01-31",
      changes: 0
    })
    expect(header.sections.filter(({ offset }) => offset % 64 !== 0)).toEqual([])
    expect(header.sections.find(({ name }) => name === "tree.area.units")).toMatchObject({
      type: "uint32",
      length_bytes: 3 * 32
    })
  })

  it("has pieces of which the large ones are views of the directory's arrays", () => {
    const directory = directoryOf(rowsAt(60))
    const { units } = directory.contents.tree.areas
    const pieces = [...snapshotPieces(directory)]
    expect(pieces.filter(({ buffer }) => buffer === units.buffer)).toHaveLength(1)
    expect(pieces.filter(({ length }) => length === 0)).toEqual([])
  })

  it("refuses a directory with an invalid date", () => {
    const directory = directoryOf([], [], { date: "2026-02-30" })
    expect(() => snapshotLength(directory)).toThrow(new RangeError("date: expected a day like 2026-01-31, or nothing"))
    expect(() => snapshotOf(directoryOf([], [], { date: "last week" }))).toThrow(RangeError)
  })

  it("refuses a data version of more than 1,024 bytes", () => {
    const longest = directoryOf([], [], { version: "ọ".repeat(341) })
    expect(Directory.open(snapshotOf(longest)).version).toBe(longest.version)
    expect(() => snapshotLength(directoryOf([], [], { version: "ọ".repeat(342) }))).toThrow(
      new RangeError("version: expected at most 1024 bytes in UTF-8, found 1026")
    )
  })

  it("has room for as many and as long names as a directory can have", () => {
    const builder = new DirectoryBuilder()
    // A control character takes six bytes of JSON.
    const name = "\u0001".repeat(100)
    const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
    const states = letters.flatMap((first) => letters.map((second) => first + second))
    const lgas = states
      .slice(0, 40)
      .flatMap((state) => Array.from({ length: 100 }, (_, at) => `${state}-${String(at).padStart(2, "0")}`))
    const added = [...states, ...lgas].map((code) =>
      builder.addPlace({ code: code as PartialPostcode, name, ...(code.length === 2 ? { zone: name } : {}) })
    )
    expect(added.filter(({ ok }) => ok).length).toBe(4096)
    expect(added.at(-1)).toEqual({ ok: false, reason: "expected at most 4096 states and LGAs" })
    expect(Directory.open(snapshotOf(directoryFrom(builder))).places.length).toBe(4096)
  })
})

describe("the golden snapshot", () => {
  const golden = () => new Uint8Array(Buffer.from(vectorText("snapshot-tiny.hex").replaceAll("\n", ""), "hex"))
  const fromCsv = () => vectorDirectory("snapshot-tiny", { version: "2026-1", date: "2026-01-31" })

  it("opens as its directory", () => {
    const opened = Directory.open(golden())
    expect(answersOf(opened)).toEqual(answersOf(fromCsv()))
    expect(opened.size).toBe(344)
    expect(opened.postcodeAt(5)).toBe("LA-12-A03-BG-04")
    expect(opened.coordinateAt(5)).toEqual({ lat: 6.6200696, lon: 3.5105081 })
  })

  it("equals the snapshot of its directory, byte for byte", () => {
    expect(linesOf(snapshotOf(fromCsv()))).toEqual(linesOf(golden()))
  })

  const linesOf = (bytes: Uint8Array) =>
    Array.from({ length: Math.ceil(bytes.length / 32) }, (_, line) =>
      Buffer.from(bytes.subarray(32 * line, 32 * line + 32)).toString("hex")
    )
})

describe("opening", () => {
  const directory = () => directoryOf(rowsAt(60), places, { version: "2026-1", date: "2026-01-31" })

  it("accepts a Uint8Array at any offset", () => {
    const bytes = snapshotOf(directory())
    const expected = answersOf(directory())
    for (let offset = 0; offset < 17; offset++) {
      const room = new Uint8Array(bytes.length + 40).fill(0xff)
      room.set(bytes, offset)
      expect(answersOf(Directory.open(room.subarray(offset, offset + bytes.length)))).toEqual(expected)
    }
  })

  it("accepts an ArrayBuffer and a SharedArrayBuffer, without a copy", () => {
    const bytes = snapshotOf(directory())
    const shared = new SharedArrayBuffer(bytes.length)
    new Uint8Array(shared).set(bytes)
    for (const image of [bytes.buffer, shared, new Uint8Array(shared)]) {
      const opened = Directory.open(image)
      expect(answersOf(opened)).toEqual(answersOf(directory()))
      expect(opened.contents.tree.areas.units.buffer).toBe(image instanceof Uint8Array ? shared : image)
      expect(opened.contents.spatial.units.buffer).toBe(image instanceof Uint8Array ? shared : image)
    }
  })

  it("ignores the checksums of sections with the option, but still checks their contents", () => {
    const bytes = snapshotOf(directory())
    const splits = sectionIn(bytes, "spatial.splits")
    const { start } = sectionIn(bytes, "tree.area.units")
    bytes[start] = (bytes[start] as number) ^ 2
    expect(() => Directory.open(bytes)).toThrow("section tree.area.units: its checksum does not match")
    expect(() => Directory.open(bytes, { verify: false })).toThrow("section tree.area.units: area 0 is empty, has")
    bytes[start] = (bytes[start] as number) ^ 2
    bytes[splits.start + 4] = (bytes[splits.start + 4] as number) ^ 1
    expect(() => Directory.open(bytes)).toThrow("section spatial.splits: its checksum does not match")
    expect(Directory.open(bytes, { verify: false }).size).toBe(60)
  })
})

describe("an invalid snapshot is refused:", () => {
  afterEach(() => vi.unstubAllGlobals())

  const refusalOf = (bytes: Uint8Array): string => {
    try {
      Directory.open(bytes)
    } catch (error) {
      expect(error).toBeInstanceOf(InvalidSnapshot)
      return (error as Error).message
    }
    return "opened"
  }

  const original = snapshotOf(directoryOf(rowsAt(60), places, { version: "2026-1", date: "2026-01-31" }))

  /** What is said of the snapshot once it is changed and all checksums match again. */
  const resealed = (change: (bytes: Uint8Array, view: DataView) => void): string => {
    const bytes = original.slice()
    change(bytes, viewOf(bytes))
    reseal(bytes)
    return refusalOf(bytes)
  }

  const setIn = (name: string, element: number, width: 1 | 2 | 4, value: number) =>
    resealed((bytes, view) => {
      const { start } = sectionIn(bytes, name)
      if (width === 1) view.setUint8(start + element, value)
      else if (width === 2) view.setUint16(start + 2 * element, value, true)
      else view.setUint32(start + 4 * element, value, true)
    })

  it("a foreign file, and an empty one", () => {
    const message = "not a snapshot: expected a file that starts with 89 50 43 44 0D 0A 1A 0A"
    expect(refusalOf(new Uint8Array(0))).toBe(message)
    expect(refusalOf(new TextEncoder().encode("postcode,lat,lon,status\n"))).toBe(message)
    expect(refusalOf(new Uint8Array(4096))).toBe(message)
    // As a transfer as text would leave it.
    expect(refusalOf(original.filter((byte) => byte !== 0x0d))).toBe(message)
  })

  it("one of a newer or an older format", () => {
    expect(resealed((_, view) => view.setUint32(at.formatVersion, 7, true))).toBe(
      "newer format: version 7, and this program reads 5"
    )
    expect(resealed((_, view) => view.setUint32(at.formatVersion, 1, true))).toBe(
      "older format: version 1, and this program reads 5; write it anew"
    )
  })

  it("one that was cut off, at any length", () => {
    for (let length = 24; length < original.length; length += length < 2000 ? 1 : 37) {
      expect(refusalOf(original.subarray(0, length))).toBe(
        `truncated: expected ${original.length} bytes, found ${length}`
      )
    }
    for (let length = 1; length < 24; length++) {
      expect(refusalOf(original.subarray(0, length))).toBe(`truncated: expected at least 128 bytes, found ${length}`)
    }
  })

  it("one with bytes after its end", () => {
    const longer = new Uint8Array(original.length + 1)
    longer.set(original)
    expect(refusalOf(longer)).toBe(`too long: expected ${original.length} bytes, found ${longer.length}`)
  })

  it("one with any bit changed", () => {
    const bytes = original.slice()
    for (let byte = 0; byte < bytes.length; byte++) {
      const bit = 1 << (byte % 8)
      bytes[byte] = (bytes[byte] as number) ^ bit
      expect(refusalOf(bytes), `byte ${byte}`).not.toBe("opened")
      bytes[byte] = (bytes[byte] as number) ^ bit
    }
    expect(refusalOf(bytes)).toBe("opened")
  })

  it("one whose header does not match its checksum", () => {
    const bytes = original.slice()
    bytes[at.units] = 61
    expect(refusalOf(bytes)).toBe("header: its checksum does not match")
  })

  it("one with another section table", () => {
    const entry = sectionIn(original, "tree.area.units").entry
    const expected = "section table: expected section tree.area.units of type uint32 in its place"
    expect(resealed((bytes) => bytes.set([0x55], entry))).toBe(expected)
    expect(resealed((bytes) => bytes.set([0x78], entry + 31))).toBe(expected)
    expect(resealed((_, view) => view.setUint32(entry + inEntry.type, 2, true))).toBe(expected)
  })

  it("one with contradictory sizes", () => {
    const say = "sizes that contradict one another: "
    const { entry, start } = sectionIn(original, "tree.area.units")
    const headerLength = viewOf(original).getUint32(at.headerLength, true)
    const count = snapshotHeader(original).sections.length
    expect(resealed((_, view) => view.setUint32(at.headerLength, 2 ** 31, true))).toBe(
      `${say}a header of 2147483648 bytes in a file of ${original.length}`
    )
    expect(resealed((_, view) => view.setUint32(at.sections, count + 1, true))).toBe(
      `${say}a header of ${headerLength} bytes with ${count + 1} sections and a version of 6 bytes`
    )
    expect(resealed((_, view) => view.setUint32(at.versionLength, 2 ** 32 - 1, true))).toBe(
      `${say}a header of ${headerLength} bytes with ${count} sections and a version of 4294967295 bytes`
    )
    expect(resealed((_, view) => view.setUint32(at.activeUnits, 61, true))).toBe(`${say}61 active units of 60`)
    expect(resealed((_, view) => view.setUint32(entry + inEntry.offset, start + 64, true))).toBe(
      `${say}section tree.area.units at ${start + 64}, which belongs at ${start}`
    )
    expect(resealed((_, view) => view.setUint32(entry + inEntry.offset + 4, 1, true))).toBe(
      `${say}section tree.area.units at ${start + 2 ** 32}, which belongs at ${start}`
    )
    expect(resealed((_, view) => view.setBigUint64(entry + inEntry.length, 2n ** 64n - 1n, true))).toBe(
      `${say}section tree.area.units of 18446744073709552000 bytes in a file of ${original.length}`
    )
    expect(
      resealed((bytes, view) =>
        view.setUint32(sectionIn(bytes, "tree.district.starts").entry + inEntry.length, 7, true)
      )
    ).toBe(`${say}section tree.district.starts of 7 bytes, with elements of 4`)
    expect(resealed((_, view) => view.setUint32(entry + inEntry.length, 160, true))).toMatch(
      /^sizes that contradict one another: section districts.located at \d+, which belongs at \d+$/
    )
    expect(resealed((_, view) => view.setUint32(entry + inEntry.length, 120, true))).toBe(
      `${say}section tree.area.units has 30 elements instead of 24`
    )
    expect(resealed((_, view) => view.setUint32(at.units, 61, true))).toBe(`${say}60 units instead of the header's 61`)
  })

  it("one whose last section ends before the file does", () => {
    const { entry, end, start } = sectionIn(original, "places")
    expect(resealed((_, view) => view.setUint32(entry + inEntry.length, end - start - 1, true))).toBe(
      `sizes that contradict one another: sections that end at ${end - 1} in a file of ${end}`
    )
  })

  it("one with an invalid date", () => {
    const message = "date: expected a day like 2026-01-31, or zeros"
    expect(resealed((bytes) => bytes.set(new TextEncoder().encode("2026-02-30"), at.date))).toBe(message)
    expect(resealed((bytes) => bytes.set([0], at.date + 9))).toBe(message)
  })

  it("one whose data version is not UTF-8", () => {
    const table = at.table + snapshotHeader(original).sections.length * entryLength
    expect(resealed((bytes) => bytes.set([0xff], table))).toBe("data version: expected UTF-8")
  })

  it("one with a data version that is too long", () => {
    const roomy = snapshotOf(directoryOf([], [], { version: "x".repeat(1024) }))
    viewOf(roomy).setUint32(at.versionLength, 1025, true)
    reseal(roomy)
    expect(refusalOf(roomy)).toBe("data version: expected at most 1024 bytes, found 1025")
  })

  it("one with more changes than an exact number can count", () => {
    expect(resealed((_, view) => view.setUint32(at.changes + 4, 2 ** 21, true))).toBe(
      "changes: expected at most 2^53 - 1"
    )
  })

  it("one with reserved bytes that are not zero", () => {
    const { end } = sectionIn(original, "tree.area.units")
    expect(resealed((bytes) => bytes.set([1], at.reserved))).toBe("header: expected zeros where nothing is kept")
    expect(resealed((bytes) => bytes.set([1], end))).toBe("before section districts.located: expected zeros")
  })

  it("one with sums of districts or areas that no locations have", () => {
    const sumIn = (name: string, sum: number) =>
      resealed((bytes, view) => view.setFloat64(sectionIn(bytes, name).start, sum, true))
    expect(setIn("districts.located", 0, 4, 21)).toBe(
      "section districts.located: element 0 is above the 20 active units"
    )
    // The first district has 20 active units.
    for (const sum of [Number.NaN, Number.POSITIVE_INFINITY, 0.5, 18_000_000_001, -18_000_000_001]) {
      expect(sumIn("districts.lats_e7", sum)).toBe("section districts.lats_e7: element 0 is no sum of 20 locations")
    }
    expect(sumIn("districts.lons_e7", 36_000_000_001)).toBe(
      "section districts.lons_e7: element 0 is no sum of 20 locations"
    )
    // And the first area 10.
    expect(setIn("areas.located", 0, 4, 21)).toBe("section areas.located: element 0 is above the 10 active units")
    expect(sumIn("areas.lons_e7", 36_000_000_001)).toBe("section areas.lons_e7: element 0 is no sum of 10 locations")
    expect(refusalOf(withSections(original, { "districts.lons_e7": new Uint8Array(8) }))).toMatch(
      /^section districts.lons_e7: expected \d elements, found 1$/
    )
  })

  it("one with an invalid tree", () => {
    expect(setIn("tree.state.values", 0, 2, 676)).toMatch(
      /^section tree.state.values: expected element 0 .* below 676$/
    )
    expect(setIn("tree.area.values", 1, 2, 0)).toMatch(/^section tree.area.values: expected element 1 above/)
    expect(setIn("tree.district.starts", 1, 4, 0)).toBe(
      "section tree.district.starts: expected element 1 above the one before it"
    )
    expect(setIn("tree.district.starts", 0, 4, 1)).toMatch(
      /tree.district.starts goes from 1 to 3 instead of from 0 to 3$/
    )
  })

  it("one with an area of impossible units", () => {
    const say = (area: number) =>
      `section tree.area.units: area ${area} is empty, has active units that do not exist, or counts its units wrong`
    const { start } = sectionIn(original, "tree.area.units")
    const word = (area: number, at: number) => viewOf(original).getUint32(start + 32 * area + 4 * at, true)
    const withWords = (area: number, words: Readonly<Record<number, number>>) =>
      resealed((_, view) => {
        for (const [at, value] of Object.entries(words)) view.setUint32(start + 32 * area + 4 * Number(at), value, true)
      })
    expect(withWords(1, { 0: 0, 1: 0, 4: 0, 5: 0, 7: 0 })).toBe(say(1))
    // Unit 02 active instead of 00, 01 instead of 00.
    expect(withWords(0, { 4: word(0, 4) + 3 })).toBe("opened")
    expect(withWords(0, { 4: word(0, 4) + 1 })).toBe(say(0))
    expect(withWords(2, { 3: word(2, 3) + 16 })).toBe(say(2))
    expect(withWords(2, { 7: word(2, 7) + 16 })).toBe(say(2))
    expect(withWords(2, { 7: word(2, 7) + 256 })).toBe(say(2))
    // One more unit, and the next area begins where it did.
    expect(withWords(1, { 3: word(1, 3) + 1 })).toBe(say(2))
  })

  it("one with any bit changed in an area, with valid checksums", () => {
    const { end, start } = sectionIn(original, "tree.area.units")
    for (let bit = 0; bit < 8 * (end - start); bit++) {
      const byte = start + (bit >>> 3)
      const said = resealed((bytes) => bytes.set([(bytes[byte] as number) ^ (1 << (bit & 7))], byte))
      expect(said, `bit ${bit}`).not.toBe("opened")
    }
  })

  it("one with invalid successors", () => {
    const say = "section successors."
    const setDouble = (name: string, element: number, value: number) =>
      resealed((bytes, view) => view.setFloat64(sectionIn(bytes, name).start + 8 * element, value, true))
    const packed = "to be a packed postcode"
    const first = viewOf(original).getFloat64(sectionIn(original, "successors.codes").start, true)
    expect(setDouble("successors.codes", 1, first + 1)).toBe("opened")
    expect(setDouble("successors.codes", 1, first)).toBe(
      `${say}codes: expected element 1 ${packed} above the one before it`
    )
    for (const value of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, packedCodes]) {
      expect(setDouble("successors.codes", 0, value)).toMatch(/^section successors.codes: expected element 0 /)
      expect(setDouble("successors.replacedBy", 2, value)).toBe(`${say}replacedBy: expected element 2 ${packed}`)
    }
  })

  it("one with a wrong number of active units", () => {
    const say = "sizes that contradict one another: "
    expect(setIn("tree.district.active", 0, 4, 9)).toBe(
      `${say}section tree.district.active, element 0, is not what lies below it`
    )
    expect(setIn("tree.state.active", 0, 4, 2 ** 32 - 1)).toBe(
      `${say}section tree.state.active, element 0, is not what lies below it`
    )
    expect(resealed((_, view) => view.setUint32(at.activeUnits, 29, true))).toBe(
      `${say}30 active units instead of the header's 29`
    )
  })

  it("one whose places are malformed", () => {
    const withPlaces = (json: string | Uint8Array): string => {
      const text = typeof json === "string" ? new TextEncoder().encode(json) : json
      const { entry, start } = sectionIn(original, "places")
      const bytes = new Uint8Array(start + text.length)
      bytes.set(original.subarray(0, start))
      bytes.set(text, start)
      viewOf(bytes).setUint32(at.fileLength, bytes.length, true)
      viewOf(bytes).setUint32(entry + inEntry.length, text.length, true)
      reseal(bytes)
      return refusalOf(bytes)
    }
    const say = "section places: "
    expect(withPlaces("[]")).toBe("opened")
    expect(withPlaces("")).toBe(`${say}expected a JSON array in UTF-8`)
    expect(withPlaces("{}")).toBe(`${say}expected a JSON array in UTF-8`)
    expect(withPlaces("[".repeat(2))).toBe(`${say}expected a JSON array in UTF-8`)
    expect(withPlaces(Uint8Array.of(0x5b, 0xff, 0x5d))).toBe(`${say}expected a JSON array in UTF-8`)
    expect(withPlaces('[{"code":"LA"}]')).toBe(`${say}place 0: expected code, name and, for a state, zone`)
    expect(withPlaces('[{"code":"LA","name":"Lagos","zone":null}]')).toBe(
      `${say}place 0: expected code, name and, for a state, zone`
    )
    expect(withPlaces('[{"code":"LA","name":"Lagos","size":1}]')).toMatch(/place 0: expected code, name/)
    expect(withPlaces('[{"code":"la","name":"Lagos"}]')).toMatch(/place 0: code: expected a state or an LGA/)
    expect(withPlaces('[{"code":"LA-12","name":"Ikorodu"}]')).toMatch(/place 0: code: the state LA is missing/)
    expect(withPlaces('[{"code":"OY","name":"Oyo"},{"code":"LA","name":"Lagos"}]')).toBe(
      `${say}place 1: code: expected code order`
    )
    expect(withPlaces(new Uint8Array(2 ** 23))).toBe(`${say}expected at most 5177344 bytes, found 8388608`)
  })

  it("any on a big-endian machine", () => {
    // As such a machine would show the two bytes of a 1.
    vi.stubGlobal("Uint16Array", { of: () => Uint8Array.of(0, 1) })
    expect(refusalOf(original)).toBe(
      "snapshots are little-endian, and this machine is big-endian: it cannot read or write them"
    )
  })
})

describe("the checksum", () => {
  const hashOf = (text: string): string => xxh32(new TextEncoder().encode(text)).toString(16)

  it("is XXH32, by its published test vectors", () => {
    expect(hashOf("")).toBe("2cc5d05")
    expect(hashOf("a")).toBe("550d7456")
    expect(hashOf("abc")).toBe("32d153ff")
    expect(hashOf("Nobody inspects the spammish repetition")).toBe("e2293b2f")
    const sanity = new Uint8Array(222)
    let generator = 2654435761n
    for (let i = 0; i < sanity.length; i++) {
      sanity[i] = Number(generator >> 56n)
      generator = BigInt.asUintN(64, generator * 11400714785074694797n)
    }
    const lengths = [0, 1, 14, 222]
    expect(lengths.map((length) => xxh32(sanity.subarray(0, length)))).toEqual([
      0x02cc5d05, 0xcf65b03e, 0x1208e7e2, 0x5bd11dbd
    ])
  })

  it("does not depend on the position in memory", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), fc.nat(15), (bytes, offset) => {
        const room = new Uint8Array(bytes.length + offset + 5).fill(0xa5)
        room.set(bytes, offset)
        expect(xxh32(room.subarray(offset, offset + bytes.length))).toBe(xxh32(bytes))
      })
    )
  })
})

/** Units in three areas of two states, every other one of them active, 10 m apart and more. */
function rowsAt(count: number): ReadonlyArray<Row> {
  const areas = ["AB-00-A00-AA", "AB-00-A00-BC", "YZ-99-ZZZ-ZZ"]
  return Array.from({ length: count }, (_, index) => ({
    postcode: `${areas[index % 3]}-${String(Math.floor(index / 3) * 2).padStart(2, "0")}` as Postcode,
    lat_e7: 65_000_000 + 1000 * (index % 7),
    lon_e7: 34_000_000 + 1000 * Math.floor(index / 7),
    active: index % 2 === 0,
    replaced_by: index % 3 === 0 ? ("AB-00-A00-AA-00" as Postcode) : undefined
  }))
}
