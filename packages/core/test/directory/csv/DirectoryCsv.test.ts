import { toE7 } from "@postcode/core/Coordinate"
import {
  type BadRow,
  DirectoryReader,
  type DirectoryReaderOptions,
  isWordForNothing,
  placeLine,
  placesHeader,
  type ReadResult,
  requiredUnitColumns,
  unitColumns,
  unitLine,
  unitsHeader
} from "@postcode/core/Csv"
import { type Place, packSegments, unpack } from "@postcode/core/Directory"
import { compare, type PartialPostcode, type Postcode } from "@postcode/core/Postcode"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import fc from "fast-check"
import { describe, expect, it } from "vitest"

fc.configureGlobal({ seed: 774, numRuns: 300 })

interface Reading {
  readonly read: ReadResult
  readonly badRows: ReadonlyArray<BadRow>
  readonly attributes: ReadonlyArray<UnitAttributes>
}

const reading = (places: string, units: string, options: DirectoryReaderOptions = {}): Reading => {
  const badRows: Array<BadRow> = []
  const attributes: Array<UnitAttributes> = []
  const reader = new DirectoryReader({
    ...options,
    onBadRow: (badRow) => badRows.push(badRow),
    onAttributes: (row, found) => {
      attributes[row] = found
    }
  })
  for (let at = 0; at < units.length; at += 97) reader.writeUnits(units.slice(at, at + 97))
  reader.writePlaces(places)
  const read = reader.finish()
  expect(read.badRows).toBe(badRows.length)
  return { read, badRows, attributes }
}

const places = "code,name,zone\nLA,Lagos,South West\nLA-12,Ikorodu,\n"
/** Without the optional columns. */
const header = requiredUnitColumns.join(",")

/** units.csv of rows of which only the first four columns matter. */
const units = (...rows: ReadonlyArray<string>): string => [header, ...rows.map((row) => `${row},,,,,,`)].join("\n")

/** What is reported of a single row of units.csv. */
const reasonOf = (row: string): string | undefined => {
  const { badRows, read } = reading(places, `${header}\n${row}`)
  expect(read.ok).toBe(badRows.length === 0)
  return badRows[0]?.reason
}

describe("a good pair of files", () => {
  const text = [
    header,
    'LA-12-A03-BG-07,6.6018,3.5106,active,Ikorodu,"12, Lagos Road ""Annex""",residential,house,private,true',
    "la 12 a03 bg 06,-6.6018,+3.51060004,retired,,,,,,",
    "LA12A03BG08,6,180,active,,,,,,false",
    ""
  ].join("\r\n")
  const { attributes, read } = reading(places, text, { version: "2026-1", date: "2026-01-31" })
  if (!read.ok) throw new Error("the files were not read")
  const { directory, rowOfUnit } = read

  it("makes a directory of every unit and name", () => {
    expect([directory.size, directory.activeSize, directory.version, directory.date]).toEqual([
      3,
      2,
      "2026-1",
      "2026-01-31"
    ])
    expect([0, 1, 2].map((id) => directory.postcodeAt(id))).toEqual([
      "LA-12-A03-BG-06",
      "LA-12-A03-BG-07",
      "LA-12-A03-BG-08"
    ])
    expect([0, 1, 2].map((id) => directory.coordinateAt(id))).toEqual([
      { lat: -6.6018, lon: 3.5106 },
      { lat: 6.6018, lon: 3.5106 },
      { lat: 6, lon: 180 }
    ])
    expect(directory.status("LA-12-A03-BG-06" as Postcode)).toBe("retired")
    expect(directory.placeNames("LA-12-A03-BG-07" as Postcode)).toEqual({
      state_name: "Lagos",
      lga_name: "Ikorodu",
      zone: "South West"
    })
  })

  it("returns the attributes of each row, without empty ones", () => {
    expect([...rowOfUnit]).toEqual([1, 0, 2])
    expect(attributes).toEqual([
      {
        locality_name: "Ikorodu",
        recent_address: '12, Lagos Road "Annex"',
        building_use_status: "residential",
        building_type: "house",
        building_owner: "private",
        delivery_point: true
      },
      {},
      { delivery_point: false }
    ])
  })
})

