// Workbooks into `postcode validate` and out of it.
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { type WrittenCell, writeWorkbook } from "@postcode/server/workbook/writeWorkbook"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { run } from "../RunCommand.ts"
import { addedColumns, validationDirectory } from "./ValidationDirectory.ts"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
beforeAll(async () => {
  folder = await temporaryFolder()
  await writeFiles(join(folder.path, "directory"), validationDirectory)
})
afterAll(() => folder[Symbol.asyncDispose]())

const pathOf = (name: string): string => join(folder.path, name)

const save = async (name: string, rows: ReadonlyArray<ReadonlyArray<WrittenCell>>): Promise<string> => {
  const all = async function* () {
    yield* rows
  }
  await writeWorkbook(all(), pathOf(name), new AbortController().signal)
  return pathOf(name)
}

const validate = async (file: string, ...args: ReadonlyArray<string>) => {
  const { code, stderr, stdout } = await run(["validate", "--directory", pathOf("directory"), file, ...args])
  return { code, stdout, stderr: stderr.replaceAll(folder.path, "") }
}

const code = "LA-12-A03-BG-07"

describe("a workbook in", () => {
  const rows = [
    ["Customers, as of March"],
    [],
    ["id", "name", "Post Code"],
    [1, "Okoro, Ada", code],
    [2, "=SUM(A1)", "N/A"]
  ] as const

  it("gives the rows that its CSV gives", async () => {
    const csv = rows.map((row) => `${row.map((cell) => (String(cell).includes(",") ? `"${cell}"` : cell)).join(",")}\n`)
    await writeFiles(folder.path, { "same.csv": csv.join("") })
    const fromCsv = await validate(pathOf("same.csv"))
    const fromWorkbook = await validate(await save("same.xlsx", rows))
    expect(fromWorkbook.stdout).toBe(fromCsv.stdout)
    expect(fromWorkbook.stderr).toBe(fromCsv.stderr.replaceAll("same.csv", "same.xlsx"))
    expect(fromWorkbook.stderr).toContain("same.xlsx: read as: header in line 3, 3 columns\n")
    expect((await validate(await save("named.csv", rows))).stdout).toBe(fromCsv.stdout)
  })

  it("from standard input", async () => {
    const bytes = await readFile(await save("input.xlsx", [["postcode"], [code]]))
    const args = ["validate", "--directory", pathOf("directory"), "-"]
    const { stdout } = await run(args, { stdin: bytes })
    expect(stdout).toBe(`postcode,${addedColumns}\n${code},valid,${code},,,\n`)
  })

  it.each<readonly [what: string, content: Uint8Array, message: RegExp]>([
    [
      "cut off",
      Buffer.from("PK\u0003\u0004[Content_Types].xml and nothing more"),
      /broken\.xlsx: the workbook is damaged: /
    ],
    ["of the old format", Buffer.from("d0cf11e0a1b11ae1", "hex"), /old format \(\.xls\).*open it and save the sheet/],
    [
      "with a password",
      Buffer.concat([Buffer.from("d0cf11e0a1b11ae1", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
      /has a password: save it without one/
    ]
  ])("%s is refused", async (_, content, message) => {
    await writeFiles(folder.path, { "broken.xlsx": content })
    const { code, stderr, stdout } = await validate(pathOf("broken.xlsx"))
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" })
    expect(stderr).toMatch(message)
  })
})

describe("a workbook out", () => {
  it("has numbers as numbers, and texts as texts, whatever they look like", async () => {
    const texts = ["=1+1", "+234", "-x", "@SUM(A1)", "007", " a ", "a\nb", "<&>\"'", "_x000D_", "\u0001", "東京 😀"]
    const file = await save("texts.xlsx", [
      ["id", "text", "postcode"],
      ...texts.map((text, at) => [at + 1, text, code])
    ])
    const output = pathOf("texts.out.xlsx")
    expect(await validate(file, "--output", output)).toMatchObject({ code: 0, stdout: "" })
    const again = await validate(output, "--output", pathOf("again.csv"))
    expect(again.stderr).toContain("there is a column status already")
    const [, ...lines] = (await readFile(pathOf("again.csv"), "utf8")).split("\n")
    expect(lines.join("\n")).toContain(`1,=1+1,${code},valid,${code}`)
    const asJson = await validate(output, "--json-lines")
    const fields = asJson.stdout.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line).fields]))
    expect(fields.slice(0, texts.length).map(([, text]) => text)).toEqual(texts)
    const xml = await sheetOf(output)
    expect(xml).toContain('<c r="A2"><v>1</v></c><c r="B2" t="inlineStr" s="1">')
    expect(xml).toContain('<c r="B6" t="inlineStr"><is><t xml:space="preserve">007</t>')
  })

  it("of CSV with semicolons", async () => {
    await writeFiles(folder.path, { "semicolons.csv": `id;zip\n1;${code}\n007;x\n` })
    const output = pathOf("semicolons.xlsx")
    expect((await validate(pathOf("semicolons.csv"), "-o", output)).code).toBe(1)
    const { stdout } = await validate(output, "--only-bad", "--column", "zip")
    expect(stdout).toContain("\n007,x,malformed,,state: expected 2 letters at position 0,,,malformed")
  })

  it("is not written over another file without --force, and not at all if the command fails", async () => {
    const file = await save("kept.xlsx", [["postcode"], [code]])
    const output = await save("output.xlsx", [["mine"]])
    const before = await readFile(output)
    expect((await validate(file, "-o", output)).stderr).toContain("output.xlsx already exists: choose another name")
    expect((await validate(file, "-o", file, "--force")).stderr).toContain("is the file to validate")
    expect((await validate(file, "-o", output, "--force", "--column", "x")).code).toBe(2)
    expect(await readFile(output)).toEqual(before)
    expect((await validate(file, "-o", output, "--json")).code).toBe(2)
    expect((await validate(file, "-o", output, "--force")).code).toBe(0)
    expect(await readFile(output)).not.toEqual(before)
    expect((await readdir(folder.path)).filter((name) => /\.(rows|part)$/.test(name))).toEqual([])
  })
})

/** The XML of the sheet of a workbook. */
const sheetOf = async (path: string): Promise<string> => {
  const { Archive } = await import("@postcode/server/workbook/Archive")
  await using archive = await Archive.open(path)
  const chunks: Array<Buffer> = []
  for await (const chunk of archive.read("xl/worksheets/sheet1.xml", 1 << 20)) chunks.push(chunk)
  return Buffer.concat(chunks).toString("utf8")
}
