// Customer files as spreadsheets, databases and mail programs write them.
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"
import { validationDirectory } from "./ValidationDirectory.ts"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let directory = ""
beforeAll(async () => {
  folder = await temporaryFolder()
  directory = join(folder.path, "directory")
  await writeFiles(directory, validationDirectory)
})
afterAll(() => folder[Symbol.asyncDispose]())

let files = 0
const validate = async (content: string | Uint8Array, ...args: ReadonlyArray<string>) => {
  const name = `${++files}.csv`
  await writeFiles(folder.path, { [name]: content })
  const file = join(folder.path, name)
  const { code, stderr, stdout } = await run(["validate", "--directory", directory, file, ...args])
  return { code, stdout, stderr: stderr.replaceAll(file, "FILE") }
}

/** The result of the first row, as JSON. */
const firstOf = async (content: string | Uint8Array, ...args: ReadonlyArray<string>) => {
  const { stderr, stdout } = await validate(content, "--json-lines", ...args)
  expect(stdout, stderr).not.toBe("")
  return JSON.parse(stdout.split("\n")[0] as string)
}

const code = "LA-12-A03-BG-07"

describe("what mail programs, shells and wrong encodings made of a file", () => {
  it("quoted-printable is decoded, also if a chunk ends within an escape", async () => {
    const content = `id,name,notes,postcode\r\n1,Ad=C3=A9b=C3=A1y=E1=BB=8D,a=3Db and more for the notes=\r\n of a customer,LA-12-A=\r\n03-BG-07\r\n`
    const { code: exit, stderr, stdout } = await validate(content)
    expect(stdout).toContain(`1,Adébáyọ,a=b and more for the notes of a customer,${code},valid,`)
    expect(stderr).toContain("FILE: read as: quoted-printable, as mails have attachments\n")
    expect(exit).toBe(0)
    const large = content + `2,=C3=A9,${"=C3=A9".repeat(6)},${code}\r\n`.repeat(6_000)
    const many = await validate(large)
    expect(many.stdout.match(/é{6},LA/g)).toHaveLength(6_000)
  })

  it("not a file with equals signs", async () => {
    expect((await firstOf(`id,zip,x\n1,="${code}",a=3D\n`)).fields[2]).toBe("a=3D")
  })

  it.each([
    ["\u00b6", "\u00b6"],
    ["\u2003", "em spaces"],
    ["\u00a6", "\u00a6"]
  ])("%s between fields", async (sign, name) => {
    const { stderr, stdout } = await validate(`id,x|zip|town\n1|${code}|Ikorodu, Lagos\n`.replaceAll("|", sign))
    expect(stdout).toContain(`\n1\t${code}\tIkorodu, Lagos\tvalid\t`)
    expect(stderr).toContain(`its fields are separated by ${name}: read with tabs in their place`)
  })

  it("not a sign that some lines have in a text", async () => {
    expect((await validate(`id,zip\n1 \u00b6,${code}\n2,${code}\n`)).stderr).not.toContain("separated")
  })

  it.each([
    ["Adébáyò", "AdÃ©bÃ¡yÃ²"],
    ["Ọláyẹmí", "á»ŒlÃ¡yáº¹mÃ\u00ad"],
    ["a – b", "â€“"]
  ])("%s that was read in another encoding is told", async (_, garbled) => {
    const { stderr } = await validate(`id,name,zip\n1,${garbled},${code}\n`)
    expect(stderr).toMatch(/FILE: warning: texts such as ".+" are UTF-8 that was read in another encoding: export/)
    expect((await validate(`id,name,zip\n1,São Tomé «está» Ẹ̀kọ́ Ã,${code}\n`)).stderr).not.toContain("another encoding")
  })

  it.each(["-[ RECORD 1 ]----\nzip | x\n", `${"*".repeat(27)} 1. row ${"*".repeat(27)}\n zip: x\n`])(
    "%#",
    async (text) => {
      expect((await validate(text)).stderr).toContain("this has one line for each field, as psql writes with \\x")
    }
  )
})

