// The pages in docs/reference are made from code: from declarations and their comments, from the command's help, from
// what the contract says of errors. With UPDATE_DOCS=1 they are written anew.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, it } from "vitest"
import { root } from "../scripts/workspace.mjs"
import { referencePages, withErrorTable } from "./reference/referencePages.ts"

const updates = process.env.UPDATE_DOCS === "1"
const folder = "docs/reference"
const read = (path: string): string => readFileSync(join(root, path), "utf8")
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const filesThere = (): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length))

it("docs/reference is up to date with the code", async () => {
  const pages = await referencePages()
  if (updates) {
    rmSync(join(root, folder), { recursive: true, force: true })
    for (const { path, text } of pages) write(path, text)
  }
  expect([...filesThere()].sort()).toEqual(pages.map(({ path }) => path).sort())
  for (const { path, text } of pages) expect(read(path), `${path}: UPDATE_DOCS=1 npm test -- reference`).toBe(text)
})

it("docs/errors.md has the contract's text of each error code", () => {
  const expected = withErrorTable(read("docs/errors.md"))
  if (updates) write("docs/errors.md", expected)
  expect(read("docs/errors.md")).toBe(expected)
})
