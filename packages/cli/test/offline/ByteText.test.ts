import { CsvReader, type CsvRow } from "@postcode/core/Csv"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { byteOrderMark, byteTextReader, decoded, encoded, linesNotUtf8, maxRowLength } from "../../src/csv/ByteText.ts"

type Event =
  | { readonly row: string; readonly line: number; readonly end: string; readonly fields?: ReadonlyArray<string> }
  | { readonly blank: string }
  | { readonly fault: string; readonly line: number; readonly end: string; readonly reason: string }
  | { readonly mark: true }

const read = (chunks: ReadonlyArray<Buffer>) => {
  const events: Array<Event> = []
  const notUtf8: Array<number> = []
  const rows = byteTextReader({
    onByteOrderMark: () => events.push({ mark: true }),
    onRow: (row: CsvRow) => {
      const { fields, hasQuotes, line, lineEnd, text } = row
      events.push({ row: text, line, end: lineEnd, ...(hasQuotes && { fields }) })
      notUtf8.push(...linesNotUtf8(row))
    },
    onBlankLine: (lineEnd) => events.push({ blank: lineEnd }),
    onMalformed: ({ line, lineEnd, text }, reason) => events.push({ fault: text, line, end: lineEnd, reason })
  })
  for (const chunk of chunks) rows.write(chunk)
  rows.end()
  return { events, notUtf8 }
}

const eventsOf = (text: string): ReadonlyArray<Event> => read([Buffer.from(text)]).events

const strayText = "a quote that closes a field is followed by neither a delimiter nor the end of the line"
const notClosed = "a quote that opens a field is not closed before the end of the file"

describe("rows are passed on unchanged", () => {
  it.each<readonly [rule: string, text: string, events: ReadonlyArray<Event>]>([
    ["there are none in an empty text", "", []],
    ["nor in a byte order mark", "\ufeff", [{ mark: true }]],
    [
      "with their line ends; the last one gets one",
      "a,b\r\nc\nd",
      [
        { row: "a,b", line: 1, end: "\r\n" },
        { row: "c", line: 2, end: "\n" },
        { row: "d", line: 3, end: "\n" }
      ]
    ],
    [
      "blank lines are none, but count as lines",
      "a\n\n\r\nb",
      [{ row: "a", line: 1, end: "\n" }, { blank: "\n" }, { blank: "\r\n" }, { row: "b", line: 4, end: "\n" }]
    ],
    [
      "with quotes they come with their fields, and may go over several lines",
      '"a""b","c\r\nd",\r\ne\n',
      [
        { row: '"a""b","c\r\nd",', line: 1, end: "\r\n", fields: ['a"b', "c\r\nd", ""] },
        { row: "e", line: 3, end: "\n" }
      ]
    ],
    [
      "a byte order mark may stand before a quote",
      '\ufeff"a"\n',
      [{ mark: true }, { row: '"a"', line: 1, end: "\n", fields: ["a"] }]
    ]
  ])("%s", (_, text, events) => {
    expect(eventsOf(text)).toEqual(events)
  })
})