describe("a cell that was changed on the way has its postcode as a candidate, and the reason", () => {
  const garbled = "LAâ€“12â€“A03â€“BGâ€“07"
  it.each([
    ["LA&#8211;12&#8211;A03&#8211;BG&#8211;07", "the cell has signs of HTML"],
    [`&nbsp;${code}`, "the cell has signs of HTML"],
    [garbled, "the cell is garbled: UTF-8 was read in another encoding"],
    ["LAÃ¢â‚¬â€œ12Ã¢â‚¬â€œA03Ã¢â‚¬â€œBGÃ¢â‚¬â€œ07", "the cell is garbled: UTF-8 was read in another encoding"],
    ["LA-12-A03-BG-7", "leading zeros are missing"]
  ])("%s", async (cell, reason) => {
    expect(await firstOf(`id,zip\n1,${cell}\n`)).toMatchObject({ status: "malformed", reason, candidates: [code] })
  })

  it("both zeros", async () => {
    const { candidates } = await firstOf("id,zip\n1,la-2-a03-bg-7\n")
    expect(candidates).toEqual(["LA-02-A03-BG-07"])
  })

  it.each([
    ["01-Apr-2026", "a date is not a postcode; a spreadsheet may have changed it"],
    ["2026-04-01 00:00:00", "a date is not a postcode; a spreadsheet may have changed it"],
    ["1/4/26", "a date is not a postcode; a spreadsheet may have changed it"],
    ["########", "the column was too narrow when a spreadsheet saved it"]
  ])("%s is none", async (cell, reason) => {
    expect(await firstOf(`id,zip\n1,${cell}\n`)).toMatchObject({ status: "malformed", reason, candidates: [] })
  })
})

