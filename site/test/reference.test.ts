// The reference of the packages is generated from declarations and their comments, in no commit: it can be generated, and
// every exported symbol is described.
import { basename } from "node:path"
import { expect, it } from "vitest"
import { apiPages, readPackages } from "../src/reference/apiPages.ts"
import type { Exported, ExportedModule } from "../src/reference/PackageApi.ts"

const api = readPackages()

it("every package has a page, with all of its exports", () => {
  const text = apiPages(api)
    .map((page) => page.text)
    .join("\n")
  for (const [name, modules] of api) expect(modules.flatMap(({ exports }) => exports).length, name).toBeGreaterThan(0)
  const headings = new Set(text.match(/^### .*$/gm))
  const names = [...api.values()].flat().flatMap(({ exports }) => exports.map(({ name }) => name))
  expect(names.filter((name) => !headings.has(`### ${name}`))).toEqual([])
})

it("every exported symbol has a comment with a sentence", () => {
  const silent = [...api.values()]
    .flat()
    .flatMap((module) =>
      module.exports
        .filter((symbol) => !isSentence(symbol.comment) && !(isConceptOf(module, symbol) && isSentence(module.comment)))
        .map(({ name }) => `${module.specifier}: ${name}`)
    )
  expect(silent).toEqual([])
})

/** A file is named after its one concept, which the comment of the file describes. */
const isConceptOf = ({ file }: ExportedModule, { name }: Exported): boolean =>
  name.toLowerCase() === basename(file, ".ts").toLowerCase()

/** At least two words and a full stop before the first tag. */
const isSentence = (comment: string): boolean => /\S\s+\S.*\.(\s|$)/s.test(comment.split(/^@/m)[0] ?? "")
