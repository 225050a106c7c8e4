/** The demonstration page as a part of the bundle. */
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Options } from "tsup"
import { bundlePicker } from "../widget/bundlePicker.ts"
import { type PageAssets, readPage } from "./src/demonstration/pageAssets.ts"

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/** Puts the files in the place of the module that would read and make them. */
export const demonstrationBuiltIn: Plugin = {
  name: "demonstration-built-in",
  setup: ({ esbuild, onLoad }) => {
    onLoad({ filter: /[/\\]demonstration[/\\]pageAssets\.ts$/ }, async ({ path }) => {
      const folder = dirname(path)
      const assets: PageAssets = {
        page: await readPage(pathToFileURL(join(folder, "page/"))),
        picker: await bundlePicker(esbuild, join(folder, "..", "..", "..", "widget"))
      }
      return { contents: `export const pageAssets = async () => (${JSON.stringify(assets)})`, loader: "js" }
    })
  }
}