describe("columns", () => {
  it("are found by their names, in any order and with other columns", () => {
    const shuffled = `remark,delivery_point,lon,building_owner,lat,building_type,status,building_use_status,recent_address,locality_name,postcode
x,true,3.5,private,6.5,house,active,residential,12 Lagos Road,Ikorodu,LA-12-A03-BG-07`
    const { attributes, read } = reading("zone,code,name\n,LA-12,Ikorodu\nSouth West,LA,Lagos\n", shuffled)
    if (!read.ok) throw new Error("the files were not read")
    expect(read.directory.coordinateAt(0)).toEqual({ lat: 6.5, lon: 3.5 })
    expect(read.directory.lgas("LA")).toEqual([{ code: "12", name: "Ikorodu" }])
    expect(attributes[0]?.recent_address).toBe("12 Lagos Road")
  })

  it("that are missing or repeated refuse the file, even if bad rows are skipped", () => {
    const expected = "expected a header with postcode, lat, lon"
    const headers: ReadonlyArray<readonly [string, string]> = [
      [
        header.replace("lat,lon", "breadth,length"),
        `header: no column lat, lon; expected a header with postcode, lat, lon, found ${header
          .replace("lat,lon", "breadth,length")
          .replaceAll(",", ", ")}; name each with --column lat=NAME --column lon=NAME`
      ],
      [
        `${header},lat`,
        `header: more than one column lat; ${expected}, found ${`${header},lat`.replaceAll(",", ", ")}`
      ],
      [
        `${header},replaced_by,replaced_by`,
        `header: more than one column replaced_by; ${expected}, found ${`${header},replaced_by,replaced_by`.replaceAll(",", ", ")}`
      ]
    ]
    for (const [first, reason] of headers) {
      const { badRows, read } = reading(places, `\n${first}\nLA-12-A03-BG-07,6,3,active,,,,,,\n"`, {
        skipBadRows: true
      })
      expect(badRows).toEqual([{ file: "units", line: 2, reason }])
      expect(read.ok).toBe(false)
    }
    const missing =
      "header: no column name; expected a header with code, name, found code, zone; name each with --column name=NAME"
    expect(reading("code,zone\n", units(), { skipBadRows: true }).badRows).toEqual([
      { file: "places", line: 1, reason: missing }
    ])
  })

  it("may include successors, at any place", () => {
    const row = "LA-12-A03-BG-07,6,3,retired,,,,,,"
    for (const file of [
      `${header},replaced_by\n${row},la12a03bg08`,
      `replaced_by,${header}\nLA 12 A03 BG 08,${row}`,
      `replaced_by,${header},remark\n"LA-12-A03-BG-08",${row},x`
    ]) {
      const { badRows, read } = reading(places, file)
      expect(badRows).toEqual([])
      expect(read.ok && read.directory.replacedBy("LA-12-A03-BG-07" as Postcode)).toBe("LA-12-A03-BG-08")
    }
    const { read } = reading(places, `${header}\n${row}`)
    expect(read.ok && read.directory.replacedBy("LA-12-A03-BG-07" as Postcode)).toBeUndefined()
  })

  it("are also required in an empty file", () => {
    const { badRows, read } = reading("", units())
    expect(read.ok).toBe(false)
    const reason = "the file is empty; expected a header with code, name"
    expect(badRows).toEqual([{ file: "places", line: 1, reason }])
  })
})

describe("a text that hides or reorders characters", () => {
  it.each(["locality_name", "recent_address", "building_use_status", "building_type", "building_owner"])(
    "is a bad row of units.csv, in the column %s",
    (column) => {
      const row = header.split(",").map((name) => (name === column ? "Ike\u202eja" : fields[name]))
      expect(reasonOf(row.join(","))).toBe(`${column}: expected text without invisible characters, found U+202E`)
    }
  )

  it("is a bad row of places.csv", () => {
    const { badRows } = reading("code,name,zone\nLA,La\u200bgos,\nOG,Ogun,South\u00ad West\n", units())
    expect(badRows.map(({ line, reason }) => [line, reason])).toEqual([
      [2, "name: expected text without invisible characters, found U+200B"],
      [3, "zone: expected text without invisible characters, found U+00AD"]
    ])
  })

  it("is none with letters of any script, marks and joiners between letters", () => {
    for (const text of ["Ọ̀ṣun", "क्\u200dष", "مى\u200cخواهم", "\u{1f3e0}\ufe0f"]) {
      expect(reasonOf(`LA-12-A03-BG-07,6,3,active,${text},,,,,`)).toBeUndefined()
    }
  })

  const fields: Readonly<Record<string, string>> = { postcode: "LA-12-A03-BG-07", lat: "6", lon: "3", status: "active" }
})

