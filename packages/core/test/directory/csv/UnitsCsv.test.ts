// Rows that are handed on: the reader has to see what was checked, on either way into it.
import { DirectoryReader, type DirectoryReaderOptions, requiredUnitColumns, unitColumns } from "@postcode/core/Csv"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

/** Without the optional columns. */
const unitsHeader = `${requiredUnitColumns}\n`

const columns = [...requiredUnitColumns, "replaced_by"]
const wholeHeader = `${columns}\n`

/** Without the empty fields of other optional columns. */
const withoutOthers = (rows: string): string =>
  rows.replaceAll(`${",".repeat(unitColumns.length - columns.length)}\n`, "\n")

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

interface Reading {
  readonly handedOn: string
  readonly units: ReadonlyArray<unknown>
}

/** Reads a file piece by piece, and takes what it hands on after each and at the end. */
const read = (pieces: ReadonlyArray<string | Uint8Array>, options: DirectoryReaderOptions = {}): Reading => {
  const attributes: Array<UnitAttributes> = []
  const reader = new DirectoryReader({
    keepsRow: () => true,
    skipBadRows: true,
    onAttributes: (row, found) => {
      attributes[row] = found
    },
    ...options
  })
  reader.writePlaces("code,name,zone\n")
  let handedOn = ""
  for (const piece of pieces) {
    reader.writeUnits(piece)
    handedOn += decoder.decode(reader.takeUnitsCsv())
  }
  reader.end()
  handedOn += decoder.decode(reader.takeUnitsCsv())
  const result = reader.finish()
  if (!result.ok) throw new Error("the file has a bad header")
  const { directory, rowOfUnit } = result
  const units = Array.from(rowOfUnit, (row, id) => [
    directory.postcodeAt(id),
    directory.coordinateAt(id),
    directory.isActive(id),
    directory.replacedBy(directory.postcodeAt(id)),
    attributes[row]
  ])
  return { handedOn, units }
}

