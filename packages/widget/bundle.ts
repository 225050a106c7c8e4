/** What a page loads with one script tag: the picker, and a chunk for each language and for what few pages need. */
import { readFile, rm } from "node:fs/promises"
import { build, type Plugin, transform } from "esbuild"

/** Writes the bundle into a folder, in the place of what was there. Answers the names of its files. */
export const writeBundle = async (folder: string): Promise<ReadonlyArray<string>> => {
  await rm(folder, { recursive: true, force: true })
  const { metafile } = await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: { "postcode-picker": "src/define.ts" },
    outdir: folder,
    bundle: true,
    format: "esm",
    target: "es2023",
    splitting: true,
    minify: true,
    metafile: true,
    conditions: ["@postcode/source"],
    plugins: [minifiedStyles]
  })
  return Object.keys(metafile.outputs)
}

/** The style sheet is a text in a module: nothing else would take its white space out. */
const minifiedStyles: Plugin = {
  name: "minified-styles",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]styles\.ts$/ }, async ({ path }) => {
      const source = await readFile(path, "utf8")
      const [all = "", css = ""] = /(?<=const css = )`([^`]*)`/.exec(source) ?? []
      const { code } = await transform(css, { loader: "css", minify: true })
      const tight = code.trim().replace(/(?<=--\w[\w-]*:|,) /g, "")
      return { contents: source.replace(all, () => JSON.stringify(tight)), loader: "ts" }
    })
  }
}
