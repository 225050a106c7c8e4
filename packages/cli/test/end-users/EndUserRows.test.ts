import { csvLine } from "@postcode/core/Csv"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { EndUserRows, type FoundEndUser } from "../../src/commands/widget/EndUserRows.ts"
import { byteTextReader } from "../../src/csv/ByteText.ts"

interface Read {
  readonly found: ReadonlyArray<FoundEndUser>
  readonly bad: ReadonlyArray<readonly [line: number, reason: string]>
  /** Where the end users begin who are left out because of bad rows. */
  readonly leftOut: ReadonlyArray<number>
}

/** Reads a file in chunks of so many bytes. */
const read = (file: string | Uint8Array, chunk_bytes = 1 << 20): Read => {
  const bytes = Buffer.from(file as string)
  const bad: Array<readonly [number, string]> = []
  const rows = new EndUserRows((line, reason) => bad.push([line, reason]))
  const csv = byteTextReader(rows)
  for (let at = 0; at < bytes.length; at += chunk_bytes) {
    csv.write(bytes.subarray(at, at + chunk_bytes))
  }
  csv.end()
  const { badRows, endUsers, excluded } = rows.finish()
  assert.strictEqual(badRows, bad.length)
  return { found: endUsers, bad, leftOut: excluded.map(({ line }) => line) }
}

const header = "identifier,postcode,label\n"
const ada = "ada@example.com"
const code = "LA-12-A03-BG-07"

const file = (...rows: ReadonlyArray<string>) => `${header}${rows.join("\n")}\n`

/** The reasons of the bad rows, by line. */
const reasons = (text: string | Uint8Array) => read(text).bad.map(([line, reason]) => `${line}: ${reason}`)

