/** How scripts for browsers are made. */
import { readFile } from "node:fs/promises"
import { basename } from "node:path"
import type { BuildOptions, OutputFile, Plugin } from "esbuild"
import type { PageAsset } from "./src/embed/pageAssets.ts"

/** Style sheets are texts in modules: nothing else would take their white space out. */
const minifiedStyles: Plugin = {
  name: "minified-styles",
  setup: ({ esbuild, onLoad }) => {
    onLoad({ filter: /[/\\](styles|Rows)\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8")
      const [all = "", css = ""] = /(?<=const css = )`([^`]*)`/.exec(source) ?? []
      const { code } = await esbuild.transform(css, { loader: "css", minify: true })
      const tight = code.trim().replace(/(?<=--\w[\w-]*:|,) /g, "")
      return { contents: source.replace(all, () => JSON.stringify(tight)), loader: "ts" }
    })
  }
}

/** From the sources of the workspace, as small as can be, with a chunk for each part that is loaded on demand. */
export const bundleOptions = {
  bundle: true,
  format: "esm",
  target: "es2023",
  splitting: true,
  minify: true,
  charset: "utf8",
  conditions: ["@postcode/source"],
  plugins: [minifiedStyles]
} satisfies BuildOptions

/** What was made, as data. */
export const assetsOf = (outputFiles: ReadonlyArray<OutputFile>): ReadonlyArray<PageAsset> =>
  outputFiles.map(({ path, text }) => ({ name: basename(path), content: text }))
