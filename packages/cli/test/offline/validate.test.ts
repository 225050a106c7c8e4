import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { Postcode } from "@postcode/core/Postcode"
import { start } from "@postcode/drills/StartCommand"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { validateRows } from "../../src/commands/postcode/validateFile.ts"
import { run } from "../RunCommand.ts"
import { addedColumns, validationDirectory } from "./ValidationDirectory.ts"

const strayText = "a quote that closes a field is followed by neither a delimiter nor the end of the line"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let directory = ""
beforeAll(async () => {
  folder = await temporaryFolder()
  directory = join(folder.path, "directory")
  await writeFiles(directory, validationDirectory)
})
afterAll(() => folder[Symbol.asyncDispose]())

let files = 0
/** Writes a file of its own and answers its path. */
const fileOf = async (content: string | Uint8Array): Promise<string> => {
  const name = `${++files}.csv`
  await writeFiles(folder.path, { [name]: content })
  return join(folder.path, name)
}

const validate = (...args: ReadonlyArray<string>) => run(["validate", "--directory", directory, ...args])
const validateText = (stdin: string, ...args: ReadonlyArray<string>) =>
  run(["validate", "--directory", directory, "-", ...args], { stdin })

describe("each row is returned unchanged, followed by its result", () => {
  it("valid, retired, not_found and malformed ones in their order", async () => {
    const rows = [
      ["7,LA-12-A03-BG-07,Ada", "valid,LA-12-A03-BG-07,,,"],
      ["6,la 12 a03 bg 08,Bola", "valid,LA-12-A03-BG-08,,,"],
      ["5,LA12A03BG19,", "retired,LA-12-A03-BG-19,the unit is retired,,LA-12-A03-BG-30"],
      ["4,LA-12-A03-BG-18,", "not_found,LA-12-A03-BG-18,area LA-12-A03-BG has no unit 18,LA-12-A03-BG-08,"],
      ["3,KN-12-A03-BG-07,", "not_found,KN-12-A03-BG-07,no active unit is in state KN,,"],
      ["2,LA12AO3BG07,", "not_found,LA-12-AO3-BG-07,no active unit is in district LA-12-AO3,LA-12-A03-BG-07,"],
      ["1,LA-12-A03-BG-3O,", "malformed,,unit: expected 2 digits at position 13,LA-12-A03-BG-30,"],
      [
        "0,LA-12 A03BG07,",
        'malformed,,"district: expected a dash, then 3 letters or digits at position 5",LA-12-A03-BG-07,'
      ],
      ["-1,,", "malformed,,there is no postcode,,"]
    ]
    const file = await fileOf(`id,postcode,name\n${rows.map(([row]) => `${row}\n`).join("")}`)
    expect(await validate(file)).toEqual({
      code: 1,
      stdout: `id,postcode,name,${addedColumns}\n${rows.map((row) => `${row.join(",")}\n`).join("")}`,
      stderr: `${file}: 9 rows: 2 valid, 1 retired, 3 not_found, 3 malformed\nerror: 7 of 9 rows are not valid\n`
    })
  })

  it("--lenient accepts mixed separators and look-alikes, in a column with their number", async () => {
    const rows = [
      ["la-12 a03bg 07", "valid,LA-12-A03-BG-07,,,,0"],
      ["LA-I2-A03-8G-O7", "valid,LA-12-A03-BG-07,,,,3"],
      ["LA-I2-A03-BG-I9", "retired,LA-12-A03-BG-19,the unit is retired,,LA-12-A03-BG-30,2"],
      ["LA-12-A03-BG-0X", "malformed,,unit: expected 2 digits at position 13,LA-12-A03-BG-07 LA-12-A03-BG-08,,"]
    ]
    expect(await validateText(`postcode\n${rows.map(([row]) => `${row}\n`).join("")}`, "--lenient")).toEqual({
      code: 1,
      stdout: `postcode,${addedColumns},changed\n${rows.map((row) => `${row.join(",")}\n`).join("")}`,
      stderr: "standard input: 4 rows: 2 valid, 1 retired, 0 not_found, 1 malformed\nerror: 2 of 4 rows are not valid\n"
    })
    const { stdout } = await validateText("postcode\nLA-I2-A03-8G-O7\n", "--lenient", "--json")
    expect(JSON.parse(stdout).results).toMatchObject([{ status: "valid", postcode: "LA-12-A03-BG-07", changed: 3 }])
  })

  it("byte for byte: quotes, line ends, a byte order mark, blank lines, and what is not UTF-8", async () => {
    const [header, one, other] = ['\ufeff"id","post code"', '"a,""b""\r\nc","LA12A03BG07"', "Idé, LA-12-A03-BG-08 "]
    const ansi = Buffer.from("Id\xe9,LA-12-A03-BG-07", "latin1")
    const file = await fileOf(Buffer.concat([Buffer.from(`${header}\r\n${one}\r\n\r\n${other}\n\n`), ansi]))
    const command = start(["validate", file, "--directory", directory])
    const pieces: Array<Buffer> = []
    command.stdout.on("data", (piece: Buffer) => pieces.push(piece))
    const code = await new Promise((resolve) => command.once("close", resolve))
    const valid = (unit: string) => `,valid,LA-12-A03-BG-${unit},,,`
    expect(code).toBe(0)
    expect(Buffer.concat(pieces).toString("latin1")).toBe(
      Buffer.concat([
        Buffer.from(`${header},${addedColumns}\r\n${one}${valid("07")}\r\n\r\n${other}${valid("08")}\n\n`),
        ansi,
        Buffer.from(`${valid("07")}\n`)
      ]).toString("latin1")
    )
  })

  it.each([
    ["semicolon", ";"],
    ["tab", "\t"],
    ["bar", "|"]
  ])("with --delimiter %s, between the added fields as well", async (name, sign) => {
    const lines = ["id,x;name;postcode", '7,5;"Ada; Bola";LA-12-A03-BG-07', "8;Chidi;LA-13-A03-BG-07", "9;a;b;c"]
    const tooMany = "the row has 4 fields where 3 are expected: perhaps one contains the delimiter and is not in quotes"
    const { code, stderr, stdout } = await validateText(
      lines.map((line) => `${line.replaceAll(";", sign)}\n`).join(""),
      "--delimiter",
      name
    )
    expect(stdout.split("\n")).toEqual(
      [
        `${lines[0]};${addedColumns.replaceAll(",", ";")}`,
        `${lines[1]};valid;LA-12-A03-BG-07;;;`,
        `${lines[2]};not_found;LA-13-A03-BG-07;no active unit is in lga LA-13;LA-12-A03-BG-07;`,
        `"9;a;b;c";;;malformed;;${tooMany};;`,
        ""
      ].map((line) => line.replaceAll(";", sign))
    )
    expect(stderr).toContain("3 rows: 1 valid, 0 retired, 1 not_found, 1 malformed")
    expect(code).toBe(1)
  })

  it("a line that is not CSV or has another number of fields is put into the first column, and reported", async () => {
    const stdin = [
      "id,postcode,name",
      '1,LA-12-A03-BG-07,5" pipe',
      '"2,LA-12-A03-BG-07,x',
      "3,LA-12-A03-BG-07,x,y",
      "4",
      "5,LA-12-A03-BG-08",
      '6,LA-12-A03-BG-08,"open'
    ].join("\n")
    const notClosed = "a quote that opens a field is not closed before the end of the file"
    const tooMany = "the row has 4 fields where 3 are expected: perhaps one contains the delimiter and is not in quotes"
    expect(await validateText(stdin)).toEqual({
      code: 1,
      stdout: [
        `id,postcode,name,${addedColumns}`,
        '1,LA-12-A03-BG-07,5" pipe,valid,LA-12-A03-BG-07,,,',
        `"""2,LA-12-A03-BG-07,x",,,malformed,,${strayText},,`,
        `"3,LA-12-A03-BG-07,x,y",,,malformed,,${tooMany},,`,
        '4,,,malformed,,"the row has 1 field, and the postcode would be number 2",,',
        "5,LA-12-A03-BG-08,,valid,LA-12-A03-BG-08,,,",
        `"6,LA-12-A03-BG-08,""open",,,malformed,,${notClosed},,`,
        ""
      ].join("\n"),
      stderr: [
        `standard input:3: ${strayText}`,
        `standard input:4: ${tooMany}`,
        `standard input:7: ${notClosed}`,
        "standard input: 6 rows: 2 valid, 0 retired, 0 not_found, 4 malformed",
        "error: 4 of 6 rows are not valid",
        ""
      ].join("\n")
    })
  })

  it("names the first 20 of many lines that cannot be read", async () => {
    const { code, stderr, stdout } = await validateText(`code\n${"a,b\n".repeat(500)}`)
    expect(code).toBe(1)
    expect(stdout.split("\n")).toHaveLength(502)
    expect(stderr.split("\n").slice(19, 22)).toEqual([
      "standard input:21: the row has 2 fields where 1 is expected: perhaps one contains the delimiter and is not in quotes",
      expect.stringMatching(/^standard input: 500 rows: the row has 2 fields .*: lines 2, 3, .*, 21 and 480 more$/),
      "standard input: 500 rows: 0 valid, 0 retired, 0 not_found, 500 malformed"
    ])
  })

  it("an added column gets another name if the file already has its name", async () => {
    const { stdout } = await validateText(`code,Status,reason,reason_2\nLA12A03BG07,x,y,z\n`)
    expect(stdout.split("\n")[0]).toBe(
      "code,Status,reason,reason_2,status_2,canonical_postcode,reason_3,candidates,replaced_by"
    )
  })

  it("gzip is recognized in a file of any name and on standard input", async () => {
    const packed = gzipSync("code\nLA12A03BG07\n")
    const [whole, cut] = [await fileOf(packed), await fileOf(packed.subarray(0, -5))]
    const fromInput = await run(["validate", "-", "--directory", directory], { stdin: packed })
    const [fromFile, fromCut] = [await validate(whole), await validate(cut)]
    const stdout = `code,${addedColumns}\nLA12A03BG07,valid,LA-12-A03-BG-07,,,\n`
    expect(fromInput).toMatchObject({ code: 0, stdout })
    expect(fromFile).toMatchObject({ code: 0, stdout })
    expect(fromCut.code).toBe(1)
    expect(fromCut.stderr).toBe(`error: ${cut}: this is no complete gzip file: unexpected end of file\n`)
  })
})

