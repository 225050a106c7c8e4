/**
 * Script and style sheet of the hosted page, each in one piece: it stays open while another build takes the place of the
 * one that it came from. The caller passes esbuild, so that a build of another package can make it, too.
 */
import { dirname, join } from "node:path"
import type { build, Plugin } from "esbuild"
import { assetsOf, bundleOptions } from "./bundleOptions.ts"
import type { PageAsset } from "./src/embed/pageAssets.ts"

/** @param folder of this package */
export const bundleEmbed = async (
  esbuild: { readonly build: typeof build },
  folder: string
): Promise<ReadonlyArray<PageAsset>> => {
  const { outputFiles } = await esbuild.build({
    ...bundleOptions,
    splitting: false,
    absWorkingDir: folder,
    entryPoints: { main: "src/embed/main.ts", page: "src/embed/page.css" },
    outdir: "dist",
    write: false
  })
  return assetsOf(outputFiles)
}

/** For builds of what serves the page: puts the made files in the place of the module that would make them. */
export const embedBuiltIn: Plugin = {
  name: "embed-built-in",
  setup: ({ esbuild, onLoad }) => {
    onLoad({ filter: /[/\\]embed[/\\]pageAssets\.ts$/ }, async ({ path }) => {
      const assets = await bundleEmbed(esbuild, join(dirname(path), "..", ".."))
      return { contents: `export const pageAssets = async () => ${JSON.stringify(assets)}`, loader: "js" }
    })
  }
}
