/** The demonstration as a part of the bundle: its widget, and the identity of the code that makes its directory. */
import { createHash } from "node:crypto"
import { dirname, join } from "node:path"
import type { Options } from "tsup"
import { bundlePicker } from "../widget/bundlePicker.ts"

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/** Puts what is known at build time in the place of the modules that stand for it in the sources. */
export const demonstrationBuiltIn: Plugin = {
  name: "demonstration-built-in",
  setup: ({ esbuild, onLoad }) => {
    onLoad({ filter: /[/\\]demonstration[/\\]pickerAssets\.ts$/ }, async ({ path }) => {
      const picker = await bundlePicker(esbuild, join(dirname(path), "..", "..", "..", "widget"))
      return { contents: `export const pickerAssets = async () => (${JSON.stringify(picker)})`, loader: "js" }
    })
    onLoad({ filter: /[/\\]directory[/\\]demonstrationBuild\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await esbuild.build({
        entryPoints: [join(dirname(path), "loadDemonstration.ts")],
        bundle: true,
        minify: true,
        format: "esm",
        platform: "node",
        conditions: ["@postcode/source"],
        write: false
      })
      const hash = createHash("sha256")
      for (const { contents } of outputFiles) hash.update(contents)
      return { contents: `export const demonstrationBuild = "${hash.digest("hex").slice(0, 16)}"`, loader: "js" }
    })
  }
}
