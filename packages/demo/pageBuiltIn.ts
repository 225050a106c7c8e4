/** The demonstration page as a part of a build: of this package's own, and of the command line's. */
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Options } from "tsup"
import { readPage } from "./src/page/pageAssets.ts"

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/** Puts the files of the page in the place of the module that reads them from the sources. */
export const pageBuiltIn: Plugin = {
  name: "page-built-in",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]page[/\\]pageAssets\.ts$/ }, async ({ path }) => {
      const page = await readPage(pathToFileURL(join(dirname(path), "browser/")))
      return { contents: `export const pageAssets = async () => (${JSON.stringify(page)})`, loader: "js" }
    })
  }
}
