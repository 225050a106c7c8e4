import { csvLine } from "@postcode/core/Csv"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { EndUserRows, type FoundEndUser } from "../src/endUsers/EndUserRows.ts"
import { CsvRows } from "../src/offline/CsvRows.ts"

interface Read {
  readonly found: ReadonlyArray<FoundEndUser>
  readonly bad: ReadonlyArray<readonly [line: number, reason: string]>
}

/** Reads a file in chunks of so many bytes. */
const read = (file: string | Uint8Array, chunk_bytes = 1 << 20): Read => {
  const bytes = Buffer.from(file as string)
  const found: Array<FoundEndUser> = []
  const bad: Array<readonly [number, string]> = []
  const rows = new EndUserRows((line, reason) => bad.push([line, reason]))
  const csv = new CsvRows(rows)
  for (let at = 0; at < bytes.length; at += chunk_bytes) {
    csv.write(bytes.subarray(at, at + chunk_bytes))
    found.push(...rows.takeWhole())
  }
  csv.end()
  rows.finish()
  found.push(...rows.takeWhole())
  return { found, bad }
}

const header = "identifier,postcode,label\n"
const ada = "ada@example.com"
const code = "LA-12-A03-BG-07"

const file = (...rows: ReadonlyArray<string>) => `${header}${rows.join("\n")}\n`

/** The reasons of the bad rows, by line. */
const reasons = (text: string | Uint8Array) => read(text).bad.map(([line, reason]) => `${line}: ${reason}`)

describe("end users in a CSV file", () => {
  it("rows of one end user make the bookmarks, in their order", () => {
    const text = file(`${ada},la12a03bg07,Home`, `ADA@example.com ,LA 12 A03 BG 08,Work`, `12345678901,${code},Home`)
    assert.deepStrictEqual(read(text), {
      found: [
        {
          identifiers: [ada],
          bookmarks: [
            { postcode: code as never, label: "Home" },
            { postcode: "LA-12-A03-BG-08" as never, label: "Work" }
          ],
          line: 2
        },
        { identifiers: ["12345678901"], bookmarks: [{ postcode: code as never, label: "Home" }], line: 4 }
      ],
      bad: []
    })
  })

  it("several identifiers stand in one field; a row that shares one with the row before is of the same end user", () => {
    const { bad, found } = read(
      file(
        `${ada} 12345678901,${code},a`,
        `12345678901,${code},b`,
        `12345678901 o@x.example,${code},c`,
        `o@x.example,,`
      )
    )
    assert.deepStrictEqual(bad, [])
    assert.deepStrictEqual(
      found.map(({ bookmarks, identifiers }) => [identifiers, bookmarks.length]),
      [[[ada, "12345678901", "o@x.example"], 3]]
    )
  })

  it("a row without postcode and label is an end user without a bookmark", () => {
    const { bad, found } = read(file(`${ada},,`, `o@x.example, , `))
    assert.deepStrictEqual(bad, [])
    assert.deepStrictEqual(
      found.map(({ bookmarks }) => bookmarks),
      [[], []]
    )
  })

  it("columns may be in any order, in any case, with others between", () => {
    const { bad, found } = read(`Note, LABEL ,Postcode,x,Identifier\nn,Home,${code},,${ada}\n`)
    assert.deepStrictEqual(bad, [])
    assert.deepStrictEqual(found, [
      { identifiers: [ada], bookmarks: [{ postcode: code as never, label: "Home" }], line: 2 }
    ])
  })

  it("a file whose first row does not name the columns is refused, without a word of what it holds", () => {
    const refusal = (text: string | Uint8Array): string => {
      try {
        read(text)
      } catch (error) {
        return (error as { readonly message: string }).message
      }
      return "taken"
    }
    for (const text of ["", "\n\n", `${ada},${code},Home\n`, "identifier,postcode\n", `${ada}\n`]) {
      assert.match(refusal(text), /^the first row has to name the columns identifier, postcode, label/)
    }
    assert.match(refusal(`"${ada}`), /^line 1 cannot be read: a quote [a-z ]*$/)
    assert.match(refusal("identifier,label,postcode,label\n"), /^two columns are called label$/)
    assert.match(refusal("identifier;postcode;label\n"), /semicolons/)
    assert.match(refusal(Buffer.from(header, "utf16le")), /UTF-8/)
  })

  it("a bad row is named by its line and by what would be right", () => {
    const tooMany = Array.from({ length: 11 }, (_, i) => `a${i}@x.example`).join(" ")
    const text = file(
      `,${code},Home`,
      `1234567890,${code},Home`,
      `${ada} oops,${code},Home`,
      `${tooMany},${code},Home`,
      `${ada},LA-12,Home`,
      `${ada},,Home`,
      `${ada},${code},`,
      `${ada},${code},${"x".repeat(101)}`,
      `${ada},${code},"a\nb"`,
      `${ada},${code},a\u0000b`,
      `${ada},${code}`,
      `${ada},${code},Home,more`,
      `${ada},${code},"Home`
    )
    assert.deepStrictEqual(
      reasons(text).map((reason) => reason.replace(/position \d+/, "position …")),
      [
        "2: identifier: expected an 11-digit NIN or an email address",
        "3: identifier: expected an 11-digit NIN or an email address",
        "4: identifier: expected an 11-digit NIN or an email address",
        "5: identifier: an end user has at most 10",
        "6: postcode: district: expected a dash, then 3 letters or digits at position …",
        "7: postcode: state: expected 2 letters at position …",
        "8: label: expected 1 to 100 characters without control characters and API keys",
        "9: label: expected 1 to 100 characters without control characters and API keys",
        "10: label: expected 1 to 100 characters without control characters and API keys",
        "12: label: expected 1 to 100 characters without control characters and API keys",
        "13: the row has 2 fields where 3 are expected",
        "14: the row has 4 fields where 3 are expected: perhaps one holds a comma and no quotes around",
        "15: a quote that opens a field is not closed before the end of the file"
      ]
    )
  })

  it("what is not UTF-8 is a bad row, a half of a surrogate pair included", () => {
    const rows = [[0xe9], [0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xf4, 0x90, 0x80, 0x80]].map((bytes) =>
      Buffer.concat([Buffer.from(`${ada},${code},Caf`), Buffer.from(bytes), Buffer.from("\n")])
    )
    assert.deepStrictEqual(
      reasons(Buffer.concat([Buffer.from(header), ...rows])),
      [2, 3, 4, 5].map((line) => `${line}: the row is not UTF-8`)
    )
  })

  it("rows of one end user that do not follow each other are bad, and so is a row that makes two end users one", () => {
    const reason = "identifier: an end user further up has it: all rows of one end user have to follow each other"
    const text = file(`${ada},${code},a`, `o@x.example,${code},b`, `${ada},${code},c`, `o@x.example ${ada},${code},d`)
    const { bad, found } = read(text)
    assert.deepStrictEqual(bad, [
      [4, reason],
      [5, reason]
    ])
    assert.deepStrictEqual(
      found.map(({ bookmarks }) => bookmarks.map(({ label }) => label)),
      [["a"], ["b"]]
    )
  })

  it("an end user has at most 100 bookmarks and 10 identifiers, also over several rows", () => {
    const bookmarks = Array.from({ length: 101 }, () => `${ada},${code},Home`)
    assert.deepStrictEqual(reasons(file(...bookmarks)), [
      "102: an end user has at most 100 bookmarks, and this is one more"
    ])
    const identifiers = Array.from({ length: 11 }, (_, i) => `${ada} a${i}@x.example,,`)
    assert.deepStrictEqual(reasons(file(...identifiers)), [
      "11: identifier: an end user has at most 10",
      "12: identifier: an end user has at most 10"
    ])
  })
})

