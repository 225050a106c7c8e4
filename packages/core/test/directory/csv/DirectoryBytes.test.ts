// Bytes are decoded and read as text. The directory read from text is the reference.
import { toE7 } from "@postcode/core/Coordinate"
import { type BadRow, DirectoryReader, type DirectoryReaderOptions, requiredUnitColumns } from "@postcode/core/Csv"
import { packSegments, unpack } from "@postcode/core/Directory"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

fc.configureGlobal({ seed: 774, numRuns: 600 })

/** Without the optional column. */
const unitsHeader = `${requiredUnitColumns}\n`

const places = "code,name,zone\nLA,Lagos,South West\n"
const encoder = new TextEncoder()

/** All that a reading tells, and what is in the directory it made. */
const outcome = (units: ReadonlyArray<string | Uint8Array>, options: DirectoryReaderOptions = {}) => {
  const badRows: Array<BadRow> = []
  const attributes: Array<readonly [number, UnitAttributes]> = []
  const reader = new DirectoryReader({
    ...options,
    onBadRow: (badRow) => badRows.push(badRow),
    onAttributes: (row, found) => attributes.push([row, found])
  })
  reader.writePlaces(typeof units[0] === "string" ? places : encoder.encode(places))
  for (const chunk of units) reader.writeUnits(chunk)
  const read = reader.finish()
  const contents = read.ok
    ? Array.from(read.rowOfUnit, (row, id) => {
        const { directory } = read
        const { lat, lon } = directory.coordinateAt(id)
        const postcode = directory.postcodeAt(id)
        return [row, postcode, toE7(lat), toE7(lon), directory.isActive(id), directory.replacedBy(postcode)]
      })
    : undefined
  return { ok: read.ok, badRowCount: read.badRows, badRows, attributes, rows: reader.unitRows, contents }
}

const cutBytes = (whole: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const places = [...cuts.map((cut) => cut % (whole.length + 1)), whole.length].sort((a, b) => a - b)
  return places.map((place, index) => whole.slice(places[index - 1] ?? 0, place))
}

/** Bytes and text have to come to the same, however the bytes are cut. */
const expectSame = (text: string, cuts: ReadonlyArray<number>, options: DirectoryReaderOptions = {}) => {
  const expected = outcome([text], options)
  const bytes = encoder.encode(text)
  expect(outcome(cutBytes(bytes, cuts), options)).toEqual(expected)
  return expected
}

const cuts = fc.array(fc.nat(), { maxLength: 6 })

/** How likely a field is to be as it should: most, so that good rows come, too. */
const mostly = (good: fc.Arbitrary<string>, bad: ReadonlyArray<string>) =>
  fc.oneof({ arbitrary: good, weight: 25 }, { arbitrary: fc.constantFrom(...bad), weight: 1 })

const separators = ["-", " ", "", "-", "\u2013", "\u00a0"]
const postcode = mostly(
  fc
    .tuple(fc.nat({ max: 400 }), fc.constantFrom(...separators), fc.boolean(), fc.constantFrom("", "", "", " ", "\t"))
    .map(([number, separator, isUpper, pad]) => {
      const code = unpack(packSegments((number * 7) % 676, number % 100, number * 113, number % 676, number % 100))
      return pad + (isUpper ? code : code.toLowerCase()).replaceAll("-", separator) + pad
    }),
  [
    "",
    "LA",
    "LA-12-A03-BG-0",
    "LA-12 A03-BG-07",
    "LA-12-A03-BG-071",
    "LA12A03BG7",
    "L1-12-A03-BG-07",
    "LA-1O-A03-BG-07",
    "LA-12 A03-BG-07",
    "LA-12-A03 BG-07",
    "LA-12-A03-BG 07",
    "LA 12 A03 BG-07"
  ]
)
const degrees = (limit: number) =>
  mostly(
    fc.oneof(
      fc.integer({ min: -limit * 1e7, max: limit * 1e7 }).map((e7) => (e7 / 1e7).toFixed(7)),
      fc.double({ min: -limit, max: limit, noNaN: true }).map((value) => value.toFixed(15)),
      fc
        .tuple(fc.nat({ max: 9 }), fc.nat({ max: 30 }))
        .map(([units, length]) => `${units}.${"049515".repeat(5).slice(0, length)}5`),
      fc.integer({ min: -limit, max: limit }).map(String),
      fc.constantFrom(
        "0006.5",
        "+6.50",
        "-0",
        "-0.0",
        "6.00000005",
        "6.000000049999999999999",
        "-6.00000005",
        String(limit)
      )
    ),
    [
      "",
      " ",
      "6.",
      ".5",
      "6,5",
      "--6",
      "+-6",
      "1e1",
      "0x10",
      "NaN",
      "6 ",
      "6.5.1",
      `${limit}.0000001`,
      `${limit}.${"0".repeat(20)}1`,
      "9".repeat(400)
    ]
  )