describe("a bad row of units.csv", () => {
  it.each([
    ["LA-12-A03-BG-07,6,3,active,,,,,", "expected 10 columns as in the header, found 9"],
    ["LA-12-A03-BG-07,6,3,active,,,,,,,x", "expected 10 columns as in the header, found 11"],
    ["LA-1X-A03-BG-07,6,3,active,,,,,,", "postcode: lga: expected 2 digits at position 3"],
    [",6,3,active,,,,,,", "postcode: state: expected 2 letters at position 0"],
    ["LA-12-A03-BG-07,6,3,open,,,,,,", 'status: expected active or retired, found "open"'],
    ["LA-12-A03-BG-07,6,3,,,,,,,", "status: expected active or retired, found nothing"],
    ["LA-12-A03-BG-07,6,3,active,,,,,,perhaps", "delivery_point: expected true or false, or nothing"],
    [
      "LA,91,181,x,,,,,,z",
      "postcode: lga: expected 2 digits at position 2; lat: expected a decimal number of degrees from -90 to 90, " +
        'found "91"; lon: expected a decimal number of degrees from -180 to 180, found "181"; ' +
        'status: expected active or retired, found "x"; ' +
        "delivery_point: expected true or false, or nothing"
    ],
    [
      'LA-12-A03-BG-07,6,3,active,"a"b,,,,,',
      "a quote that closes a field is followed by neither a delimiter nor the end of the line"
    ]
  ])("is reported with all faults: %s", (row, reason) => {
    expect(reasonOf(row)).toBe(reason)
  })

  it.each([
    ["LA-12-A03-BG-07,6,3,retired,,,,,,,LA-12-A03", "replaced_by: area: expected a dash, then 2 letters at position 9"],
    ["LA-12-A03-BG-07,6,3,active,,,,,,,LA-12-A03-BG-08", "replaced_by: expected nothing, as the unit is active"],
    ["LA-12-A03-BG-07,6,3,retired,,,,,,,la12a03bg07", "replaced_by: expected the postcode of another unit"],
    [
      "LA-12,6,3,open,,,,,,perhaps,1",
      "postcode: district: expected a dash, then 3 letters or digits at position 5; " +
        'status: expected active or retired, found "open"; ' +
        "delivery_point: expected true or false, or nothing; replaced_by: state: expected 2 letters at position 0"
    ]
  ])("is reported with the fault of a successor: %s", (row, reason) => {
    const { badRows } = reading(places, `${header},replaced_by\n${row}`)
    expect(badRows.map((bad) => bad.reason)).toEqual([reason])
  })

  it.each(["", " ", "abc", "NaN", "Infinity", "0x10", "--6", "6.5S W", "90.0000001", "-90.1"])(
    "has a latitude that is not a decimal number from -90 to 90: %o",
    (lat) => {
      expect(reasonOf(`LA-12-A03-BG-07,${lat},3,active,,,,,,`)).toBe(
        `lat: expected a decimal number of degrees from -90 to 90, found ${lat.trim() === "" ? "nothing" : `"${lat}"`}`
      )
    }
  )

  it.each(["180.0000001", "-181", "NaN", ""])(
    "has a longitude that is not a decimal number from -180 to 180: %o",
    (lon) => {
      expect(reasonOf(`LA-12-A03-BG-07,6,${lon},active,,,,,,`)).toBe(
        `lon: expected a decimal number of degrees from -180 to 180, found ${lon === "" ? "nothing" : `"${lon}"`}`
      )
    }
  )

  it("does not include the poles and the antimeridian", () => {
    expect(reasonOf("LA-12-A03-BG-07,-90,180.0,active,,,,,,")).toBeUndefined()
    expect(reasonOf("LA-12-A03-BG-07,+90.000,-180,active,,,,,,")).toBeUndefined()
  })

  it("repeats a postcode in any format, and the report has the first line with it", () => {
    const text = units(
      "LA-12-A03-BG-07,6,3,active",
      "LA-12-A03-BG-06,6,3,active",
      "la12a03bg07,6,3,retired",
      "LA-12-A03-BG-06,6,3,active",
      "LA 12 A03 BG 07,7,3,active"
    )
    const repeated = [
      { file: "units", line: 4, reason: "postcode: repeats LA-12-A03-BG-07 of line 2" },
      { file: "units", line: 5, reason: "postcode: repeats LA-12-A03-BG-06 of line 3" },
      { file: "units", line: 6, reason: "postcode: repeats LA-12-A03-BG-07 of line 2" }
    ]
    expect(reading(places, text).badRows).toEqual(repeated)
    const skipped = reading(places, text, { skipBadRows: true })
    expect(skipped.badRows).toEqual(repeated)
    if (!skipped.read.ok) throw new Error("bad rows were not skipped")
    expect([...skipped.read.rowOfUnit]).toEqual([1, 0])
    expect(skipped.read.directory.activeSize).toBe(2)
  })

  it("is reported on its line, after quoted line ends and blank lines", () => {
    const text = `${header}

LA-12-A03-BG-07,6,3,active,"a
b",,,,,
LA-12-A03-BG-08,6,3,gone,,,,,,
LA-12-A03-BG-09,6,3,active,,,,,,
LA-12-A03-BG-10,,3,active,,,,,,
LA-12-A03-BG-09,6,3,active,,,,,,`
    const { badRows, read } = reading(places, text)
    expect(badRows.map((badRow) => badRow.line)).toEqual([5, 7, 8])
    expect(read).toEqual({ ok: false, badRows: 3 })
    const skipped = reading(places, text, { skipBadRows: true })
    expect(skipped.badRows).toEqual(badRows)
    expect(skipped.read.ok && skipped.read.directory.size).toBe(2)
    expect(skipped.attributes).toEqual([{ locality_name: "a\nb" }, {}, {}])
  })
})