describe("a row that breaks the rules costs one line", () => {
  it.each<readonly [rule: string, text: string, events: ReadonlyArray<Event>]>([
    [
      "where text stands behind a quote",
      '"a"b\r\nc',
      [
        { fault: '"a"b', line: 1, end: "\r\n", reason: strayText },
        { row: "c", line: 2, end: "\n" }
      ]
    ],
    [
      "where text follows a quote that closes a field",
      'x,"a"b\nc',
      [
        { fault: 'x,"a"b', line: 1, end: "\n", reason: strayText },
        { row: "c", line: 2, end: "\n" }
      ]
    ],
    [
      "where a quote is closed by that of a later row",
      '"a\nb\n"c",d\ne',
      [
        { fault: '"a', line: 1, end: "\n", reason: strayText },
        { row: "b", line: 2, end: "\n" },
        { row: '"c",d', line: 3, end: "\n", fields: ["c", "d"] },
        { row: "e", line: 4, end: "\n" }
      ]
    ],
    [
      "where a quote is never closed",
      '1\n"a\nb\n"c\n',
      [
        { row: "1", line: 1, end: "\n" },
        { fault: '"a', line: 2, end: "\n", reason: strayText },
        { row: "b", line: 3, end: "\n" },
        { fault: '"c', line: 4, end: "\n", reason: notClosed }
      ]
    ]
  ])("%s", (_, text, events) => {
    expect(eventsOf(text)).toEqual(events)
  })

  it("where it is longer than any row may be", () => {
    const long = "x".repeat(maxRowLength + 1)
    const events = eventsOf(`a\n${long}\nb\n"${long}\nc\n"\n`)
    expect(events).toMatchObject([
      { row: "a", line: 1 },
      {
        fault: "x".repeat(1_000),
        line: 2,
        reason: "the line is longer than 1048576 bytes; only its beginning is kept"
      },
      { row: "b", line: 3 },
      { fault: `"${"x".repeat(999)}`, line: 4 },
      { row: "c", line: 5 },
      { fault: '"', line: 6, reason: notClosed }
    ])
    const spread = eventsOf(`"a\n${"b\n".repeat(maxRowLength / 2)}"\n`)
    expect(spread[0]).toMatchObject({ reason: "a quote that opens a field is not closed within 1048576 bytes" })
    expect(spread.length).toBe(maxRowLength / 2 + 2)
  })
})

describe("for any bytes", () => {
  const piece = fc.constantFrom('"', '""', ",", "\n", "\r\n", "\r", "a", "bc", "\u00e9", "\ufeff", "\xff\xfe")
  const bytes = fc
    .array(piece, { maxLength: 25 })
    .map((pieces) => Buffer.concat(pieces.map((one) => Buffer.from(one, one === "\xff\xfe" ? "latin1" : "utf8"))))
  const options = { seed: 774, numRuns: 4_000 }

  it("all pieces together are the file, with a line end at its end", () => {
    fc.assert(
      fc.property(bytes, (file) => {
        const text = file.toString("latin1")
        const whole = read([file]).events.map((event) => {
          if ("mark" in event) return byteOrderMark
          if ("blank" in event) return event.blank
          return ("row" in event ? event.row : event.fault) + event.end
        })
        const isEnded = text === "" || text === byteOrderMark || text.endsWith("\n")
        // A carriage return at the very end becomes part of the line end that is added.
        expect(whole.join("")).toBe(isEnded ? text : `${text}\n`)
      }),
      options
    )
  })

  it("the size of the chunks makes no difference", () => {
    fc.assert(
      fc.property(bytes, fc.array(fc.nat(30), { maxLength: 4 }), (file, cuts) => {
        const places = [0, ...cuts.map((cut) => Math.min(cut, file.length)).sort((a, b) => a - b), file.length]
        const chunks = places.slice(1).map((end, i) => file.subarray(places[i], end))
        const { events, notUtf8 } = read(chunks)
        const atOnce = read([file])
        expect(events).toEqual(atOnce.events)
        expect(notUtf8).toEqual(atOnce.notUtf8)
      }),
      options
    )
  })

  it("rows and fields are the same as from core's reader, if it reports no fault", () => {
    let compared = 0
    fc.assert(
      fc.property(bytes, (file) => {
        const expected: Array<readonly [number, ReadonlyArray<string>]> = []
        let faults = 0
        const reader = new CsvReader(
          {
            onRow: ({ fields, line }) => expected.push([line, fields]),
            onMalformed: () => faults++
          },
          { decode: (all) => Buffer.from(all).toString("latin1") }
        )
        reader.write(file)
        reader.end()
        if (faults > 0) return
        compared++
        const rows = read([file]).events.flatMap((event) => ("row" in event ? [event] : []))
        expect(rows.map(({ fields, line, row }) => [line, fields ?? row.split(",")])).toEqual(expected)
      }),
      options
    )
    expect(compared).toBeGreaterThan(1_000)
  })

  it("lines that are not UTF-8 are named", () => {
    const file = Buffer.concat([Buffer.from("a\u00e9\n"), Buffer.from("b\xe9\n\n\xe9", "latin1")])
    expect(read([file]).notUtf8).toEqual([2, 4])
    expect(decoded(encoded("a\u00e9\u20ac"))).toBe("a\u00e9\u20ac")
    expect(decoded("b\u00e9")).toBe("b\ufffd")
  })
})