const status = mostly(fc.constantFrom("active", "retired"), [
  "",
  "Active",
  "activ",
  "actives",
  "retire",
  " active",
  "a",
  "unknown"
])
const text = mostly(
  fc.string({ unit: fc.constantFrom("a", "b", "0", " ", "-", "é", "ẹ", "\u{1f600}", "\t"), maxLength: 6 }),
  ['a"b', "\ufeff", "a\rb", "\r", "x".repeat(70)]
)
const flag = mostly(fc.constantFrom("true", "false", ""), ["yes", "True", "tru", "trueish", " "])
const quotable = fc.constantFrom("", ",", '""', "\n", "\r\n", "\r", '"')

const successor = mostly(fc.constantFrom("", "LA-12-A03-BH-01", "la12a03bh02"), [" ", "LA-12", "x"])
const fields = fc.tuple(postcode, degrees(90), degrees(180), status, text, text, text, text, text, flag, successor)

/** A field as a program may write it: bare, or in quotes with what needs them. */
const written = (field: string, isQuoted: boolean, within: string): string => (isQuoted ? `"${field}${within}"` : field)

const style = fc.record({
  quotes: fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 4 }),
  within: fc.oneof({ arbitrary: fc.constant(""), weight: 6 }, { arbitrary: quotable, weight: 1 }),
  lineEnd: fc.constantFrom("\n", "\n", "\n", "\r\n", "\n\n", "\r\n\r\n", "\r\r\n"),
  more: mostly(fc.constant(""), [",", ",x", '"', '"\n"'])
})

const file = fc
  .record({
    order: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: 10, maxLength: 10 }),
    hasSuccessors: fc.boolean(),
    isShuffled: fc.boolean(),
    others: fc.nat({ max: 2 }),
    front: fc.constantFrom("", "", "", "\ufeff", "\n", "\ufeff\r\n"),
    rows: fc.array(fc.tuple(fields, style), { maxLength: 12 }),
    hasLastLineEnd: fc.boolean()
  })
  .map(({ front, hasLastLineEnd, hasSuccessors, isShuffled, order, others, rows }) => {
    const places = [...(isShuffled ? order : [...order].sort((a, b) => a - b)), ...(hasSuccessors ? [10] : [])]
    const line = (all: ReadonlyArray<string>, extra: string) =>
      [...places.map((place) => all[place] as string), ...new Array(others).fill(extra)].join(",")
    const lines = rows.map(([all, { lineEnd, more, quotes, within }]) => {
      const cells = all.map((field, index) =>
        written(field, quotes.includes(index), index > 3 && index < 9 ? within : "")
      )
      return line(cells, within === "" ? "z" : `"${within}"`) + more + lineEnd
    })
    const whole = `${front}${line([...requiredUnitColumns, "replaced_by"], "note")}\n${lines.join("")}`
    return hasLastLineEnd ? whole : whole.replace(/\r?\n$/, "")
  })

