import { readFile } from "node:fs/promises"
import { type Plugin, transform } from "esbuild"
import { defineConfig, type Options } from "tsup"
import { library } from "../../tsup.base.ts"

/** The style sheet is a text in a module: nothing else would take its white space out. */
const minifiedStyles: Plugin = {
  name: "minified-styles",
  setup: (build) => {
    build.onLoad({ filter: /[/\\]styles\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8")
      const [all = "", css = ""] = /(?<=const css = )`([^`]*)`/.exec(source) ?? []
      const { code } = await transform(css, { loader: "css", minify: true })
      return { contents: source.replace(all, () => JSON.stringify(code.trim())), loader: "ts" }
    })
  }
}

/** What a page loads with one script tag: the picker, and a chunk for each language and what few pages need. */
export const bundle: Options = {
  entry: { "postcode-picker": "src/define.ts" },
  outDir: "dist/bundle",
  format: ["esm"],
  target: "es2023",
  platform: "browser",
  splitting: true,
  minify: true,
  dts: false,
  sourcemap: true,
  noExternal: [/./],
  esbuildPlugins: [minifiedStyles],
  esbuildOptions: (options) => {
    options.conditions = ["@postcode/source"]
  }
}

export default defineConfig([library, bundle])