describe("end users in a CSV file", () => {
  it("the rows of an end user become its bookmarks, in order", () => {
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
      bad: [],
      leftOut: []
    })
  })

  it("a field may have several identifiers, and a row that shares one with the previous row is of the same end user", () => {
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

  it("a row without postcode and label gives an end user without bookmarks", () => {
    const { bad, found } = read(file(`${ada},,`, `o@x.example, , `))
    assert.deepStrictEqual(bad, [])
    assert.deepStrictEqual(
      found.map(({ bookmarks }) => bookmarks),
      [[], []]
    )
  })

  it("columns may be in any order and case, with other columns between them", () => {
    const { bad, found } = read(`Note, LABEL ,Postcode,x,Identifier\nn,Home,${code},,${ada}\n`)
    assert.deepStrictEqual(bad, [])
    assert.deepStrictEqual(found, [
      { identifiers: [ada], bookmarks: [{ postcode: code as never, label: "Home" }], line: 2 }
    ])
  })

  it("a file without column names in its first row is refused, and the message has nothing of its content", () => {
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
  })

  it("a bad row is reported with its line and the expected value", () => {
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
        "14: the row has 4 fields where 3 are expected: perhaps one contains the delimiter and is not in quotes",
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

  it("separated rows of one end user are bad, and so is a row that joins two end users", () => {
    const reason = "identifier: an end user further up has it: all rows of one end user have to follow each other"
    const text = file(`${ada},${code},a`, `o@x.example,${code},b`, `${ada},${code},c`, `o@x.example ${ada},${code},d`)
    const { bad, found, leftOut } = read(text)
    assert.deepStrictEqual(bad, [
      [4, reason],
      [5, reason]
    ])
    assert.deepStrictEqual([found, leftOut], [[], [2, 3]])
  })

  it("a file with more rows than the maximum is refused", () => {
    const read = (count: number) => {
      const rows = new EndUserRows(() => {}, 1_000)
      const csv = byteTextReader(rows)
      csv.write(header + `${ada},,\n`.repeat(count))
      csv.end()
      return rows.finish()
    }
    assert.lengthOf(read(1_000).endUsers, 1)
    assert.throws(() => read(1_001), /^it has more than 1,000 rows: divide it/)
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

describe("a bad row excludes every end user that it may belong to, because saving the other rows would delete its bookmark", () => {
  const bola = "bola@example.com"
  const nin = "12345678901"
  const chi = "chi@example.com"
  const good = (identifiers: string) => `${identifiers},${code},Home`
  const wrong = (identifiers: string) => `${identifiers},LA-12,Home`
  interface Case {
    readonly why: string
    readonly rows: ReadonlyArray<string>
    readonly kept: ReadonlyArray<string>
    readonly leftOut: ReadonlyArray<number>
  }

  it.each<Case>([
    { why: "among one's rows", rows: [good(ada), wrong(ada), good(ada), good(bola)], kept: [bola], leftOut: [2] },
    { why: "before them", rows: [wrong(ada), good(ada), good(bola)], kept: [bola], leftOut: [3] },
    { why: "behind them", rows: [good(bola), good(ada), wrong(ada)], kept: [bola], leftOut: [3] },
    { why: "far behind", rows: [good(ada), good(bola), good(chi), good(ada)], kept: [bola, chi], leftOut: [2] },
    { why: "far before", rows: [wrong(ada), good(bola), good(chi), good(ada)], kept: [bola, chi], leftOut: [5] },
    {
      why: "by an identifier that comes behind",
      rows: [wrong(`${ada} ${nin}`), good(bola), good(nin)],
      kept: [bola],
      leftOut: [4]
    },
    { why: "of two", rows: [good(ada), good(bola), wrong(`${ada} ${bola}`), good(chi)], kept: [chi], leftOut: [2, 3] },
    { why: "with nobody else's rows", rows: [good(ada), wrong(bola), good(chi)], kept: [ada, chi], leftOut: [] },
    {
      why: "unreadable among one's rows",
      rows: [good(bola), good(ada), good("canary"), good(ada), good(chi)],
      kept: [bola, chi],
      leftOut: [3]
    },
    {
      why: "unreadable between two",
      rows: [good(ada), good("?"), good(bola), good(chi)],
      kept: [chi],
      leftOut: [2, 4]
    },
    {
      why: "unreadable, one after the other",
      rows: [good(chi), good(ada), good("?"), ",", good(""), good(bola)],
      kept: [chi],
      leftOut: [3, 7]
    },
    {
      why: "unreadable behind another's",
      rows: [good(ada), wrong(bola), good("?"), good(chi)],
      kept: [ada],
      leftOut: [5]
    },
    { why: "unreadable at the end", rows: [good(chi), good(ada), good("?")], kept: [chi], leftOut: [3] },
    { why: "unreadable in part", rows: [good(ada), good(`1234 ${nin}`), good(bola)], kept: [], leftOut: [2, 4] },
    {
      why: "unreadable in part, and theirs",
      rows: [good(ada), good(`${ada} ?`), good(bola)],
      kept: [bola],
      leftOut: [2]
    },
    {
      why: "with a comma too many",
      rows: [good(ada), `${bola},${code},a,b`, good(chi)],
      kept: [ada, chi],
      leftOut: []
    },
    {
      why: "cut within the identifier",
      rows: [good(ada), "bola@example.co", good(chi)],
      kept: [ada, chi],
      leftOut: []
    },
    { why: "with a stray quote", rows: [good(ada), `${ada},${code},"a"b`, good(chi)], kept: [chi], leftOut: [2] },
    { why: "with a second NIN", rows: [good(nin), good(`${nin} 22222222222`), good(ada)], kept: [ada], leftOut: [2] }
  ])("$why", ({ kept, leftOut, rows }) => {
    const { found, leftOut: left } = read(file(...rows))
    assert.deepStrictEqual(
      found.flatMap(({ identifiers }) => identifiers),
      [...kept]
    )
    assert.deepStrictEqual([...left], [...leftOut])
  })

  it("a line that is too long may belong to the end user before or after it", () => {
    const cut = `${"x".repeat(1_000 - `,${code},bola@example.co`.length)},${code},bola@example.co`
    const rows = [`Home,${code},${ada}`, `${cut}m${" ".repeat(1 << 20)}`, `Home,${code},${chi}`, `Home,${code},${nin}`]
    const { bad, found, leftOut } = read(`label,postcode,identifier\n${rows.join("\n")}\n`)
    assert.deepStrictEqual([bad.length, leftOut], [1, [2, 4]])
    assert.deepStrictEqual(
      found.map(({ identifiers }) => identifiers),
      [[nin]]
    )
  })

  it("an end user that is not excluded has the bookmarks of all its rows", () => {
    const people = [ada, bola, chi, nin, "2222", "?", ""]
    const row = fc.record({
      who: fc.array(fc.constantFrom(...people), { minLength: 1, maxLength: 2 }),
      isWrong: fc.boolean()
    })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 9 }), (rows) => {
        const lines = rows.map(({ isWrong, who }, i) => `${who.join(" ")},${isWrong ? "LA" : code},${i}`)
        for (const { bookmarks, identifiers } of read(file(...lines)).found) {
          const theirs = rows.flatMap(({ who }, i) => (who.some((one) => identifiers.includes(one)) ? [`${i}`] : []))
          assert.deepStrictEqual(
            bookmarks.map(({ label }) => label),
            theirs
          )
        }
      }),
      { numRuns: 500, seed: 6 }
    )
  })
})

describe("a person has one NIN", () => {
  it("a second NIN is a bad row, in one field or over several rows", () => {
    const reason = "identifier: a person has one NIN, and this is a second one of the same end user"
    const text = file(
      `11111111111 22222222222,,`,
      `${ada} 33333333333,,`,
      `${ada} 44444444444,,`,
      `${ada} 33333333333,,`
    )
    assert.deepStrictEqual(reasons(text), [`2: ${reason}`, `4: ${reason}`])
  })
})

describe("blank rows, as spreadsheets write them behind the last one", () => {
  it("are ignored, and still count in line numbers", () => {
    const text = file(",,", ` , ,\t`, `"",,""`, ",", ",,,,", `${ada},${code},Home`, `${ada},,Home`)
    assert.deepStrictEqual(
      read(text).bad.map(([line]) => line),
      [8]
    )
    assert.deepStrictEqual(reasons(file(`",",,`)), ["2: identifier: expected an 11-digit NIN or an email address"])
  })
})

const label = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .map((text) => text.trim())
  .filter((text) => text.length > 0 && text.length <= 100 && !/[\p{Cc}\p{Cs}]/u.test(text))
const person = fc.record({
  labels: fc.array(fc.oneof(label, fc.constantFrom('"', 'a "b", c', ",", "Ilé, ọkọ", "🏠")), { maxLength: 4 })
})

describe("any file", () => {
  it("is read correctly if it is well formed, with any line ends, byte order mark, blank rows and chunks", () => {
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

  it("has each of its rows used or reported, and no reason contains its content", () => {
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

it("a total and a footer are no rows", () => {
  const text = file(`${ada},${code},Home`, "Total: 1,,", "", "Generated by the register on 29/11/2026,,")
  assert.deepStrictEqual(reasons(text), [])
  assert.strictEqual(read(text).found.length, 1)
})