describe("a directory read from bytes", () => {
  it("is the same as one read from text, with the same bad rows, for any file and any chunks", () => {
    let good = 0
    fc.assert(
      fc.property(file, cuts, fc.boolean(), (whole, at, skipBadRows) => {
        good += expectSame(whole, at, { skipBadRows }).rows
      })
    )
    expect(good).toBeGreaterThan(1_000)
  })

  it("is the same for chunks of one byte", () => {
    fc.assert(
      fc.property(file, (whole) => {
        const bytes = encoder.encode(whole)
        expect(outcome(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(outcome([whole]))
      }),
      { numRuns: 100 }
    )
  })

  it.each([
    ["ASCII", "x"],
    ["other letters", "é"],
    ["quotes", '""']
  ])("accepts a row of 65,536 bytes, and refuses a longer one: %s", (_, letter) => {
    const row = (address: string) => `LA-12-A03-BG-07,6,3,active,,${address},,,,`
    const others = "LA-12-A03-BG-08,6,3,active,,,,,,\n"
    for (const [length, badRows] of [
      [65_536, 0],
      [65_537, 1],
      [200_000, 1]
    ] as const) {
      const room = length - row('""').length
      const { byteLength } = Buffer.from(letter)
      const address = letter.repeat(Math.floor(room / byteLength)) + "y".repeat(room % byteLength)
      const text = `${unitsHeader}${row(`"${address}"`)}\n${others}`
      expect(expectSame(text, [1_000, 70_000, 140_000], { skipBadRows: true }).badRows).toHaveLength(badRows)
    }
  })

  it("reports the lines of repeated postcodes, with anything between them", () => {
    const between = fc.constantFrom(
      "",
      "",
      "\n",
      "\r\n\n",
      "bad\n",
      '"bad"x\n',
      'LA-12-A03-BG-09,6,3,active,"\n\n",,,,,\n'
    )
    fc.assert(
      fc.property(fc.array(fc.tuple(between, fc.nat({ max: 4 })), { maxLength: 12 }), cuts, (rows, at) => {
        let text = unitsHeader
        const firstLines = new Map<string, number>([["LA-12-A03-BG-09", 0]])
        const expected: Array<string> = []
        for (const [gap, unit] of rows) {
          const postcode = `LA-12-A03-BG-0${unit}`
          text += gap
          const line = text.split("\n").length
          const first = firstLines.get(postcode)
          if (first === undefined) firstLines.set(postcode, line)
          else expected.push(`${line}: postcode: repeats ${postcode} of line ${first}`)
          text += `${postcode},6,3,active,,,,,,\n`
        }
        const found = outcome(cutBytes(encoder.encode(text), at), { skipBadRows: true }).badRows.flatMap(
          ({ line, reason }) => (/repeats LA-12-A03-BG-0[0-4]/.test(reason) ? [`${line}: ${reason}`] : [])
        )
        expect(found).toEqual(expected)
      })
    )
  })

  it("is the same if a row that is too long is cut within a character", () => {
    const bytes = encoder.encode(`${unitsHeader}${"é".repeat(70_000)}\nLA-12-A03-BG-07,6,3,active,,,,,,\n`)
    const expected = outcome([new TextDecoder().decode(bytes)], { skipBadRows: true })
    for (const length of [65_537, 65_538, 70_001, 70_002]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
        bytes.subarray(at * length, (at + 1) * length)
      )
      expect(outcome(chunks, { skipBadRows: true })).toEqual(expected)
    }
  })

  it("keeps no reference to the bytes: the writer may overwrite them immediately", () => {
    const bytes = encoder.encode(
      `${unitsHeader}LA-12-A03-BG-07,6,3,active,Ikorodu,"12, é",,,,true\nLA-12-A03-BG-08,6,3,active,,,,,,`
    )
    const scratch = new Uint8Array(7)
    const attributes: Array<UnitAttributes> = []
    const reader = new DirectoryReader({ onAttributes: (_, found) => attributes.push(found) })
    reader.writePlaces(places)
    for (let at = 0; at < bytes.length; at += scratch.length) {
      const chunk = bytes.subarray(at, at + scratch.length)
      scratch.set(chunk)
      reader.writeUnits(scratch.subarray(0, chunk.length))
      scratch.fill(0x22)
    }
    const read = reader.finish()
    expect(read.ok && read.directory.size).toBe(2)
    expect(attributes).toEqual([{ locality_name: "Ikorodu", recent_address: "12, é", delivery_point: true }, {}])
  })
})

describe("bytes that are not UTF-8", () => {
  const whole = encoder.encode(
    `${unitsHeader}${["01", "02", "03", "04"].map((unit) => `LA-12-A03-BG-${unit},6,3,active,aéb,"ẹ\n\u{1f600}",,,,\n`).join("")}`
  )
  const firstBadLine = (bytes: Uint8Array): number | undefined => {
    const decoder = new TextDecoder("utf-8", { fatal: true })
    let line = 1
    for (let start = 0; start <= bytes.length; line++) {
      const end = bytes.indexOf(0x0a, start)
      try {
        decoder.decode(bytes.subarray(start, end < 0 ? bytes.length : end))
      } catch {
        return line
      }
      if (end < 0) return undefined
      start = end + 1
    }
    return undefined
  }
  const reason = "this line is not UTF-8, and nothing after it was read"
  const mark = [0xef, 0xbb, 0xbf]

  it("end the reading on the line of the first one, for any chunks", () => {
    const damage = fc.tuple(fc.nat(), fc.uint8Array({ minLength: 1, maxLength: 4 }))
    fc.assert(
      fc.property(fc.array(damage, { minLength: 1, maxLength: 2 }), cuts, fc.boolean(), (all, at, skipBadRows) => {
        // With a byte order mark, no other encoding is possible.
        const bytes = Uint8Array.of(...mark, ...whole)
        for (const [place, damaged] of all)
          bytes.set(damaged, 3 + unitsHeader.length + (place % (whole.length - unitsHeader.length - 4)))
        const line = firstBadLine(bytes)
        const read = outcome(cutBytes(bytes, at), { skipBadRows })
        if (line === undefined) expect(read).toEqual(outcome([new TextDecoder().decode(bytes)], { skipBadRows }))
        else {
          expect(read.ok).toBe(false)
          expect(read.badRows.filter((badRow) => badRow.reason === reason)).toEqual([{ file: "units", line, reason }])
          expect(read.badRows.at(-1)?.reason).toBe(reason)
        }
      })
    )
  })

  it("are found in any column, in the header, in places.csv, and in a character that the end of the file cuts off", () => {
    const row = (unit: string, name: string) => `LA-12-A03-BG-${unit},6,3,active,${name},,,,,\n`
    const latin1 = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0))
    for (const [text, line] of [
      [unitsHeader + row("01", "Ide\xe9"), 2],
      [unitsHeader + row("01", "") + row("02", '"\n\xe9"'), 4],
      [`\xe9${unitsHeader}`, 1],
      [`${unitsHeader}\n\n${row("01", "").slice(0, -1)}\xc3`, 4],
      [`${unitsHeader}${"x".repeat(70_000)}\xf0\x9f\x98`, 2]
    ] as const) {
      const { badRows, ok } = outcome([latin1(`\xef\xbb\xbf${text}`)], { skipBadRows: true })
      expect(ok).toBe(false)
      expect(badRows.at(-1)).toEqual({ file: "units", line, reason })
    }
    const badRows: Array<BadRow> = []
    const reader = new DirectoryReader({ onBadRow: (badRow) => badRows.push(badRow), skipBadRows: true })
    reader.writePlaces(latin1("\xef\xbb\xbfcode,name,zone\nLA-12,\xc9,\n"))
    reader.writeUnits(encoder.encode(unitsHeader))
    expect(reader.finish()).toEqual({ ok: false, badRows: 1 })
    expect(badRows).toEqual([{ file: "places", line: 2, reason }])
  })
})
