// The pages in docs/reference are generated from code: from the command's help, the contract's texts about errors, and the
// rights of roles. With UPDATE_DOCS=1 they are written anew, and so are the lists of a unit's attributes in other files.
// The list of errors is written by hand, except its table.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, it } from "vitest"
import { root } from "../scripts/workspace.mjs"
import { attributeTexts } from "./reference/attributeTexts.ts"
import type { Page } from "./reference/Page.ts"
import { referencePages, withErrorTable } from "./reference/referencePages.ts"

const updates = process.env.UPDATE_DOCS === "1"
const folder = "docs/reference"
const list = `${folder}/errors/README.md`
const read = (path: string): string => readFileSync(join(root, path), "utf8")

const existing = (): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))

const update = (pages: ReadonlyArray<Page>): void => {
  for (const path of existing()) rmSync(join(root, path))
  for (const { path, text } of pages) writeFileSync(join(root, path), text)
}

it("docs/reference is up to date with the code", async () => {
  const pages = [...(await referencePages()), { path: list, text: withErrorTable(read(list)) }]
  if (updates) update(pages)
  expect([...existing()].sort()).toEqual(pages.map(({ path }) => path).sort())
  for (const { path, text } of pages) expect(read(path), `${path}: UPDATE_DOCS=1 npm test -- reference`).toBe(text)
})

it.for(Object.entries(attributeTexts))("the attributes of units in %s are those of core's table", ([path, written]) => {
  const expected = written(read(path))
  if (updates) writeFileSync(join(root, path), expected)
  expect(read(path), `${path}: UPDATE_DOCS=1 npm test -- reference`).toBe(expected)
})
