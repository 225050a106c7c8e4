// Directories as spreadsheets and databases write them, and what a look at them finds.
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { type WrittenCell, writeWorkbook } from "@postcode/server/workbook/writeWorkbook"
import { describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"

const header =
  "postcode,lat,lon,status,locality_name,recent_address,building_use_status,building_type,building_owner,delivery_point,replaced_by"
const rows = [
  "LA-12-A03-BG-07,6.6194,3.5105,active,Ikorodu,7 Harbour Road,residential,bungalow,private,true,",
  "LA-12-A03-BG-08,6.6196,3.5107,retired,,,,,,,LA-12-A03-BG-07"
]
const units = `${[header, ...rows].join("\n")}\n`
const places = "code,name,zone\nLA,Lagos,South West\nLA-12,Ikorodu,\n"

type Files = Readonly<Record<string, string | Uint8Array>>

const build = async (files: Files, ...args: ReadonlyArray<string>) => {
  await using folder = await temporaryFolder()
  await writeFiles(folder.path, { "places.csv": places, ...files })
  const output = join(folder.path, "out.snapshot")
  const built = await run(["snapshot", "build", folder.path, "-o", output, "--json", ...args])
  const stderr = built.stderr.replaceAll(`${folder.path}/`, "")
  return { ...built, stderr, json: built.code === 0 ? JSON.parse(built.stdout) : undefined }
}

it("names the header below titles, also if the names in it are not known", async () => {
  const table = "Unit ref,Breadth,Length,Town\nLA-12-A03-BG-07,6.6194,3.5105,Ikorodu\n"
  const { code, stderr } = await build({ "units.csv": `"Register of units, June"\n\n${table}` })
  expect(code).toBe(1)
  expect(stderr).toMatch(
    /units.csv:3: header: no column postcode, lat, lon; expected .*, found Unit ref, Breadth, Length, Town/
  )
  const mapped = ["postcode=Unit ref", "lat=Breadth", "lon=Length"].map((column) => `--column=${column}`)
  const built = await build({ "units.csv": `"Register of units, June"\n\n${table}` }, ...mapped)
  expect(built.json).toMatchObject({ units: 1, bad_rows: 0 })
  expect(built.stderr).not.toContain("no column status")
})

it("warns of a file without a column status if another column may hold the status", async () => {
  const { json, stderr } = await build({ "units.csv": "postcode,lat,lon,In service\nLA-12-A03-BG-07,6.6,3.5,No\n" })
  expect(json).toMatchObject({ units: 1, active_units: 1 })
  expect(stderr).toContain(
    "units.csv: warning: it has no column status, so all units are active; not read: In service\n"
  )
})

const psqlTable =
  "    postcode     |  lat   |  lon   | status \n-----------------+--------+--------+--------\n" +
  " LA-12-A03-BG-07 | 6.6194 | 3.5105 | active\n(1 row)\n\n"

describe("what cannot be read is said with the value, and with what to do", () => {
  it.each([
    ["729000.75", "541000.25", 'found "729000.75", which may be metres: convert it to degrees of WGS 84'],
    ["66194000", "35105000", 'found "66194000", which may be 1e-7 degrees: divide the column by 10,000,000'],
    ["65.963.196", "33.410.092", 'found "65.963.196", which lost its decimal point in a spreadsheet'],
    ["", "3.5", "lat: expected a decimal number of degrees from -90 to 90, found nothing"]
  ])("%s", async (lat, lon, message) => {
    expect((await build({ "units.csv": `postcode,lat,lon\nLA-12-A03-BG-07,${lat},${lon}\n` })).stderr).toContain(
      message
    )
  })

  it("the header of a file that was joined to another", async () => {
    const { stderr } = await build({ "units.csv": `\ufeff${units}\ufeff${units.replaceAll("BG", "BH")}` })
    expect(stderr).toContain("units.csv:4: the header again: two files may have been joined\n")
    expect(stderr).toContain("1 bad row")
  })

  it("columns with names that are not known, of both files", async () => {
    const files = {
      "units.csv": "Ref,Northing (lat),Lon in degrees\nLA-12-A03-BG-07,6.6,3.5\n",
      "places.csv": "LGA code;Official name;Note\nLA;Lagos;\nLA-12;Ikorodu;\n"
    }
    const { stderr } = await build(files)
    expect(stderr).toContain(
      "; name each with --column postcode=NAME --column 'lat=Northing (lat)' --column 'lon=Lon in degrees'\n"
    )
    expect(stderr).toContain("places.csv:1: header: no column code, name; ")
    expect(stderr).toContain("; name each with --column 'code=LGA code' --column 'name=Official name'\n")
    const named = ["postcode=Ref", "lat=Northing (lat)", "lon=3", "code=LGA code", "name=Official name"]
    const built = await build(files, ...named.map((column) => `--column=${column}`))
    expect(built.json).toMatchObject({ units: 1, bad_rows: 0, warnings: {} })
  })

  it("a folder with other files", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, { "places.csv": places, "register.csv": units })
    expect((await run(["import", folder.path, "--preview"])).stderr).toContain("; it has places.csv, register.csv\n")
  })

  it("two files, either of which may be meant", async () => {
    const { code, stderr } = await build({ "units (1).csv": units, "units (2).csv": units })
    expect(stderr).toMatch(/ has no units.csv, but units \(1\).csv, units \(2\).csv: name the one to read units.csv\n/)
    expect(code).toBe(1)
  })
})

