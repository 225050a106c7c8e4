/** For the build: the golden vectors stand outside of this package, and who brings a store has none but the suite's own. */
import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Plugin } from "../../config/tsup.base.ts"

const names = [
  "autocomplete-directory/places.csv",
  "autocomplete-directory/units.csv",
  "autocomplete.csv",
  "changes.csv",
  "corrections-directory/places.csv",
  "corrections-directory/units.csv",
  "corrections.csv",
  "levels.csv"
]

/** Puts their texts in the place of the module that reads them. */
export const vectorsBuiltIn: Plugin = {
  name: "vectors-built-in",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]wire[/\\]vectorText\.ts$/ }, async ({ path }) => {
      const folder = join(dirname(path), "..", "..", "..", "..", "vectors")
      const texts = await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]))
      const contents = `const texts = ${JSON.stringify(Object.fromEntries(texts))}\nexport const vectorText = (name) => texts[name]`
      return { contents, loader: "js" }
    })
  }
}
