import { CsvReader, csvCell, csvLine } from "@postcode/core/Csv"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

fc.configureGlobal({ seed: 774, numRuns: 2_000 })

type Event = readonly [line: number, fields: ReadonlyArray<string>] | readonly [line: number, reason: string]

const read = (chunks: ReadonlyArray<string>, maxRowLength = 65_536): ReadonlyArray<Event> => {
  const events: Array<Event> = []
  const reader = new CsvReader(
    {
      onRow: ({ fields, line }) => events.push([line, fields]),
      onMalformed: ({ line }, reason) => events.push([line, reason])
    },
    { maxRowLength }
  )
  for (const chunk of chunks) reader.write(chunk)
  reader.end()
  return events
}

const notClosed = "a quote that opens a field is not closed before the end of the file"
const strayText = "a quote that closes a field is followed by neither a delimiter nor the end of the line"
const tooLong = "the row is too long; perhaps a quote that opens a field is not closed"

describe("a reader", () => {
  const cases: ReadonlyArray<readonly [rule: string, text: string, events: ReadonlyArray<Event>]> = [
    ["has no rows in an empty text", "", []],
    [
      "splits rows at line feeds and fields at commas",
      "a,b\nc,d\n",
      [
        [1, ["a", "b"]],
        [2, ["c", "d"]]
      ]
    ],
    [
      "takes CR LF as a line end",
      "a,b\r\nc\r\n",
      [
        [1, ["a", "b"]],
        [2, ["c"]]
      ]
    ],
    [
      "takes the end of the text as a line end",
      "a\nb,c",
      [
        [1, ["a"]],
        [2, ["b", "c"]]
      ]
    ],
    ["keeps empty fields and spaces", ",, a ,\n", [[1, ["", "", " a ", ""]]]],
    [
      "counts blank lines and hands none on",
      "a\n\n\r\nb\n\n",
      [
        [1, ["a"]],
        [4, ["b"]]
      ]
    ],
    [
      "leaves a byte order mark in front aside",
      "\ufeffa\n\ufeffb",
      [
        [1, ["a"]],
        [2, ["\ufeffb"]]
      ]
    ],
    ["leaves a byte order mark before a quote aside", '\ufeff"a",b', [[1, ["a", "b"]]]],
    [
      "takes quotes off",
      '"a","b c",""\nd\n',
      [
        [1, ["a", "b c", ""]],
        [2, ["d"]]
      ]
    ],
    ["keeps commas within quotes", '"a,b",c', [[1, ["a,b", "c"]]]],
    [
      "keeps line ends within quotes and counts them",
      '"a\r\nb\n",c\nd',
      [
        [1, ["a\r\nb\n", "c"]],
        [4, ["d"]]
      ]
    ],
    ["takes a doubled quote for one", '"say ""no""","""",""""""\n', [[1, ['say "no"', '"', '""']]]],
    [
      "mixes quoted and plain fields",
      'a,"b",c,"d"\r\n"e",f\r\n',
      [
        [1, ["a", "b", "c", "d"]],
        [2, ["e", "f"]]
      ]
    ],
    ["hands a quoted empty field on", '""\n', [[1, [""]]]],
    ["keeps a carriage return that ends no line", "a\rb,c\r,d\n", [[1, ["a\rb", "c\r", "d"]]]],
    [
      "takes a quote inside a plain field for a character",
      'a,b"c",d\ne\n',
      [
        [1, ["a", 'b"c"', "d"]],
        [2, ["e"]]
      ]
    ],
    [
      "refuses text behind a closing quote",
      '"a"b,c\nd\n',
      [
        [1, strayText],
        [2, ["d"]]
      ]
    ],
    [
      "ignores blanks around a quoted field",
      '"a" ,c\nd',
      [
        [1, ["a", "c"]],
        [2, ["d"]]
      ]
    ],
    [
      "refuses a carriage return alone behind a closing quote",
      '"a"\rb\nd',
      [
        [1, strayText],
        [2, ["d"]]
      ]
    ],
    [
      "refuses a quote that is not closed",
      'a\n"b,c',
      [
        [1, ["a"]],
        [2, notClosed]
      ]
    ],
    [
      "says which lines a fault takes with it",
      'a\n"b\nc\nd"e\nf\n',
      [
        [1, ["a"]],
        [2, `${strayText}; lines 2 to 4 are left out`],
        [5, ["f"]]
      ]
    ],
    [
      "says which lines a quote that is not closed takes with it",
      '"a\nb\nc\n',
      [[1, `${notClosed}; lines 1 to 3 are left out`]]
    ]
  ]

  it.each(cases)("%s", (_, text, events) => {
    expect(read([text])).toEqual(events)
    expect(read([...text])).toEqual(events)
  })

  it("refuses rows longer than the limit, with or without quotes, and continues after them", () => {
    expect(read(["1234567890\n12345678901\n1\n"], 10)).toEqual([
      [1, ["1234567890"]],
      [2, tooLong],
      [3, ["1"]]
    ])
    expect(read(['"23456789"\n"234567890"\n1\n'], 10)).toEqual([
      [1, ["23456789"]],
      [2, tooLong],
      [3, ["1"]]
    ])
    expect(read(['"2\n4\n6\n8\n0\n2\n4\n', '"\nok\n'], 10)).toEqual([
      [1, `${tooLong}; lines 1 to 5 are left out`],
      [6, ["2"]],
      [7, ["4"]],
      [8, `${notClosed}; lines 8 to 9 are left out`]
    ])
  })

  it("skips the rest of a row that is too long, for any chunks", () => {
    const events = read([`a\n"b${"x".repeat(70_000)}`, ..."c".repeat(50), "\nd\n"])
    expect(events).toEqual([
      [1, ["a"]],
      [2, tooLong],
      [3, ["d"]]
    ])
  })
})