describe("a directory is read in the form that it has", () => {
  const quoted = [header, ...rows].map((row) => `"${row.replaceAll(",", '";"')}"\n`).join("")
  it.each<readonly [what: string, files: Files, units: number]>([
    ["semicolons", { "units.csv": units.replaceAll(",", ";"), "places.csv": places.replaceAll(",", ";") }, 2],
    ["semicolons, all quoted", { "units.csv": quoted }, 2],
    ["tabs", { "units.csv": units.replaceAll(",", "\t") }, 2],
    ["a line sep=", { "units.csv": `sep=,\r\n${units}`, "places.csv": `sep=,\n${places}` }, 2],
    ["carriage returns", { "units.csv": units.replaceAll("\n", "\r"), "places.csv": places.replaceAll("\n", "\r") }, 2],
    ["UTF-16", { "units.csv": Buffer.from(`\ufeff${units}`, "utf16le") }, 2],
    ["Windows-1252", { "units.csv": Buffer.from(units.replace("Harbour", "\x96"), "latin1") }, 2],
    ["a header in capitals", { "units.csv": units.replace(header, header.toUpperCase()) }, 2],
    ["a header with blanks", { "units.csv": units.replace(header, header.replaceAll("_", " ")) }, 2],
    ["names in capitals", { "places.csv": places, "Units.CSV": units }, 2],
    ["the name of a second download", { "Units (1).csv": units }, 2],
    ["the name of a copy", { "units - Copy (2).csv": units }, 2],
    ["a name with a hidden ending", { "units.csv.txt": units }, 2],
    ["an empty surplus column", { "units.csv": units.replace("true,", "true,,,") }, 2],
    ["titles", { "units.csv": `Units of Lagos\n\n,,\n${units}` }, 2],
    [
      "blanks around values",
      { "units.csv": `${header}\n LA-12-A03-BG-07 ,\u00a06.6194 , 3.5105\u00a0, Active ,,,,,, TRUE ,\n` },
      1
    ],
    [
      "words of spreadsheets",
      { "units.csv": `${header}\nLA-12-A03-BG-07,6.6,3.5,In service,,,,,,Yes,\nLA-12-A03-BG-08,6.6,3.5,1,,,,,,0,\n` },
      2
    ],
    [
      "markers of no value",
      { "units.csv": `${header}\nLA-12-A03-BG-07,6.6,3.5,active,NULL,\\N,N/A,nan,-,null,NULL\n` },
      1
    ],
    [
      "cells kept as text",
      { "units.csv": `${header}\n"=""LA-12-A03-BG-07""",'6.6,3.5,active,"=""Ikorodu""",,,,,,\n` },
      1
    ],
    ["three columns", { "units.csv": "postcode,lat,lon\nLA-12-A03-BG-07,6.6,3.5\n" }, 1],
    ["other names", { "units.csv": "Post Code;Latitude;Longitude\nLA-12-A03-BG-07;6,6194;3,5105\n" }, 1],
    ["a point in WKT", { "units.csv": 'WKT,postcode\n"POINT (3.5105 6.6194)",LA-12-A03-BG-07\n' }, 1],
    ["both coordinates in one cell", { "units.csv": 'postcode,location\nLA-12-A03-BG-07,"6.6194, 3.5105"\n' }, 1],
    ["a table of psql", { "units.csv": psqlTable }, 1],
    ["rows without a value", { "units.csv": units.replaceAll(/(?<=\n)/g, ",,,,,,,,,,\n") }, 2],
    ["remarks", { "units.csv": `# ours\n${units}# units: 2, of Lagos\n# end\n` }, 2],
    [
      "a table of R",
      { "units.csv": 'postcode,lat,lon\n"1","LA-12-A03-BG-07",6.6,3.5\n"2","LA-12-A03-BG-08",6.6,3.5\n' },
      2
    ],
    ["markers of R", { "units.csv": units, "places.csv": places.replace("Ikorodu,", "Ikorodu,NA") }, 2],
    ["another ending", { "units.tsv": units.replaceAll(",", "\t") }, 2],
    ["degrees", { "units.csv": 'postcode,lat,lng\nLA-12-A03-BG-07,6.6194° N,"3°30\'37.8""E"\n' }, 1]
  ])("%s", async (_, files, count) => {
    const { code, json, stderr } = await build(files)
    expect(stderr).not.toContain("error")
    expect({ code, units: json?.units }).toEqual({ code: 0, units: count })
  })

  it("with the columns that are named", async () => {
    const text = "id|north|east|Post Code\nLA-12-A03-BG-09|6.6|3.5|LA-12-A03-BG-07\n"
    const named = ["--column", "lat=north", "--column", "lon=3"]
    expect((await build({ "units.csv": text }, ...named)).json).toMatchObject({ units: 1 })
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, {
      "lines.txt": "# ours\nlat=north\nlon=east\n",
      "object.json": '{"lat": "north", "lon": "east"}',
      "wrong.txt": "latitude=north\n"
    })
    for (const mapping of ["lines.txt", "object.json"]) {
      const { json } = await build({ "units.csv": text }, "--mapping", join(folder.path, mapping))
      expect(json).toMatchObject({ units: 1 })
    }
    expect((await build({ "units.csv": text }, "--mapping", join(folder.path, "wrong.txt"))).code).toBe(2)
    expect((await build({ "units.csv": text }, "--column", "lat:north")).code).toBe(2)
    const missing = await build({ "units.csv": text }, "--column", "lat=south")
    expect(missing.stderr).toContain("no column south, which lat is to be read from")
  })

  it("and refused, with what it is, if it is another format or empty", async () => {
    const workbook = Buffer.from("PK\u0003\u0004\0[Content_Types].xml xl/workbook.xml", "latin1")
    expect((await build({ "units.csv": workbook })).stderr).toContain("units.csv: the workbook is damaged: ")
    expect((await build({ "units.csv": `${header}\n` })).stderr).toContain("units.csv has no units")
    const english = await build({ "units.csv": units.replace("lat,", "breadth,") })
    expect(english.stderr).toContain(
      "header: no column lat; expected a header with postcode, lat, lon, found postcode, breadth"
    )
  })
})