describe("a bad row of places.csv", () => {
  it("is reported with its line and reason, and skipped only on request", () => {
    const text = `code,name,zone
LA-12,Ikorodu,
LA,Lagos,South West
OG-01,Abeokuta North,
L,Lagos,
LA,Lagos,South West
la 12,Ikorodu,
LA-13,,
LA-14,Lagos Island,South West
LA-12-A03,Ward,
KN,Kano`
    const expected = [
      [5, "code: state: expected 2 letters at position 0"],
      [6, "code: repeats that of line 3"],
      [7, "code: repeats that of line 2"],
      [11, "expected 3 columns as in the header, found 2"],
      [4, "code: the state OG is missing; states come before their LGAs"],
      [8, "name: expected a name, found nothing"],
      [9, "zone: expected none, as a zone belongs to a state"],
      [10, "code: expected a state or an LGA, like LA or LA-12"]
    ].map(([line, reason]) => ({ file: "places", line, reason }))
    const one = units("LA-12-A03-BG-07,6,3,active")
    expect(reading(text, one)).toMatchObject({ badRows: expected, read: { ok: false } })
    const { badRows, read } = reading(text, one, { skipBadRows: true })
    expect(badRows).toEqual(expected)
    expect(read.ok && read.directory.lgas("LA")).toEqual([{ code: "12", name: "Ikorodu" }])
  })
})