describe("the column is", () => {
  /** The codes that were read. */
  const codes = async (stdin: string, ...args: ReadonlyArray<string>) => {
    const { code, stderr, stdout } = await validateText(stdin, "--json", ...args)
    expect(code, stderr).toBe(1)
    return JSON.parse(stdout).results.map(({ code }: { code: string }) => code)
  }

  it("the one with the given name, in exact case before any case, or with the given number", async () => {
    expect(await codes("a,A,1\nx,y,z\n", "--column", "A")).toEqual(["y"])
    expect(await codes('first,"Zip, home"\nx,y\n', "--column", "zip, HOME")).toEqual(["y"])
    expect(await codes("a,b,c\nx,y,z\n", "--column", "3")).toEqual(["z"])
    expect(await codes("a,b,1\nx,y,z\n", "--column", "1")).toEqual(["z"])
  })

  it("by default one called postcode, then zip, then code", async () => {
    expect(await codes("code,ZIP,Post_Code\nx,y,z\n")).toEqual(["z"])
    expect(await codes("code,name,Zip Code\nx,y,z\n")).toEqual(["z"])
    expect(await codes("name,code\nx,y\n")).toEqual(["y"])
  })

  it("below a title that names postcodes, too", async () => {
    expect(await codes("Postcodes of customers,\nID,Shipping Zip\n1,x\n")).toEqual(["x"])
  })

  it("by default the only one, also without a header", async () => {
    expect(await codes("where\nx\n\n")).toEqual(["x"])
    expect(await codes("x\ny\n", "--no-header")).toEqual(["x", "y"])
    expect(await codes("w,x\ny,z\n", "--no-header", "--column", "2")).toEqual(["x", "z"])
  })

  const columns = "name one with --column, by its name or number, of"
  it.each([
    ["a,b\n", [], `no column is called postcode: ${columns} 1 a, 2 b`],
    ["zip,ZIP\n", [], `more than one column may hold the postcodes: ${columns} 1 zip, 2 ZIP`],
    ["a,b\n", ["--column", "3"], `there is no column 3: ${columns} 1 a, 2 b`],
    ["a,b,a\n", ["--column", "a"], `2 columns are called a: ${columns} 1 a, 2 b, 3 a`],
    [
      "a,b\n",
      ["--no-header"],
      "the first row has 2 columns: without a header, --column has to be a number from 1 to 2"
    ],
    [
      "a\n",
      ["--no-header", "--column", "a"],
      "the first row has 1 column: without a header, --column has to be a number from 1 to 1"
    ],
    [
      "7,la 12 a03 bg 07\n",
      [],
      "the first row holds a postcode where the columns' names should be: a file without a header takes --no-header"
    ],
    [
      "LA12A03BGO7\n",
      [],
      "the first row holds a postcode where the columns' names should be: a file without a header takes --no-header"
    ]
  ])("not guessed from %j with %j", async (stdin, args, message) => {
    expect(await validateText(stdin, ...args)).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: standard input: ${message}\n`
    })
  })
})

describe("a file that is not CSV is refused", () => {
  it.each<readonly [what: string, content: Uint8Array | string, message: string]>([
    ["an empty one", "", "there is nothing in it: expected a header"],
    [
      "a binary one",
      Uint8Array.of(1, 0, 0, 2, 0),
      "it holds zero bytes: expected text, not a binary file; save it as CSV UTF-8"
    ],
    ["one with a header alone", "id,code\n", "it has a header, and no rows after it"],
    [
      "one with two line ends",
      "id\rcode\n1\rx\n",
      "some of its lines end with a carriage return alone, and some do not: save it again"
    ],
    ["one whose header is broken", '"co"de\nx\n', `line 1 cannot be read: ${strayText}`]
  ])("%s", async (_, content, message) => {
    const file = await fileOf(content)
    expect(await validate(file)).toEqual({ code: 1, stdout: "", stderr: `error: ${file}: ${message}\n` })
  })

  it("a missing one, and a folder", async () => {
    const missing = join(folder.path, "missing.csv")
    expect(await validate(missing)).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: there is no file ${missing}: check the path\n`
    })
    expect(await validate(directory)).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: ${directory} is a folder: expected a CSV file\n`
    })
  })
})

it("a snapshot serves as the directory", async () => {
  const snapshot = join(folder.path, "validate.snapshot")
  expect(await run(["snapshot", "build", directory, "-o", snapshot])).toMatchObject({ code: 0 })
  const ended = await run(["validate", "-", "--directory", snapshot], { stdin: "code\nLA12A03BG07\nLA12A03BG19\n" })
  expect(ended.code).toBe(1)
  expect(ended.stdout.split("\n").slice(1)).toEqual([
    "LA12A03BG07,valid,LA-12-A03-BG-07,,,",
    "LA12A03BG19,retired,LA-12-A03-BG-19,the unit is retired,,LA-12-A03-BG-30",
    ""
  ])
})

describe("for programs", () => {
  const stdin = 'id,postcode\né,LA12A03BG07\n2,LA-12-A03-BG-3O\n3,"x"y\n4,LA12A03BG19\n'
  const results = [
    {
      line: 2,
      code: "LA12A03BG07",
      status: "valid",
      postcode: "LA-12-A03-BG-07",
      candidates: [],
      fields: ["é", "LA12A03BG07"]
    },
    {
      line: 3,
      code: "LA-12-A03-BG-3O",
      status: "malformed",
      reason: "unit: expected 2 digits at position 13",
      candidates: ["LA-12-A03-BG-30"],
      fields: ["2", "LA-12-A03-BG-3O"]
    },
    { line: 4, status: "malformed", reason: strayText, candidates: [], text: '3,"x"y' },
    {
      line: 5,
      code: "LA12A03BG19",
      status: "retired",
      postcode: "LA-12-A03-BG-19",
      reason: "the unit is retired",
      candidates: [],
      replaced_by: "LA-12-A03-BG-30",
      fields: ["4", "LA12A03BG19"]
    }
  ]

  it("--json answers one value, --json-lines one a line", async () => {
    const [value, lines] = await Promise.all([validateText(stdin, "--json"), validateText(stdin, "--json-lines")])
    expect([value.code, lines.code]).toEqual([1, 1])
    expect(JSON.parse(value.stdout)).toEqual({
      results,
      summary: { valid: 1, retired: 1, not_found: 0, malformed: 2 }
    })
    expect(lines.stdout.split("\n").map((line) => (line === "" ? "" : JSON.parse(line)))).toEqual([...results, ""])
  })

  it("--only-bad leaves valid rows out", async () => {
    const [csv, lines, nothing] = await Promise.all([
      validateText("code\nLA12A03BG07\n\nx\nLA12A03BG08\n", "--only-bad"),
      validateText(stdin, "--json-lines", "--only-bad"),
      validateText("LA12A03BG07\n", "--json", "--only-bad", "--no-header")
    ])
    expect(csv.stdout).toBe(`code,${addedColumns}\nx,malformed,,state: expected 2 letters at position 0,,\n`)
    expect(csv.stderr).toContain(
      "3 rows: 2 valid, 0 retired, 0 not_found, 1 malformed\nerror: 1 of 3 rows is not valid\n"
    )
    expect(lines.stdout.split("\n")).toHaveLength(4)
    expect(nothing).toMatchObject({ code: 0 })
    expect(JSON.parse(nothing.stdout)).toEqual({
      results: [],
      summary: { valid: 1, retired: 0, not_found: 0, malformed: 0 }
    })
  })

  it("no rows are no failure without a header", async () => {
    expect(JSON.parse((await validateText("", "--json", "--no-header")).stdout).results).toEqual([])
  })

  it("--json and --json-lines together are wrong usage", async () => {
    const { code, stderr } = await validateText("code\n", "--json", "--json-lines")
    expect({ code, stderr }).toEqual({ code: 2, stderr: "error: choose --json or --json-lines\n" })
  })
})

describe("a file of any length", () => {
  it("is read only as fast as its output is read", async () => {
    vi.spyOn(process.stderr, "write").mockReturnValue(true)
    const builder = new DirectoryBuilder()
    builder.addUnit("LA-12-A03-BG-07" as Postcode, { lat: 6, lon: 3 }, true)
    const built = builder.build()
    if (!built.ok) throw new Error("the directory was not built")
    let read = 0
    let written = 0
    const chunks = async function* () {
      // The form of a file is found in its first 64 KiB.
      yield Buffer.from(`code\n${"LA12A03BG07\n".repeat(6_000)}`)
      for (; read < 100; read++) yield Buffer.from("LA12A03BG07\n".repeat(10))
    }
    const ahead: Array<number> = []
    const { byName } = await validateRows({
      input: { name: "test", chunks: chunks(), share: () => 0 },
      directory: built.directory,
      options: {
        column: undefined,
        address: [],
        noHeader: false,
        delimiter: "comma",
        skipLines: undefined,
        sheet: undefined,
        lenient: false,
        onlyBad: false,
        json: false,
        jsonLines: false
      },
      signal: new AbortController().signal,
      output: {
        write: async () => {
          for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
          ahead.push(read - written++)
        },
        finish: async () => {}
      }
    })
    expect(byName).toEqual({ valid: 7_000, retired: 0, not_found: 0, malformed: 0 })
    expect(ahead).toHaveLength(101)
    expect(Math.max(...ahead)).toBeLessThanOrEqual(0)
  })

  it("ends without a message when the reader of its output ends", async () => {
    const file = await fileOf(`code\n${"LA12A03BG07\n".repeat(200_000)}`)
    const command = start(["validate", file, "--directory", directory])
    command.stdout.once("data", () => command.stdout.destroy())
    let stderr = ""
    command.stderr.on("data", (piece) => {
      stderr += piece
    })
    expect(await new Promise((resolve) => command.once("close", resolve))).toBe(0)
    expect(stderr).toBe("")
  })

  it("ends with 130 when it is interrupted, even if its output is not read", async () => {
    const waiting = start(["validate", "-", "--directory", directory])
    waiting.stdin.write(`code\n${"LA12A03BG07\n".repeat(6_000)}`)
    waiting.stdout.once("data", () => waiting.kill("SIGINT"))
    expect(await new Promise((resolve) => waiting.once("close", resolve))).toBe(130)

    const stuck = start([
      "validate",
      await fileOf(`code\n${"LA12A03BG07\n".repeat(200_000)}`),
      "--directory",
      directory
    ])
    await new Promise((resolve) => stuck.stdout.once("readable", resolve))
    stuck.kill("SIGINT")
    expect(await new Promise((resolve) => stuck.once("exit", resolve))).toBe(130)
  })
})

it("the help describes the output and the exit codes", async () => {
  const { code, stdout } = await run(["validate", "--help"])
  expect(code).toBe(0)
  for (const said of ["--column NAME|N", "--no-header", "--only-bad", "--json-lines", "candidates", "Exit code 1"]) {
    expect(stdout).toContain(said)
  }
})