describe("a directory is looked at", () => {
  const unit = (number: number, lat: number | string = 6.6, lon: number | string = 3.5) =>
    `LA-12-A03-BG-${String(number).padStart(2, "0")},${lat},${lon}`
  const many = Array.from({ length: 20 }, (_, number) => unit(number, (6.6 + number / 1e4).toFixed(4)))
  const directory = (...others: ReadonlyArray<string>) => ({
    "units.csv": `postcode,lat,lon\n${[...many, ...others].join("\n")}\n`
  })

  it.each([
    ["null_island", unit(50, 0, 0), 1],
    ["null_island", unit(50, "0.0004", "-0.0009"), 1],
    ["exchanged", unit(50, 3.5, 6.6), 1],
    ["outside", unit(50, 48.1, 11.5), 1],
    ["outside", unit(50, -6.6, 3.5), 1],
    ["far_from_area", unit(50, 9.6, 3.5), 1],
    ["far_from_area", unit(50, 6.65, 3.5), 1],
    ["unnamed_place", "KN-01-A03-BG-01,12,8.5", 2],
    ["unnamed_place", "LA-13-A03-BG-01,6.6,3.5", 1]
  ])("%s: %s", async (kind, row, count) => {
    const { code, json, stderr } = await build(directory(row))
    expect(stderr).toContain(`warning: ${count} ${kind}, `)
    if (kind !== "unnamed_place") expect(stderr).toContain(": line of units.csv 22\n")
    expect({ code, warnings: json?.warnings }).toEqual({ code: 0, warnings: { [kind]: count } })
  })

  it("a unit is not far from others of which nobody knows where they are", async () => {
    const nowhere = Array.from({ length: 20 }, (_, number) => unit(number, 0, 0))
    const { json } = await build({ "units.csv": `postcode,lat,lon\n${unit(50)}\n${nowhere.join("\n")}\n` })
    expect(json.warnings).toEqual({ null_island: 20 })
  })

  it("and nothing is found in one that fits", async () => {
    expect((await build(directory())).json.warnings).toEqual({})
    const short = `postcode,lat,lon\n${unit(50)}\n${many.join("\n")}`
    for (const end of ["", "\n", "\n\n", `\n${",,\n".repeat(20)}`])
      expect((await build({ "units.csv": short + end })).json.warnings).toEqual({})
  })

  it.each([
    ["a coordinate that is cut off", `\n${unit(50, "6.6194", "3.5105")}\n${unit(51, "6.6195", "3.5")}`],
    ["many empty rows", `\n${",,\n".repeat(21)}`],
    ["many blank lines", "\n".repeat(30)]
  ])("the file ends in %s", async (_, end) => {
    const text = `postcode,lat,lon\n${many.join("\n")}${end}`
    const { json, stderr } = await build({ "units.csv": text })
    expect(json.warnings).toEqual({ cut_off: 1 })
    expect(stderr).toContain("warning: 1 cut_off, ")
    expect((await build({ "units.csv": text }, "--strict")).code).toBe(1)
  })

  it("more than 50 units at one point, and successors that lead nowhere", async () => {
    const crowd = Array.from({ length: 51 }, (_, number) => unit(number + 30))
    expect((await build(directory(...crowd))).json.warnings).toEqual({ crowded: 1 })
    const retired = (number: number, successor: string) => `LA-12-A03-BG-${number},6.6,3.5,retired,${successor}`
    const circle = [retired(60, "LA-12-A03-BG-61"), retired(61, "LA-12-A03-BG-60"), retired(62, "")]
    const text = `postcode,lat,lon,status,replaced_by\n${circle.join("\n")}\n`
    expect((await build({ "units.csv": text })).json.warnings).toEqual({ no_successor: 1, successor_circle: 2 })
  })

  describe("by where the states of Nigeria are, if places.csv does not say it", () => {
    const kano = { "places.csv": "code,name\nKN,Kano\nKN-01,Ajingi\nKN-02,Albasu\n" }
    const warningsOf = async (axes: string, places = kano) => {
      const rows = Array.from({ length: 60 }, (_, at) => {
        const degrees = [11.9 + (at * 137) / 1e5, 8.7 + (at * 359) / 1e5].map((value) => value.toFixed(7))
        return `KN-0${1 + (at % 2)}-A01-BG-${String(at).padStart(2, "0")},${degrees.join(",")}`
      })
      return (await build({ ...places, "units.csv": `postcode,${axes}\n${rows.join("\n")}\n` })).json?.warnings
    }

    it("a state that is exchanged as a whole, and far away from itself", async () => {
      expect(await warningsOf("lat,lon")).toEqual({})
      expect(await warningsOf("lon,lat")).toEqual({ exchanged: 60 })
    })

    it("not of states of other names", async () => {
      const other = { "places.csv": kano["places.csv"].replace("Kano", "Knoxland") }
      expect(await warningsOf("lon,lat", other)).toEqual({})
    })
  })

  it.each([
    ["5.1", "7.3", "lat is rounded to 0.1 degrees, lon is rounded to 0.1 degrees"],
    ["5.106", "7.34", "lat is rounded to 0.001 degrees, lon is rounded to 0.01 degrees"],
    ["5.1067820", "7", "lon is rounded to 1 degrees"],
    ["6.3507", "3.3036", "lat may be in minutes and seconds, lon may be in minutes and seconds"],
    ["5.1067", "7.3417", undefined]
  ])("coordinates such as %s and %s", async (lat, lon, fault) => {
    const step = (text: string, at: number) => {
      const decimals = text.split(".")[1]?.length ?? 0
      // Seconds from 0 to 59, and other last digits from 0 to 99.
      const moved = text.startsWith("6.35") || text.startsWith("3.30") ? (at * 7) % 24 : (at * 31) % 100
      return (Number(text) + moved / 10 ** decimals).toFixed(decimals)
    }
    const rows = Array.from({ length: 120 }, (_, at) =>
      unit(at % 60, step(lat, at), step(lon, at)).replace("BG", at < 60 ? "BG" : "BH")
    )
    const { stderr } = await build({ "units.csv": `postcode,lat,lon\n${rows.join("\n")}\n` })
    if (fault === undefined) expect(stderr).not.toContain("imprecise")
    else expect(stderr).toContain(`imprecise, coordinates with too few decimals, or not in decimal degrees: ${fault}\n`)
  })

  it("a file that may be cut off", async () => {
    const states = "code,name\nLA,Lagos\nLA-12,Ikorodu\nKN,Kano\nOG,Ogun\n"
    const { stderr } = await build({ ...directory(), "places.csv": states })
    expect(stderr).toContain("2 of 3 states have no unit")
  })

  it("in a preview, which needs no database", async () => {
    await using folder = await temporaryFolder()
    const text = `Post Code;Latitude;Longitude;Active\n${many.map((row) => `${row.replaceAll(",", ";")};yes`).join("\n")}\nx;1;2;3\n`
    await writeFiles(folder.path, { "places.csv": places, "units.csv": text })
    const { code, stderr, stdout } = await run(["import", folder.path, "--preview"])
    expect(stdout.split("\n").slice(0, 6)).toEqual([
      "COLUMN    IN THE FILE",
      "postcode  Post Code",
      "lat       Latitude",
      "lon       Longitude",
      "status    Active",
      ""
    ])
    expect(stdout).toContain("LA-12-A03-BG-09,6.6009,3.5,active,,,,,,,\n20 units, 1 bad row, 0 warnings")
    expect(stderr).toContain("units.csv:22: postcode: ")
    expect(code).toBe(0)
    const json = await run(["import", folder.path, "--preview", "--json"])
    expect(JSON.parse(json.stdout)).toMatchObject({
      columns: { lat: "Latitude" },
      units: 20,
      bad_rows: 1,
      warnings: {}
    })
  })

  it("with bad rows in a file that can be mended", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "bad.csv")
    const bad = ['LA-12-A03-BG-90,6,3,"a, b"', "LA-12-A03-BG-91,x,3.5,c", "LA-12-A03-BG-92,6.6", 'LA-12,6,3,"a"b']
    const text = `postcode,lat,lon,address\n${unit(1)},\n${bad.join("\n")}\n`.replace("90,6", "9X,6")
    const { stderr } = await build({ "units.csv": text }, "--bad-rows", path)
    expect(stderr).toContain("4 bad rows")
    const repeated = await build(
      { "units.csv": `postcode,lat,lon\n${unit(1)}\n${unit(1)}\n` },
      "--bad-rows",
      `${path}.2`
    )
    expect(repeated.code).toBe(1)
    expect(await readFile(`${path}.2`, "utf8")).toBe(
      `postcode,lat,lon,line,reason\n${unit(1)},3,postcode: repeats LA-12-A03-BG-01 of line 2\n`
    )
    const written = (await readFile(path, "utf8")).split("\n")
    expect(written[0]).toBe("postcode,lat,lon,address,line,reason")
    expect(written[1]).toMatch(/^LA-12-A03-BG-9X,6,3,"a, b",3,unit|^LA-12-A03-BG-9X,6,3,"a, b",3,postcode: unit/)
    expect(written[2]).toMatch(/^LA-12-A03-BG-91,x,3\.5,c,4,"lat: /)
    expect(written[3]).toMatch(/^LA-12-A03-BG-92,6\.6,,,5,/)
    expect(written[4]).toMatch(/^"LA-12,6,3,""a""b",,,,6,/)
    const mended = written.slice(0, 3).join("\n").replace("9X", "90").replace(",x,", ",6.6,")
    expect((await build({ "units.csv": `${mended}\n` })).json).toMatchObject({ units: 2 })
  })

  it("with the bad rows mended in their own file, in place of those in the files", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "bad.csv")
    const text = `postcode,lat,lon,address\n${unit(1)},"a, b"\nLA-12-A03-BG-9X,6.6,3.5,c\n${unit(1)},"d\ne"\n${unit(2)},\n`
    await build({ "units.csv": text }, "--bad-rows", path)
    const rows = await readFile(path, "utf8")
    expect(rows).toContain(`${unit(1)},"d\ne",4,postcode: repeats LA-12-A03-BG-01 of line 2\n`)
    const mend = async (mended: string) => {
      await writeFiles(folder.path, { "mended.csv": mended })
      return await build({ "units.csv": text }, "--mended", join(folder.path, "mended.csv"))
    }
    const first = await mend(rows.replace("9X", "90"))
    expect(first.stderr).toContain("units.csv:4: postcode: repeats LA-12-A03-BG-01 of line 2\n")
    const all = rows.replace("9X", "90").replace(`${unit(1)},"d`, `${unit(3)},"d`)
    const built = await mend(`\ufeff${all.replaceAll(",", ";").replaceAll("\n", "\r\n")}`)
    expect(built.json).toMatchObject({ units: 4, bad_rows: 0 })
    expect((await mend("postcode,lat,lon\n")).stderr).toContain("no column line")
    expect((await mend(`postcode,lat,lon,line\n${unit(3)},x\n`)).stderr).toContain("line 2: line: expected the number")
    expect((await mend(`postcode,lat,lon,line\n${unit(3)},40\n`)).stderr).toContain(
      "units.csv:40: a row was mended, but the file has none on this line\n"
    )
  })

  it("with --report, --strict and --drop", async () => {
    await using folder = await temporaryFolder()
    const report = join(folder.path, "report.csv")
    const files = directory(unit(50, 0, 0), unit(51, 3.5, 6.6))
    const strict = await build(files, "--report", report, "--strict")
    expect(strict).toMatchObject({ code: 1, stderr: expect.stringContaining("--strict: there are 2 warnings") })
    expect(await readFile(report, "utf8")).toBe(
      [
        "line,postcode,kind,detail",
        '22,LA-12-A03-BG-50,null_island,"lat 0, lon 0"',
        '23,LA-12-A03-BG-51,exchanged,"lat 3.5, lon 6.6"',
        ""
      ].join("\n")
    )
    const dropped = await build(files, "--drop", "implausible")
    expect(dropped.stderr).toContain("--drop: 2 units are left out")
    expect(dropped.json).toMatchObject({ units: 20, warnings: {} })
    expect((await build(files, "--drop", "all")).code).toBe(2)
  })
})

