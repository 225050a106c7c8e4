// The same customers as spreadsheets of several countries save them give the same rows.
import { join } from "node:path"
import { temporaryFolder, writeFiles } from "@postcode/drills/TemporaryFolder"
import { writeWorkbook } from "@postcode/server/workbook/writeWorkbook"
import { expect, it } from "vitest"
import { run } from "../RunCommand.ts"
import { validationDirectory } from "./ValidationDirectory.ts"

const customers = 20_000

/** Names with letters of Windows-1252, addresses with every delimiter, and codes in several formats, valid and not. */
const rowOf = (number: number): ReadonlyArray<string> => {
  const codes = ["LA-12-A03-BG-07", "la12a03bg08", "LA-12-A03-BG-3O", "100001", "", "LA 12 A03 BG 19", "N/A"]
  const names = ["Zoé Müller", "Ñandú & Söhne", 'The "Big" Shop', "O'Connor", "Ada"]
  const address = `${number} Harbour Road, Ikorodu; gate ${number % 9} | rear`
  return [`K${number}`, names[number % names.length] as string, address, codes[number % codes.length] as string]
}
const rows = [
  ["id", "name", "address", "Post Code"],
  ...Array.from({ length: customers }, (_, number) => rowOf(number))
]

const csv = (delimiter: string, lineEnd = "\r\n"): string =>
  rows
    .map((row) =>
      row
        .map((field) =>
          /["\r\n]/.test(field) || field.includes(delimiter) ? `"${field.replaceAll('"', '""')}"` : field
        )
        .join(delimiter)
    )
    .join(lineEnd) + lineEnd

it("as a German, a French and an English Excel save them, in UTF-16, as CSV of UTF-8, and as a workbook", async () => {
  await using folder = await temporaryFolder()
  await writeFiles(join(folder.path, "directory"), validationDirectory)
  const windows1252 = (text: string) => Buffer.from(text, "latin1")
  await writeFiles(folder.path, {
    "german.csv": windows1252(csv(";")),
    "french.csv": windows1252(`sep=;\r\n${csv(";")}`),
    "english.csv": windows1252(csv(",")),
    "utf16.txt": Buffer.from(`\ufeff${csv("\t")}`, "utf16le"),
    "utf8.csv": `\ufeff${csv(",")}`,
    "plain.csv": csv(",", "\n")
  })
  const sheet = async function* () {
    yield* rows
  }
  await writeWorkbook(sheet(), join(folder.path, "book.xlsx"), new AbortController().signal)
  const resultsOf = async (name: string): Promise<ReadonlyArray<unknown>> => {
    const file = join(folder.path, name)
    const { code, stdout } = await run([
      "validate",
      "--directory",
      join(folder.path, "directory"),
      file,
      "--json-lines"
    ])
    expect(code, name).toBe(1)
    // Lines differ by that of `sep=`.
    return stdout
      .split("\n")
      .slice(0, -1)
      .map((line) => ({ ...JSON.parse(line), line: undefined }))
  }
  const expected = await resultsOf("plain.csv")
  expect(expected).toHaveLength(customers)
  for (const name of ["german.csv", "french.csv", "english.csv", "utf16.txt", "utf8.csv", "book.xlsx"]) {
    expect(await resultsOf(name), name).toEqual(expected)
  }
})
