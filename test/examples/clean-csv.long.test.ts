// The example clean-csv, run as a program on files with every kind of mess.
import { createWriteStream } from "node:fs"
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { snapshotPieces } from "../../packages/core/src/directory/snapshot/Snapshot.ts"
import { demoDirectory } from "../../packages/demo/src/index.ts"
import { ended, startExample } from "./ExamplePrograms.ts"

let folder = ""
const path = (name: string): string => join(folder, name)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "clean-csv-"))
  await writeFile(path("demo.snapshot"), [...snapshotPieces(demoDirectory().directory)])
})
beforeEach(() => Promise.all(["clean.csv", "rejected.csv"].map((name) => rm(path(name), { force: true }))))
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs the program on a file, and answers what came of it. */
const clean = async (content: string | Uint8Array | undefined, ...args: ReadonlyArray<string>) => {
  if (content !== undefined) await writeFile(path("input.csv"), content)
  const files = ["demo.snapshot", "input.csv", "clean.csv", "rejected.csv"].map(path)
  const { code, stderr, stdout } = await ended(startExample("clean-csv", { args: [...args, ...files] }))
  const read = (name: string) => readFile(path(name), "utf8").catch(() => undefined)
  return { code, stderr, stdout, clean: await read("clean.csv"), rejected: await read("rejected.csv") }
}

it("reads every format and other separators, and leaves the rest of the row unchanged", async () => {
  const written = [
    "AB-01-C04-PE-01",
    " ab 01 c04 pe 01 ",
    "ab01c04pe01",
    "AB–01–C04–PE–01",
    "AB\u00a001\u00a0C04\u00a0PE\u00a001",
    "AB.01.C04.PE.01",
    "AB-01 C04/PE_01",
    "'AB 01 C04 PE 01'",
    "ＡＢ０１Ｃ０４ＰＥ０１"
  ]
  const rows = written.map((postcode, i) => `${i},"${postcode}","Aba, ""Market"" Road"`)
  const { clean: cleaned, code, rejected, stdout } = await clean(`\ufeffid,Postcode,address\r\n${rows.join("\r\n")}`)
  const expected = written.map((_, i) => `${i},AB-01-C04-PE-01,"Aba, ""Market"" Road"\n`)
  expect(cleaned).toBe(`id,Postcode,address\n${expected.join("")}`)
  expect(rejected).toBe("line,reason,suggestions,id,Postcode,address\n")
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `9 rows in ${path("clean.csv")}, 0 in ${path("rejected.csv")}\n`
  })
})

it("puts every other row into the second file, with line, reason and suggestions, and corrects none", async () => {
  const input = [
    "postcode,id",
    "AB 01 C04 PE O5,1",
    "ab01c04pe19,2",
    "AB-01-Q04-PE-01,3",
    ",4",
    "see note,5",
    "AB-01-C04-PE-01,6,of old",
    "AB-01-C04-PE-01",
    'AB-01-C04-PE-01,"7" inch',
    "",
    "AB-01-C04-PE-01,8",
    "AB-01-C04-PE-0,9",
    'AB-01-C04-PE-01,"not closed'
  ]
  const { clean: cleaned, code, rejected } = await clean(input.join("\n"))
  expect(cleaned).toBe("postcode,id\nAB-01-C04-PE-01,8\n")
  expect(rejected?.split("\n")).toEqual([
    "line,reason,suggestions,postcode,id",
    "2,unit: expected 2 digits at position 13,AB-01-C04-PE-05 AB-01-C04-PE-15 AB-01-C04-PE-25,AB 01 C04 PE O5,1",
    "3,the unit is retired,AB-01-C04-PE-10 AB-01-C04-PE-18 AB-01-C04-PE-29,ab01c04pe19,2",
    "4,no active unit is in district AB-01-Q04,AB-01-C04-PE-01,AB-01-Q04-PE-01,3",
    "5,there is no postcode,,,4",
    expect.stringMatching(/^6,.+,,see note,5$/),
    '7,"expected 2 fields, found 3",,AB-01-C04-PE-01,6,of old',
    '8,"expected 2 fields, found 1",,AB-01-C04-PE-01',
    "9,a quote that closes a field is followed by neither a delimiter nor the end of the line,,,",
    "12,unit: expected 2 digits at position 13,AB-01-C04-PE-01 AB-01-C04-PE-02 AB-01-C04-PE-03,AB-01-C04-PE-0,9",
    "13,a quote that opens a field is not closed before the end of the file,,,",
    ""
  ])
  expect(code).toBe(0)
})

describe("refuses other files, and leaves no output:", () => {
  it.for([
    ["a file without the column", "code,id\nAB-01-C04-PE-01,1\n", "there is no column postcode: it has code, id"],
    ["an empty file", "", "there is nothing in it: expected a header"],
    ["a file that is not UTF-8", Buffer.from("postcode\nAB-01-C04-PE-01\n\xe9\n", "latin1"), "the file is not UTF-8"],
    ["a file that ends within a character", Buffer.from("postcode\n\xe2\x80", "latin1"), "the file is not UTF-8"]
  ] as const)("%s", async ([, content, message]) => {
    const { clean: cleaned, code, rejected, stderr } = await clean(content)
    expect({ cleaned, code, rejected }).toEqual({ cleaned: undefined, code: 1, rejected: undefined })
    expect(stderr).toContain(`${path("input.csv")}: ${message}`)
    expect(await readdir(folder)).not.toContainEqual(expect.stringContaining("unfinished"))
  })

  it("a missing file, and wrong usage", async () => {
    await rm(path("input.csv"), { force: true })
    expect(await clean(undefined)).toMatchObject({ code: 1, stderr: expect.stringContaining("no such file") })
    expect(await ended(startExample("clean-csv"))).toMatchObject({ code: 2, stderr: expect.stringContaining("usage:") })
  })
})

it("uses the given column", async () => {
  const { clean: cleaned } = await clean("id,Ship To\n1,ab01c04pe01\n", "--column", "ship to")
  expect(cleaned).toBe("id,Ship To\n1,AB-01-C04-PE-01\n")
})

it("processes a file of 60 MB with 32 MB of memory", async () => {
  const note = "x".repeat(1_000)
  const lines = 60_000
  const rows = function* () {
    yield "postcode,note\n"
    for (let i = 0; i < lines / 2; i++) yield `ab01c04pe01,${note}\nAB-01-Q04-PE-01,${note}\n`
  }
  await pipeline(Readable.from(rows()), createWriteStream(path("input.csv")))
  const env = { NODE_OPTIONS: "--max-old-space-size=32" }
  const files = ["demo.snapshot", "input.csv", "clean.csv", "rejected.csv"].map(path)
  const { code, stderr, stdout } = await ended(startExample("clean-csv", { args: files, env }))
  expect({ code, stderr, stdout }).toMatchObject({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(/^30000 .* 30000 /)
  })
})
