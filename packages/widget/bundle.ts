/** What a page loads with one script tag: the picker, and a chunk for each language and for what few pages need. */
import { rm } from "node:fs/promises"
import { build } from "esbuild"
import { bundleEmbed } from "./bundleEmbed.ts"
import { bundleOptions } from "./bundleOptions.ts"
import { bundlePicker } from "./bundlePicker.ts"
import type { PageAsset } from "./src/embed/pageAssets.ts"

/** Writes the bundle into a folder, in the place of what was there. Answers the names of its files. */
export const writeBundle = async (folder: string): Promise<ReadonlyArray<string>> => {
  await rm(folder, { recursive: true, force: true })
  const { metafile } = await build({
    ...bundleOptions,
    absWorkingDir: import.meta.dirname,
    entryPoints: { "postcode-picker": "src/define.ts" },
    outdir: folder,
    metafile: true
  })
  return Object.keys(metafile.outputs)
}

/** What the hosted page loads, where it is served from sources. */
export const makePageAssets = (): Promise<ReadonlyArray<PageAsset>> => bundleEmbed({ build }, import.meta.dirname)

/** The files of the bundle, for a page that is served from sources. */
export const makePickerAssets = (): Promise<ReadonlyArray<PageAsset>> => bundlePicker({ build }, import.meta.dirname)