describe("a file is read in the form that it has", () => {
  const utf16be = (text: string) => Buffer.from(text, "utf16le").swap16()
  const title = "Branches, as of March\r\n;;\r\n"
  it.each<readonly [what: string, content: string | Uint8Array, found: string | undefined]>([
    ["every field quoted, semicolons", `"id";"zip"\n"1";"${code}"\n`, "UTF-8, semicolon, header in line 1, 2 columns"],
    ["every field quoted, tabs", `"id"\t"zip"\n"1"\t"${code}"\n`, "UTF-8, tab, header in line 1, 2 columns"],
    ["bars", `id|zip\n1|${code}\n`, "UTF-8, bar, header in line 1, 2 columns"],
    [
      "semicolons, with commas in names",
      `name, first;zip\nOkoro, Ada;${code}\nBello;x\n`,
      "UTF-8, semicolon, header in line 1, 2 columns"
    ],
    ["a line sep=", `sep=;\r\nid;zip\r\n1;${code}\r\n`, "UTF-8, semicolon, header in line 2, 2 columns"],
    ["a line sep= in quotes", `"sep=|"\nid|zip\n1|${code}\n`, "UTF-8, bar, header in line 2, 2 columns"],
    ["UTF-16", Buffer.from(`\ufeffid\tzip\r\n1\t${code}\r\n`, "utf16le"), "UTF-16, tab, header in line 1, 2 columns"],
    ["UTF-16 of the other order", utf16be(`\ufeffid,zip\n1,${code}\n`), "UTF-16, comma, header in line 1, 2 columns"],
    [
      "UTF-16 without a mark",
      Buffer.from(`id,zip\n1,${code}\n`, "utf16le"),
      "UTF-16, comma, header in line 1, 2 columns"
    ],
    [
      "Windows-1252",
      Buffer.from(`name;zip\nZoé – 1;${code}\n`.replace("–", "\x96"), "latin1"),
      "Windows-1252, semicolon, header in line 1, 2 columns"
    ],
    ["carriage returns", `id,zip\r1,${code}\r`, "UTF-8, comma, lines that end with CR, header in line 1, 2 columns"],
    ["a title, and an empty row", `${title}id;zip\r\n1;${code}\r\n`, "UTF-8, semicolon, header in line 3, 2 columns"],
    ["blanks before quotes", `id, "zip"\n"1", "${code}"\n`, undefined],
    ["a header with other blanks", `id,ZIP\u00a0Code \n1,${code}\n`, undefined],
    ["the end of file of DOS", `id,zip\r\n1,${code}\r\n\u001a`, undefined],
    ["empty fields beyond the header", `id,zip\n1,${code},, ,\n`, undefined],
    ["quotes escaped by backslashes", `id,name,zip\n1,"The \\"Big\\" Shop",${code}\n`, undefined],
    ["a quote that is escaped at the end", `id,name,zip\n1,"Say \\"a, b\\"",${code}\n`, undefined],
    ["the text format of a spreadsheet", `id,zip\n1,"=""${code}"""\n`, undefined],
    ["quotes within a field", `id,name,zip\n1,19" Rims,${code}\n`, undefined],
    ["quotes within a quoted field", `id,name,zip\n1,"Mama "Put" Kitchen",${code}\n`, undefined],
    ["an unquoted text format", `id,zip\n1,="${code}"\n`, undefined],
    [
      "Mac OS Roman",
      Buffer.from(`name,zip\rJos\x8e,${code}\r`, "latin1"),
      "Mac OS Roman, comma, lines that end with CR, header in line 1, 2 columns"
    ],
    [
      "a list of SAP",
      `List\n\n-----------\n|No |Postal Code     |\n-----------\n|001|${code} |\n-----------\n`,
      "UTF-8, bar, header in line 4, 4 columns"
    ],
    [
      "a table of MySQL",
      `+---+---+\n| id | zip |\n+---+---+\n| 1 | ${code} |\n+---+---+\n1 row in set (0.00 sec)\n`,
      "UTF-8, bar, header in line 2, 4 columns"
    ],
    ["a remark at the end", `id,zip\n1,${code}\n# end of the list\n`, undefined],
    ["rows without a value", `id,zip\n1,${code}\n,\n,\n`, undefined],
    [
      "a table of R",
      `"id"\t"zip"\n"1"\t7\t"${code}"\n"2"\t8\t"${code}x"\n`,
      "UTF-8, tab, header in line 1, 3 columns, no name of the first column"
    ],
    ["a result of sqlcmd", `id,zip\n--,---------------\n 1,${code}\n\n(1 row affected)\n`, undefined],
    [
      "a table of MySQL with tabs, escaped by backslashes",
      `id\tname\tzip\n1\tShop\\\tNorth\t${code}\n`,
      "UTF-8, tab, delimiters and line ends escaped by backslashes, header in line 1, 3 columns"
    ],
    [
      "a table of PostgreSQL",
      `id\tname\tzip\n1\t"Mama" Put\t${code}\n2\t\\N\tLA\\t\n\\.\n`,
      "UTF-8, tab, delimiters and line ends escaped by backslashes, header in line 1, 3 columns"
    ],
    ["a rare delimiter", `id^zip\n1^${code}\n`, "UTF-8, delimiter ^, header in line 1, 2 columns"],
    ["a header in German", `Nr;PLZ\n1;${code}\n`, "UTF-8, semicolon, header in line 1, 2 columns"],
    ["a header in French", `N°;Code postal\n1;${code}\n`, "UTF-8, semicolon, header in line 1, 2 columns"],
    ["a formula without quotes", `id,zip\n1,=${code}\n`, undefined],
    ["characters that nobody sees", `id,zip\n1,\u202d\u200b${code}\u200e\u202c\n`, undefined],
    ["a soft hyphen", `id,zip\n1,LA\u00ad-12-A03-BG-07\n`, undefined],
    ["wide letters", `id,zip\n1,ＬＡ１２Ａ０３ＢＧ０７\n`, undefined],
    ["an apostrophe before the code", `id,zip\n1,'${code}\n`, undefined]
  ])("%s", async (_, content, found) => {
    const { code: exit, stderr, stdout } = await validate(content)
    expect(stdout).toContain(`valid`)
    expect(stderr).toContain("1 valid")
    expect(stderr.split("\n")[0]).toBe(found === undefined ? stderr.split("\n")[0] : `FILE: read as: ${found}`)
    if (found === undefined) expect(stderr).not.toContain("read as")
    expect(exit).toBe(stderr.includes("0 malformed") && !stderr.includes("1 not_found") ? 0 : 1)
  })

  it("with lines that end in CR alone and are longer than 1 MiB together", async () => {
    const row = `1,${"x".repeat(100)},${code}\r`
    const { code: exit, stderr } = await validate(gzipSync(`id,name,zip\r${row.repeat(12_000)}`))
    expect(stderr).toContain("12,000 valid")
    expect(exit).toBe(0)
  })

  it("with --skip-lines, where no column has a known name", async () => {
    const text = `a report\nby someone\nkey;where\n1;${code}\n`
    const { code: exit, stdout } = await validate(text, "--skip-lines", "2", "--column", "where")
    expect(exit).toBe(0)
    expect(stdout.split("\n").slice(0, 3)).toEqual([
      "a report",
      "by someone",
      "key;where;status;canonical_postcode;reason;candidates;replaced_by"
    ])
  })

  it("keeps blank lines, and a line sep=, before the header", async () => {
    expect((await validate(`\n\nid,zip\n\n1,${code}\n`)).stdout).toMatch(/^\n\nid,zip,status.*\n\n1,/)
    expect((await validate(`sep=;\nid;zip\n1;${code}\n`)).stdout).toMatch(/^sep=;\nid;zip;status/)
  })

  it("writes UTF-8, and a mark if the file had one", async () => {
    const { stdout } = await validate(Buffer.from(`\ufeffnom;zip\r\nZoé;${code}\r\n`, "utf16le"))
    expect(stdout).toMatch(/^\ufeffnom;zip;status.*\r\nZoé;LA/)
    const ansi = await validate(Buffer.from(`nom;zip\nZoé;${code}\n`, "latin1"))
    expect(ansi.stdout).toContain("Zoé;")
    expect(ansi.stderr).toContain("warning: it is not UTF-8, so it is read as Windows-1252")
    const late = Buffer.from(`zip,nom\n${`${code},Ada\n`.repeat(6_000)}${code},Zoé\n`, "latin1")
    const found = await validate(late)
    expect(found.stdout).toContain(`${code},Zoé,`)
    expect(found.stderr).toContain("read as Windows-1252")
  })
})

