import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { findFiles } from "../../src/directory/InputFiles.ts"
import { workbookOf } from "./WorkbookFile.ts"

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "postcode-server-test-"))
})
afterAll(() => rm(folder, { recursive: true }))

/** The sheets that are found in a workbook with sheets of these names. */
const sheetsOf = async (...names: ReadonlyArray<string>) => {
  const sheets = names.map((name, at) => `<sheet name="${name}" r:id="rId${(at % 2) + 1}"/>`).join("")
  const path = join(folder, "nigeria.xlsx")
  await writeFile(
    path,
    await workbookOf({ "xl/workbook.xml": `<workbook xmlns:r="r"><sheets>${sheets}</sheets></workbook>` })
  )
  const { places, units } = await findFiles(path)
  return [places.sheet, units.sheet]
}

it.each<readonly [names: ReadonlyArray<string>, units: string]>([
  [["Places", "Units"], "units"],
  [["places", "notes", "UNITS"], "units"],
  [["Register", "Places"], "Register"],
  [["places", "Register"], "Register"]
])("the sheet of the units is found among %j", async (names, units) => {
  expect(await sheetsOf(...names)).toEqual(["places", units])
})

it.each<readonly [names: ReadonlyArray<string>]>([
  [["Register", "LGAs"]],
  [["places", "Register", "Old register"]],
  [["places"]]
])("and not guessed among %j", async (names) => {
  await expect(sheetsOf(...names)).rejects.toThrow("name the sheet of the units with --sheet")
})