const label = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .map((text) => text.trim())
  .filter((text) => text.length > 0 && text.length <= 100 && !/[\p{Cc}\p{Cs}]/u.test(text))
const person = fc.record({
  labels: fc.array(fc.oneof(label, fc.constantFrom('"', 'a "b", c', ",", "Ilé, ọkọ", "🏠")), { maxLength: 4 })
})

describe("any file that is well formed", () => {
  it("is read as it was meant, however it is written and cut", () => {
    fc.assert(
      fc.property(
        fc.array(person, { maxLength: 8 }),
        fc.record({
          chunk_bytes: fc.integer({ min: 1, max: 40 }),
          lineEnd: fc.constantFrom("\n", "\r\n"),
          mark: fc.boolean(),
          blank: fc.boolean()
        }),
        (people, { blank, chunk_bytes, lineEnd, mark }) => {
          const rows = people.flatMap(({ labels }, i) =>
            (labels.length === 0 ? [undefined] : labels).map((text) =>
              csvLine([`p${i}@x.example`, text === undefined ? "" : code, text ?? ""])
            )
          )
          const text = [header, ...rows].join(blank ? "\n" : "").replaceAll("\n", lineEnd)
          const { bad, found } = read((mark ? "\ufeff" : "") + text, chunk_bytes)
          assert.deepStrictEqual(bad, [])
          assert.deepStrictEqual(
            found.map(({ bookmarks, identifiers }) => [identifiers, bookmarks.map((bookmark) => bookmark.label)]),
            people.map(({ labels }, i) => [[`p${i}@x.example`], labels])
          )
        }
      ),
      { numRuns: 200, seed: 4 }
    )
  })

  it("or not: every row is either taken or told of, and no reason holds what stands in it", () => {
    const piece = fc.oneof(
      fc.constantFrom("ada@canary.example", "48210957361", code, "Home", ",", '"', "\n", "\r\n", " ", "\u0000", "é"),
      fc.string({ maxLength: 5 })
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = `${header}${pieces.join("")}`
        const { bad } = read(text)
        for (const [, reason] of bad) assert.notMatch(reason, /canary|48210957361|LA-12/)
        assert.deepStrictEqual(read(text, 7), read(text))
      }),
      { numRuns: 300, seed: 5 }
    )
  })
})