it("says that the header comes again, and what a number with decimals is", async () => {
  const { stderr, stdout } = await validate(`id,zip\n1,${code}\nid,zip\n2,100001.0\n`)
  expect(stderr).toContain("FILE:3: this is the header again: two files may have been joined\n")
  expect(stdout).toContain('2,100001.0,malformed,,"six digits are a code of the former postal system, and no postcode"')
})

it("copies the lines of a table that are no rows", async () => {
  const lines = ["+----+-----+", "| id | zip |", "+----+-----+", `| 1 | ${code} |`, "+----+-----+", "1 row in set"]
  const { stdout } = await validate(`${lines.join("\n")}\n`)
  const shown = stdout.split("\n")
  expect([0, 2, 4, 5].map((at) => shown[at])).toEqual([0, 2, 4, 5].map((at) => lines[at]))
})

describe("a file that is no CSV is named for what it is", () => {
  const zip = (...names: ReadonlyArray<string>) =>
    Buffer.from(`PK\u0003\u0004\0\0${names.join("\0\0PK\u0003\u0004")}`, "latin1")
  it.each<readonly [content: string | Uint8Array, message: RegExp]>([
    [
      zip("[Content_Types].xml", "xl/workbook.xml"),
      /the workbook is damaged: .*; open it in a spreadsheet program and save it again/
    ],
    [zip("mimetypeapplication/vnd.oasis.opendocument.spreadsheet"), /an OpenDocument spreadsheet/],
    [zip("xl/workbook.bin"), /a binary workbook \(\.xlsb\): save it as \.xlsx/],
    [zip("customers.csv"), /a zip archive: unpack it/],
    [Buffer.from("d0cf11e0a1b11ae100", "hex"), /an Excel workbook of the old format/],
    ["%PDF-1.4\n1 0 obj\n", /a PDF/],
    ["<!DOCTYPE html>\n<title>Sign in</title>", /a web page \(HTML\)/],
    ["  <html><body>x</body></html>\n", /a web page \(HTML\)/],
    ['[{"postcode": "LA"}]', /JSON/],
    ['{\n  "rows": []\n}', /JSON/],
    [gzipSync(gzipSync("id,zip\n")), /a gzip file inside a gzip file/],
    [Buffer.from("BZh91AY&SY", "latin1"), /a bzip2 file/],
    [Buffer.from("SQLite format 3\0", "latin1"), /an SQLite database/],
    [Buffer.from("PAR1xx", "latin1"), /a Parquet file/],
    ["MIME-Version: 1.0\nContent-Type: text/csv\n\nid,zip\n1,x\n", /a mail: save its attachment/],
    ["-- MySQL dump 10.13\nINSERT INTO `a` VALUES (1,'x');\n", /an SQL dump: export the table/],
    ["BEGIN:VCARD\nVERSION:3.0\n", /contacts \(vCard\)/],
    ["version: 1\n\ndn: cn=Ada Obi,mail=ada@example.com\nobjectclass: top\n", /an address book \(LDIF\)/],
    [
      `${Buffer.from(`id,zip\n1,${code}\n`.repeat(9)).toString("base64").replace(/.{76}/g, "$&\n")}\n`,
      /an attachment in base64/
    ],
    ["┌────┬─────┐\n│ id │ zip │\n└────┴─────┘\n", /a table drawn with lines/],
    ["ID     POSTCODE         CITY\n000001 LA-12-A03-BG-07  IKORODU\n", /a fixed width, and no delimiter/],
    ['"id,""zip"""\n"1,""LA-12-A03-BG-07"""\n', /each of its rows is in quotes as a whole/],
    ["'id','zip'\n'1','LA-12-A03-BG-07'\n", /its fields are in apostrophes/]
  ])("%#", async (content, message) => {
    const { code: exit, stderr, stdout } = await validate(content)
    expect(stderr).toMatch(message)
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: "" })
  })

  it("or refused if it can be read in two ways", async () => {
    const { code: exit, stderr } = await validate("a,b;c\n1,2;3\n4,5;6\n", "--column", "1")
    expect(stderr).toContain(
      "its fields may be separated by commas (2 columns) or by semicolons (2 columns): choose with --delimiter"
    )
    expect(exit).toBe(1)
  })
})

