import { csvLine } from "@postcode/core/Csv"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ChangeReader } from "../../src/commands/units/ChangeReader.ts"
import type { Change } from "../../src/commands/units/UnitChanges.ts"

const read = (bytes: Uint8Array, sizes: ReadonlyArray<number> = []) => {
  const changes: Array<readonly [number, Change]> = []
  const faults: Array<string> = []
  const reader = new ChangeReader({
    onChange: (line, change) => changes.push([line, change]),
    onBadLine: (line, reason) => faults.push(`${line}: ${reason}`)
  })
  let at = 0
  for (const size of [...sizes, bytes.length]) {
    reader.write(bytes.subarray(at, at + size))
    at += size
  }
  reader.end()
  return { changes, faults }
}

const readText = (text: string) => read(Buffer.from(text))

const header = [
  ...["change", "postcode", "lat", "lon", "status", "replaced_by", "locality_name", "recent_address"],
  ...["building_use_status", "building_type", "building_owner", "delivery_point"]
]

const postcode = fc.integer({ min: 10, max: 99 }).map((unit) => `LA-12-A03-BG-${unit}`)
const successor = fc.constant("LA-12-A04-BG-01")
const place = {
  lat: fc.integer({ min: -90, max: 90 }),
  lng: fc.integer({ min: -18e8, max: 18e8 }).map((e7) => e7 / 1e7)
}
const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
  .filter((text) => text.trim() === text && !/[\0\r\n]|\p{Surrogate}/u.test(text))
const attributes = fc
  .record({ locality_name: text, recent_address: text, delivery_point: fc.boolean() }, { requiredKeys: [] })
  .filter((attributes) => Object.keys(attributes).length > 0)

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ change: fc.constant("add" as const), postcode, ...place, active: fc.boolean(), attributes }),
  fc.record({ change: fc.constant("move" as const), postcode, ...place }),
  fc.record({ change: fc.constant("retire" as const), postcode }),
  fc.record({ change: fc.constant("replace" as const), postcode, replaced_by: successor }),
  fc.record({ change: fc.constant("reactivate" as const), postcode }),
  fc.record({ change: fc.constant("set" as const), postcode, attributes })
)

const csvOf = (changes: ReadonlyArray<Change>): string =>
  [
    csvLine(header),
    ...changes.map(({ active, attributes = {}, change, lat, lng, postcode, replaced_by }) => {
      const status = active === undefined ? "" : active ? "active" : "retired"
      const known: Readonly<Record<string, unknown>> = {
        change,
        postcode,
        lat,
        lon: lng,
        status,
        replaced_by,
        ...attributes
      }
      return csvLine(header.map((name) => (known[name] === undefined ? "" : String(known[name]))))
    })
  ].join("")

describe("a file of changes", () => {
  it("is read as it was written, as CSV and as JSON lines, however it is cut", () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 10 }), fc.array(fc.nat(40)), (changes, sizes) => {
        const expected = { changes: changes.map((change, i) => [i + 2, change]), faults: [] }
        expect(read(Buffer.from(csvOf(changes)), sizes)).toEqual(expected)
        const json = `\n${changes.map((change) => JSON.stringify(change)).join("\n")}`
        expect(read(Buffer.from(json), sizes)).toEqual(expected)
      }),
      { seed: 23, numRuns: 300 }
    )
  })

  it("is read in the form that spreadsheets give it", () => {
    const text =
      "Our changes\n\nChange;Post Code;Delivery Point;\n Retire ;'LA-12-A03-BG-07;;;\nset;LA-12-A03-BG-08;TRUE;\n"
    const expected = [
      [4, { change: "retire", postcode: "LA-12-A03-BG-07" }],
      [5, { change: "set", postcode: "LA-12-A03-BG-08", attributes: { delivery_point: true } }]
    ]
    expect(readText(text)).toEqual({ changes: expected, faults: [] })
    expect(read(Buffer.from(`\ufeff${text}`, "utf16le"))).toEqual({ changes: expected, faults: [] })
    expect(() => readText("change,postcode\n")).toThrow(/a header, and no rows/)
  })

  it("has each bad line reported with its reason", () => {
    const rows = [
      "change,postcode,lat,lon,status,replaced_by,locality_name,delivery_point",
      "move,LA-12-A03-BG-07,6.6,x,,,,",
      "retire,LA-1X-A03-BG-07,,,,,,",
      "retire,LA-12-A03-BG-07,6.6,3.5,,,,",
      "set,LA-12-A03-BG-07,,,,,,perhaps",
      "vanish,LA-12-A03-BG-07,,,,,,",
      "replace,LA-12-A03-BG-07,,,,LA-12-A03-BG-07,,",
      "add,LA-12-A03-BG-09,6.6,3.5,gone,,,",
      "retire,LA-12-A03-BG-08",
      "set,LA-12-A03-BG-07,,,,,,",
      "reactivate,la12a03bg07,,,,,,"
    ]
    const { changes, faults } = readText(rows.join("\n"))
    expect(changes).toEqual([[11, { change: "reactivate", postcode: "la12a03bg07" }]])
    expect(faults).toEqual([
      "2: coordinate: expected a latitude from -90 to 90 and a longitude from -180 to 180",
      expect.stringMatching(/^3: postcode: lga: /),
      "4: lat, lng: expected nothing, as retire does not use it",
      "5: delivery_point: expected true or false",
      "6: change: expected one of add, move, retire, replace, reactivate, set",
      "7: replaced_by: expected the postcode of another unit",
      "8: status: expected active or retired",
      expect.stringMatching(/^9: /),
      expect.stringMatching(/^10: attributes: /)
    ])
    expect(readText('{"change":"retire","postcode":"LA-12-A03-BG-07","why":"gone"}\n[]\n{').faults).toEqual([
      "1: why: expected nothing, as retire does not use it",
      expect.stringMatching(/^2: expected a change like /),
      expect.stringMatching(/^3: expected a change like /)
    ])
  })

  it("is refused with an unknown column, without a needed one, in another format, or empty", () => {
    expect(() => readText("change,postcode,local_name\n")).toThrow(/there is no column local_name/)
    expect(() => readText("change,lat,lon\n")).toThrow("header: no column postcode")
    expect(() => readText("change,change,postcode\n")).toThrow("two columns are called change")
    expect(() => readText("  \n")).toThrow(/it is empty/)
  })
})

it("a total and a footer are no changes", () => {
  const { changes, faults } = readText("change,postcode\nretire,LA-12-A03-BG-07\nTotal,1\n\n(1 row affected)\n")
  expect([changes.length, faults]).toEqual([1, []])
})