describe("words for nothing in a row that is plain otherwise", () => {
  const words = [
    "N/A",
    "n.a.",
    "NULL",
    "(null)",
    "nil",
    "None",
    "-",
    "—",
    "#REF!",
    "#SPILL!",
    "Loading...",
    "not known",
    "?"
  ]

  it.for(words)("%s is no value", (word) => {
    const unit = (locality: string) => `LA-12-A03-BG-07,6.6,3.5,active,${locality},"12, Lagos Road"\n`
    const header = "postcode,lat,lon,status,locality_name,recent_address\n"
    const { attributes, badRows } = reading(placesHeader, header + unit(word))
    expect(badRows).toEqual([])
    expect(attributes).toEqual([{ recent_address: "12, Lagos Road" }])
  })

  it.for(["Nassarawa", "Nanka", "Unguwa", "Lekki", "Na Allah", "Ede", "9-11"])("%s is a value", (locality) => {
    const header = "postcode,lat,lon,status,locality_name\n"
    const { attributes } = reading(placesHeader, `${header}LA-12-A03-BG-07,6.6,3.5,active,${locality}\n`)
    expect(attributes).toEqual([{ locality_name: locality }])
  })
})

describe("written rows", () => {
  const characters = fc.constantFrom("a", "É", " ", ",", '"', "\n", "\r", "-")
  const text = fc
    .string({ unit: characters, minLength: 1, maxLength: 8 })
    .filter((written) => !isWordForNothing(written))
  const optional = { locality_name: text, recent_address: text, building_use_status: text, building_type: text }
  const attributes: fc.Arbitrary<UnitAttributes> = fc.record(
    { ...optional, building_owner: text, delivery_point: fc.boolean() },
    { requiredKeys: [] }
  )
  const unit = fc.record({
    postcode: fc.nat({ max: 50_000 }).map((number) => unpack(packSegments(290, number % 100, number % 40_000, 7, 9))),
    lat_e7: fc.integer({ min: -900_000_000, max: 900_000_000 }),
    lon_e7: fc.oneof(fc.integer({ min: -1_800_000_000, max: 1_800_000_000 }), fc.integer({ min: -20, max: 20 })),
    active: fc.boolean(),
    attributes,
    successor: fc.constantFrom("ZZ-99-ZZZ-ZZ-99" as Postcode, "AA-00-000-AA-00" as Postcode, undefined)
  })

  it("are read unchanged", () => {
    fc.assert(
      fc.property(fc.uniqueArray(unit, { selector: (one) => one.postcode, maxLength: 20 }), (all) => {
        const successorOf = (one: (typeof all)[number]) => (one.active ? undefined : one.successor)
        const lines = all.map((one) =>
          unitLine(one.postcode, one.lat_e7, one.lon_e7, one.active, one.attributes, successorOf(one))
        )
        const { attributes: found, badRows, read } = reading(placesHeader, unitsHeader + lines.join(""))
        expect(badRows).toEqual([])
        if (!read.ok) throw new Error("the files were not read")
        expect(found).toEqual(all.map((one) => one.attributes))
        const inOrder = [...all].sort((a, b) => compare(a.postcode, b.postcode))
        for (const [id, one] of inOrder.entries()) {
          const { lat, lon } = read.directory.coordinateAt(id)
          expect(read.directory.postcodeAt(id)).toBe(one.postcode)
          expect([toE7(lat), toE7(lon)]).toEqual([one.lat_e7, one.lon_e7])
          expect(read.directory.isActive(id)).toBe(one.active)
          expect(read.directory.replacedBy(one.postcode)).toBe(successorOf(one))
        }
      })
    )
  })

  it("have short decimals, names in quotes only if needed, and no invented values", () => {
    const lagos: Place = { code: "LA" as PartialPostcode, name: "Lagos", zone: "South West" }
    const lga: Place = { code: "EK-13" as PartialPostcode, name: 'Irepodun, "Ifelodun"' }
    expect([lagos, lga].map(placeLine)).toEqual(["LA,Lagos,South West\n", 'EK-13,"Irepodun, ""Ifelodun""",\n'])
    const unitOf = (lat_e7: number, lon_e7: number, known: UnitAttributes) =>
      unitLine("LA-12-A03-BG-07" as Postcode, lat_e7, lon_e7, true, known)
    const unknown = ",".repeat(unitColumns.length - requiredUnitColumns.length - 1)
    expect(unitOf(51_164_850, -1, { delivery_point: false })).toBe(
      `LA-12-A03-BG-07,5.116485,-0.0000001,active,,,,,,false,${unknown}\n`
    )
    expect(unitOf(0, 1_000_000_000, {})).toBe(`LA-12-A03-BG-07,0,100,active,,,,,,,${unknown}\n`)
  })
})