describe("a cell that has no postcode, or more than one", () => {
  it.each([
    ["N/A", "this says that there is no postcode", []],
    ["NULL", "this says that there is no postcode", []],
    ["\\N", "this says that there is no postcode", []],
    ["-", "this says that there is no postcode", []],
    ["0", "this says that there is no postcode", []],
    ["#REF!", "this says that there is no postcode", []],
    ["110001", "six digits are a code of the former postal system, and no postcode", []],
    ["1.1E+05", "a number in scientific notation is not a postcode; a spreadsheet may have changed it", []],
    ["Postcode: LA-12-A03-BG-07", "the cell has more than a postcode", [code]],
    ["LA-12-A03-BG-07 (home)", "the cell has more than a postcode", [code]],
    ["NG-LA-12-A03-BG-07", "the cell has more than a postcode", [code]],
    ["LA-12-A03-BG-07 / LA12A03BG08", "the cell has 2 postcodes", [code, "LA-12-A03-BG-08"]]
  ])("%s", async (cell, reason, candidates) => {
    expect(await firstOf(`id,zip\n1,"${cell}"\n`)).toMatchObject({ status: "malformed", reason, candidates })
  })

  it.each(["(LA-12-A03-BG-07)", "LA_12_A03_BG_07", "LA.12.A03.BG.07", "LA/12/A03/BG/07", "LA - 12 - A03 - BG - 07"])(
    "or one with other signs in it: %s",
    async (cell) => {
      expect(await firstOf(`id,zip\n1,"${cell}"\n`)).toMatchObject({ status: "malformed", candidates: [code] })
    }
  )

  it("leaves the decision to the address", async () => {
    for (const zip of ["N/A", "100001", "", "null"]) {
      const result = await firstOf(`address,zip\n"x",${zip}\n`, "--address", "address")
      expect(result.status).toBeUndefined()
      expect(result.address.action).toBe("ask")
    }
  })
})

describe("totals and footers are copied, and are no rows", () => {
  const header = "status,canonical_postcode,reason,candidates,replaced_by"
  it("of a report", async () => {
    const footer =
      '\n"Grand Totals (1 records)"\n\n"Accounts"\n"Generated By:  Ada Obi  29/11/2026"\n"Lagos Mart Ltd"\n'
    const { code: exit, stderr, stdout } = await validate(`"Account","Zip"\n"Kay","${code}"\n${footer}`)
    expect(stdout).toBe(`"Account","Zip",${header}\n"Kay","${code}",valid,${code},,,\n${footer}`)
    expect(stderr).toBe(
      'FILE: lines 4, 6, 7, 8 are no rows but totals or a footer: "Grand Totals (1 records)", "Accounts", ' +
        '"Generated By: Ada Obi 29/11/2026", "Lagos Mart Ltd"\nFILE: 1 row: 1 valid, 0 retired, 0 not_found, 0 malformed\n'
    )
    expect(exit).toBe(0)
  })

  it("of groups, in the postcodes' column and in others", async () => {
    const groups = await validate(`State,Zip,Parcels\nLagos,${code},5\nLagos Total,,5\nAbia,x,1\nGrand Total,,6\n`)
    expect(groups.stderr).toContain("2 rows: 1 valid, 0 retired, 0 not_found, 1 malformed")
    expect(groups.stdout).toContain("\nLagos Total,,5\n")
    const short = await validate(`Zip,Parcels\n${code},5\nTotal,5\n`, "--only-bad")
    expect(short).toMatchObject({ code: 0, stdout: `Zip,Parcels,${header}\n` })
    expect(short.stderr).toContain('FILE: line 3 is no row but a total or a footer: "Total"\n')
  })

  it("but a customer called Total is a row", async () => {
    const { stderr } = await validate(`name,zip\nTotal,100001\nTotal,${code}\n`)
    expect(stderr).toContain("2 rows: 1 valid, 0 retired, 0 not_found, 1 malformed")
  })
})