describe("a directory in workbooks", () => {
  const sheet = async (path: string, rows: ReadonlyArray<ReadonlyArray<WrittenCell>>) => {
    const all = async function* () {
      yield* rows
    }
    await writeWorkbook(all(), path, new AbortController().signal)
  }
  const titled = [["Units of Lagos"], [], ["Post Code", "Latitude", "Longitude"], ["LA-12-A03-BG-07", 6.6194, 3.5105]]

  it("is read beside places.csv, with the headers that people write", async () => {
    await using folder = await temporaryFolder()
    await writeFiles(folder.path, { "places.csv": places })
    await sheet(join(folder.path, "Units.xlsx"), titled)
    const output = join(folder.path, "out.snapshot")
    const built = await run(["snapshot", "build", folder.path, "-o", output, "--json"])
    expect(built.stderr).toContain("Units.xlsx: read as: header in line 3, 3 columns")
    expect(JSON.parse(built.stdout)).toMatchObject({ units: 1, warnings: {} })
    const outside = await run(["import", folder.path, "--preview", "--sheet", "Sheet1"])
    expect(outside.stderr).toContain("Units.xlsx (sheet Sheet1): read as: header in line 3, 3 columns")
    const lacking = await run(["import", join(folder.path, "Units.xlsx"), "--preview"])
    expect(lacking.stderr).toContain('no sheet places and no sheet units; its only sheet is "Sheet1": name')
    expect(lacking).toMatchObject({ code: 2, stderr: expect.stringContaining("the workbook has no sheet places") })
  })
})

