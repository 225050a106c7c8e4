/** The console as a part of a build: of this package's own, and of the command line's. */
import { dirname, join } from "node:path"
import type { Options } from "tsup"
import { bundleConsole } from "./bundleConsole.ts"
import { guidesOf } from "./makeGuides.ts"

type Plugin = NonNullable<Options["esbuildPlugins"]>[number]

/** Puts the made files in the place of the modules that would make them. */
export const consoleBuiltIn: Plugin = {
  name: "console-built-in",
  setup: ({ onLoad }) => {
    onLoad({ filter: /[/\\]hosting[/\\]assets\.ts$/ }, async ({ path }) => {
      const assets = await bundleConsole(join(dirname(path), "..", ".."))
      return { contents: `export const consoleAssets = async () => (${JSON.stringify(assets)})`, loader: "js" }
    })
    onLoad({ filter: /[/\\]hosting[/\\]guides\.ts$/ }, async ({ path }) => {
      const guides = await guidesOf(join(dirname(path), "..", ".."))
      return { contents: `export const guides = async () => (${JSON.stringify(guides)})`, loader: "js" }
    })
  }
}