describe("properties", () => {
  const cell = fc.string({
    unit: fc.constantFrom("a", "é", " ", ",", '"', "\n", "\r", "\ufeff", "\u{1f600}"),
    maxLength: 6
  })
  const table = fc.array(fc.array(cell, { minLength: 1, maxLength: 5 }), { maxLength: 8 })
  const cuts = fc.array(fc.nat(), { maxLength: 12 })
  /** Text that may be malformed in any way. */
  const text = fc.string({ unit: fc.constantFrom("a", "b", ",", '"', '"', "\n", "\r", "\r\n"), maxLength: 40 })

  const cut = (whole: string, at: ReadonlyArray<number>): ReadonlyArray<string> => {
    const places = [...at.map((place) => place % (whole.length + 1)), whole.length].sort((a, b) => a - b)
    return places.map((place, index) => whole.slice(places[index - 1] ?? 0, place))
  }

  it("the output of csvLine is read unchanged", () => {
    fc.assert(
      fc.property(table, cuts, (rows, at) => {
        // A mark at the very front of a file is not the field's.
        fc.pre(rows[0]?.[0]?.startsWith("\ufeff") !== true || csvLine(rows[0]).startsWith('"'))
        expect(read(cut(rows.map(csvLine).join(""), at)).map((event) => event[1])).toEqual(rows)
      })
    )
  })

  it("the chunks of a text make no difference, malformed or not, with or without a limit", () => {
    fc.assert(
      fc.property(text, cuts, fc.constantFrom(3, 6, 12, 1_000), (whole, at, maxRowLength) => {
        expect(read(cut(whole, at), maxRowLength)).toEqual(read([whole], maxRowLength))
        expect(read([...whole], maxRowLength)).toEqual(read([whole], maxRowLength))
      })
    )
  })

  it("a row without quotes is its text split at commas, on the line where it is", () => {
    const plain = fc.array(fc.string({ unit: fc.constantFrom("a", "b", ",", " ", "é"), maxLength: 9 }), {
      maxLength: 9
    })
    fc.assert(
      fc.property(plain, fc.constantFrom("\n", "\r\n"), (lines, lineEnd) => {
        const expected = lines.flatMap((line, index) => (line === "" ? [] : [[index + 1, line.split(",")]]))
        expect(read([lines.join(lineEnd)])).toEqual(expected)
      })
    )
  })
})

describe("csvLine", () => {
  it("quotes only fields that need it", () => {
    expect(csvLine(["LA", "it's", "12 A"])).toBe("LA,it's,12 A\n")
    expect(csvLine(["a,b", 'c"d', "e\nf", "g\rh"])).toBe('"a,b","c""d","e\nf","g\rh"\n')
    expect(csvLine([" a", "b ", ""])).toBe('" a","b ",\n')
    expect(csvLine([""])).toBe('""\n')
  })
})

describe("csvCell", () => {
  it.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"])("makes a text of what looks like a formula: %j", (text) => {
    expect(csvCell(text)).toBe(`'${text}`)
  })

  it.each([" =1+1", "\u00a0=1", "\u3000@a", "\ufeff+1", "\u200b-1", "\u0000=1", "\n=1", "\v=1"])(
    "looks past white space and invisible characters: %j",
    (text) => {
      expect(csvCell(text)).toBe(`'${text}`)
    }
  )

  it.each(["\ta", "\ra", "\na", " \ta"])("makes a text of what begins with a tab or a line end: %j", (text) => {
    expect(csvCell(text)).toBe(`'${text}`)
  })

  it.each([..."＝＋－＠﹦﹢﹣﹫−"])("takes %s, which spreadsheets may read as ASCII, for a formula", (sign) => {
    expect([`${sign}1+1`, ` ${sign}1+1`].map(csvCell)).toEqual([`'${sign}1+1`, `' ${sign}1+1`])
  })

  it("leaves other texts, numbers and booleans unchanged, and missing values empty", () => {
    const values = ["a=1", " a", "12-14 Road", "", -5, -3.35, 0, true, null, undefined]
    expect(values.map(csvCell)).toEqual(["a=1", " a", "12-14 Road", "", "-5", "-3.35", "0", "true", "", ""])
  })
})