describe("a directory in GeoJSON", () => {
  const feature = (code: string, coordinates: ReadonlyArray<number>, more: object = {}) =>
    JSON.stringify({
      type: "Feature",
      geometry: { type: "Point", coordinates },
      properties: { "Post Code": code, ...more }
    })
  const codeOf = (number: number) => `LA-12-A03-BG-${String(number).padStart(2, "0")}`
  const numbers = Array.from({ length: 30 }, (_, at) => at)

  it("is read from a collection, or from a feature on each line, with places.csv", async () => {
    const [one, two] = [
      feature(codeOf(1), [3.51, 6.61], { status: "Active" }),
      feature(codeOf(2), [3.52, 6.62], { status: "Retired" })
    ]
    const collection = `{"type":"FeatureCollection","features":[${one},${two}]}`
    for (const [name, text] of [
      ["Units.geojson", collection],
      ["units.geojsonl", `${one}\n${two}\n`]
    ] as const) {
      const { json, stderr } = await build({ [name]: text })
      expect(json, stderr).toMatchObject({ units: 2, bad_rows: 0 })
    }
    const polygon = one.replace('"Point"', '"Polygon"')
    const refused = await build({ "units.geojson": polygon })
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("units.geojson: line 1: a Polygon: expected")
    })
  })

  it("as programs for maps write it", async () => {
    const multiple = feature(codeOf(1), [3.51, 6.61])
      .replace('"Point"', '"MultiPoint"')
      .replace("[3.51,6.61]", "[[3.51,6.61,12]]")
    const [none, two] = [
      feature(codeOf(2), []).replace(/"geometry":\{[^}]*\}/, '"geometry":null'),
      feature(codeOf(3), [3.5, 6.6])
    ]
    const crs = (name: string) => `"crs": { "type": "name", "properties": { "name": "${name}" } }`
    const collection = (name: string) =>
      `\ufeff{"type":"FeatureCollection",\n${crs(name)},\n"features":[\n${[multiple, none, two].join(",\n")}]}`
    const read = await build({ "units.json": collection("urn:ogc:def:crs:OGC:1.3:CRS84") }, "--skip-bad-rows")
    expect(read.json, read.stderr).toMatchObject({ units: 2, bad_rows: 1 })
    expect(read.stderr).toContain(
      "units.json:3: lat: expected a decimal number of degrees from -90 to 90, found nothing"
    )
    const metres = await build({ "units.geojson": collection("urn:ogc:def:crs:EPSG::3857") })
    expect(metres.stderr).toContain("its coordinates are those of urn:ogc:def:crs:EPSG::3857: export it with degrees")
    const sequence = [multiple, two].map((json) => `\u001e${json}\n`).join("")
    expect((await build({ "units.geojsons": sequence })).json).toMatchObject({ units: 2 })
  })

  it("with a warning if all of its coordinates are exchanged", async () => {
    const lines = numbers.map((number) => feature(codeOf(number), [6.6 + number / 1e4, 3.5 + number / 1e4]))
    const { json } = await build({ "units.geojsonl": lines.join("\n") })
    expect(json).toMatchObject({ units: 30, warnings: { exchanged: 30 } })
  })
})