const text = fc.string({ unit: fc.constantFrom(...'ab ,"\r\n\té\u{1f600}\ufeff\0'), maxLength: 5 })
const row = fc.record({
  separator: fc.constantFrom("-", " ", ""),
  isLower: fc.boolean(),
  lat: fc.constantFrom("6.5", "+6.50", "-0", "06.12345674", "91", "6.00000005", "6.123456789012345678901234567"),
  texts: fc.array(text, { minLength: 5, maxLength: 5 }),
  flag: fc.constantFrom("true", "false", "", "no"),
  status: fc.constantFrom("active", "retired"),
  successor: fc.constantFrom("", "LA-12-A03-BH-01", "la12a03bh02", " LA 12 A03 BH 03", "LA-12"),
  isQuoted: fc.boolean(),
  lineEnd: fc.constantFrom("\n", "\r\n", "\n\n")
})
const files = fc
  .tuple(fc.array(row, { maxLength: 12 }), fc.boolean(), fc.boolean())
  .map(([rows, isReversed, isEnded]) => {
    const inOrder = (fields: ReadonlyArray<string>) => (isReversed ? [...fields].reverse() : fields).join(",")
    const lines = rows.map(({ flag, isLower, isQuoted, lat, lineEnd, separator, status, successor, texts }, index) => {
      const postcode = ["LA", "12", "A03", "BG", String(index).padStart(2, "0")].join(separator)
      const fields = [isLower ? postcode.toLowerCase() : postcode, lat, "3.35", status, ...texts, flag, successor]
      const written = fields.map((field) =>
        isQuoted || /["\n,]|\r$/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
      )
      return inOrder(written) + lineEnd
    })
    const whole = `${inOrder(columns)}\n${lines.join("")}`
    return isEnded ? whole : whole.replace(/\r?\n+$/, "")
  })

describe("rows that are passed on", () => {
  it("contain exactly the checked values, from bytes and from text", () => {
    fc.assert(
      fc.property(files, fc.nat(), (file, at) => {
        const bytes = encoder.encode(file)
        const cut = at % (bytes.length + 1)
        const ofBytes = read([bytes.slice(0, cut), bytes.slice(cut)])
        const ofText = read([file])
        expect(ofBytes.units).toEqual(ofText.units)
        for (const { handedOn, units } of [ofBytes, ofText]) {
          expect(read([`${unitColumns}\n${handedOn}`]).units).toEqual(units)
        }
      }),
      { seed: 5, numRuns: 600 }
    )
  })

  it("have canonical postcodes, plain line ends, and quotes if programs would read the field differently without", () => {
    const file = `${unitsHeader}la12a03bg07,+6.5,3,active,a\rb,é,"x","",,true\r\n LA 12 A03 BG 08 ,6,3,retired,"q""\n",,,,,\r\n`
    const expected = [
      'LA-12-A03-BG-07,+6.5,3,active,"a\rb",é,x,,,true,\n',
      'LA-12-A03-BG-08,6,3,retired,"q""\n",,,,,,\n'
    ]
    expect(withoutOthers(read([file]).handedOn)).toBe(expected.join(""))
    expect(withoutOthers(read([encoder.encode(file)]).handedOn)).toBe(expected.join(""))
    const copied = `${unitsHeader}la12a03bg07,"+6.5",3,active,"a\n""b",é,"x","",,true\r\n`
    const expectedCopy = 'LA-12-A03-BG-07,"+6.5",3,active,"a\n""b",é,"x","",,true,\n'
    expect(withoutOthers(read([copied]).handedOn)).toBe(expectedCopy)
    expect(withoutOthers(read([encoder.encode(copied)]).handedOn)).toBe(expectedCopy)
  })

  it("have no number of more than 20 characters, which a database may refuse as out of range", () => {
    const lat = `6.5${"0".repeat(400)}1`
    const file = `${unitsHeader}LA-12-A03-BG-07,${lat},3.${"3".repeat(19)},active,,,,,,\n`
    expect(withoutOthers(read([file]).handedOn)).toBe("LA-12-A03-BG-07,6.5,3.3333333,active,,,,,,,\n")
  })

  it("omit columns that are not read, even with NUL characters", () => {
    const file = `${unitsHeader.trimEnd()},note\nLA-12-A03-BG-07,6,3,active,,,,,,,a\0b\n`
    expect(withoutOthers(read([file]).handedOn)).toBe("LA-12-A03-BG-07,6,3,active,,,,,,,\n")
  })

  it("are the requested ones, by their numbers without bad rows", () => {
    const unit = (number: number) => `LA-12-A03-BG-0${number},6,3,active,,,,,,\n`
    const file = `${unitsHeader + unit(0)}bad\n${unit(1)}${unit(2)}`
    const odd = { keepsRow: (row: number) => row % 2 === 1 }
    const expected = unit(1).replace("\n", ",\n")
    expect(withoutOthers(read([file], odd).handedOn)).toBe(expected)
    expect(withoutOthers(read([encoder.encode(file)], odd).handedOn)).toBe(expected)
  })

  it("have canonical successors, and an empty field in files without that column", () => {
    const fields = "6,3,retired,,,,,,"
    const file = `${wholeHeader}LA-12-A03-BG-07,${fields},LA-12-A03-BG-08\nla12a03bg09,${fields}, la 12 a03 bg 08\n`
    const expected = `LA-12-A03-BG-07,${fields},LA-12-A03-BG-08\nLA-12-A03-BG-09,${fields},LA-12-A03-BG-08\n`
    expect(withoutOthers(read([file]).handedOn)).toBe(expected)
    expect(withoutOthers(read([`${unitsHeader}LA-12-A03-BG-07,${fields}\n`]).handedOn)).toBe(
      `LA-12-A03-BG-07,${fields},\n`
    )
  })

  it("include the last one, also without a line end", () => {
    const file = `${unitsHeader}LA-12-A03-BG-07,6,3,active,,,,,,`
    expect(withoutOthers(read([encoder.encode(file)]).handedOn)).toBe("LA-12-A03-BG-07,6,3,active,,,,,,,\n")
    expect(withoutOthers(read([file]).handedOn)).toBe("LA-12-A03-BG-07,6,3,active,,,,,,,\n")
  })
})