describe("places.csv may have a point or a box of each place", () => {
  const row = (number: number, lat: number, lon: number, address = "") =>
    `LA-12-A03-BG-${String(number).padStart(2, "0")},${lat},${lon},${address}`
  const files = (place: string, ...rows: ReadonlyArray<string>) => ({
    "places.csv": `code,name,zone,lat,lon,south,west,north,east\nLA,Lagos,South West,,,,,,\nLA-12,Ikorodu,,${place}\n`,
    "units.csv": `postcode,lat,lon,address\n${rows.join("\n")}\n`
  })

  it.each([["6.6,3.5,,,,"], [",,6.5,3.4,6.7,3.6"], ['"6,6",3.5° E,6.5,3.4,6.7,3.6']])("%s", async (place) => {
    // All units are far away, so that none is far from the others.
    const away = await build(files(place, ...[1, 2, 3, 4, 5, 6].map((n) => row(n, 11.9, 13.1 + n / 1e4))))
    expect(away.json?.warnings).toEqual({ far_from_place: 6 })
    const exchanged = await build(files(place, ...[1, 2].map((n) => row(n, 3.5, 6.6))))
    expect(exchanged.json?.warnings).toEqual({ exchanged: 2 })
    expect((await build(files(place, row(1, 6.6, 3.5)))).json?.warnings).toEqual({})
  })

  it.each([["6.6,,,,,"], ["x,3.5,,,,"], [",,6.7,3.4,6.5,3.6"], [",,6.5,3.4,,"]])("and %s is refused", async (place) => {
    expect((await build(files(place, row(1, 6.6, 3.5)))).stderr).toContain(
      "places.csv:3: the location: expected lat and lon"
    )
  })

  it("an address is reported if two buildings cannot have it", async () => {
    const rows = [
      row(1, 6.6, 3.5, "7 Harbour Road"),
      row(2, 6.6, 3.5, "7 harbour road."),
      row(3, 6.62, 3.5, "7 Harbour Road"),
      row(4, 6.6, 3.5, "Ikorodu Primary School"),
      row(5, 6.6, 3.5, "Ikorodu Primary School"),
      row(6, 6.62, 3.5, "Ikorodu Primary School"),
      row(7, 6.6, 3.5, ""),
      row(8, 6.6, 3.5, "")
    ]
    await using folder = await temporaryFolder()
    const report = join(folder.path, "report.csv")
    expect((await build(files(",,,,,", ...rows), "--report", report)).json?.warnings).toEqual({ repeated_address: 2 })
    expect((await readFile(report, "utf8")).split("\n").slice(1, 3)).toEqual([
      '4,LA-12-A03-BG-03,repeated_address,"the address of LA-12-A03-BG-01, 2.2 km away"',
      '6,LA-12-A03-BG-05,repeated_address,"the address of LA-12-A03-BG-04, 0.0 km away"'
    ])
  })
})

describe("what databases and reports add", () => {
  it("totals and a footer, which the preview and the build name", async () => {
    await using folder = await temporaryFolder()
    const text = `${units}Total,2\n\nGenerated by PostOffice 2.1 at 29/11/2026\n`
    const note =
      'units.csv: lines 4, 6 are no rows but totals or a footer: "Total", "Generated by PostOffice 2.1 at 29/11/2026"\n'
    const built = await build({ "units.csv": text })
    expect(built.json).toMatchObject({ units: 2, bad_rows: 0 })
    expect(built.stderr).toContain(note)
    await writeFiles(folder.path, { "places.csv": `${places}2 rows selected.\n`, "units.csv": text })
    const preview = await run(["import", folder.path, "--preview"])
    expect(preview.stderr).toContain(note)
    expect(preview.stderr).toContain('places.csv: line 4 is no row but a total or a footer: "2 rows selected."\n')
    expect(preview.stdout).toContain("2 units, 0 bad rows")
  })

  it("tabs in texts, escaped by backslashes", async () => {
    const text = [
      "postcode\tlat\tlon\tstatus\tlocality_name\trecent_address",
      "LA-12-A03-BG-07\t6.6194\t3.5105\tactive\tShop\\\tNorth\t\\N",
      "LA-12-A03-BG-08\t6.6196\t3.5107\tactive\tBack\\\\slash\tTwo\\\nlines",
      ""
    ].join("\n")
    const { json, stderr } = await build({ "units.csv": text })
    expect(json).toMatchObject({ units: 2, bad_rows: 0 })
    expect(stderr).toContain("units.csv: read as: UTF-8, tab, delimiters and line ends escaped by backslashes")
  })

  it.each([
    ["of PostGIS", "0101000020E61000002FDD240681150C40D1915CFE437A1A40"],
    ["without a reference system", "01010000002FDD240681150C40D1915CFE437A1A40"],
    ["in the other order of bytes", "0020000001000010E6400C15810624DD2F401A7A43FE5C91D1"]
  ])("a point in binary, %s", async (_, geom) => {
    const { json } = await build({ "units.csv": `postcode,geom,active\nLA-12-A03-BG-07,${geom},-1\n` })
    expect(json).toMatchObject({ units: 1, active_units: 1, warnings: {} })
  })

  it.each([
    ["of ArcGIS", "OBJECTID,POSTCODE,STATUS,POINT_X,POINT_Y", "1,LA-12-A03-BG-07,Active,3.5105,6.6194"],
    [
      "of KoboToolbox",
      "start,survey/postcode,survey/location,_survey/location_latitude,_survey/location_longitude",
      "2026-11-01,LA-12-A03-BG-07,6.6194 3.5105 40.1 4.8,6.6194,3.5105"
    ],
    [
      "that say what they belong to",
      "Unit Postcode,GPS Location (Latitude),GPS Location (Longitude)",
      "LA-12-A03-BG-07,N6 37.164,E3 30.63"
    ]
  ])("columns %s", async (_, header, row) => {
    const { json } = await build({ "units.csv": `${header}\n${row}\n` })
    expect(json).toMatchObject({ units: 1, active_units: 1, warnings: {} })
  })

  it("columns of two places are not guessed", async () => {
    const units = "postcode,from_latitude,from_longitude,to_latitude,to_longitude\nLA-12-A03-BG-07,6.6,3.5,6.7,3.5\n"
    expect((await build({ "units.csv": units })).stderr).toContain("no column lat, lon")
  })

  it("a point in another reference system is a bad row", async () => {
    const geom = "01010000202A0F00002FDD240681150C40D1915CFE437A1A40"
    expect((await build({ "units.csv": `postcode,geom\nLA-12-A03-BG-07,${geom}\n` })).stderr).toContain("lat: expected")
  })
})
