/** What a page loads with one script tag: the picker, and a chunk for each language and for what few pages need. */
import { mkdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { build } from "esbuild"
import { bundleEmbed } from "./bundleEmbed.ts"
import { bundlePicker } from "./bundlePicker.ts"
import type { PageAsset } from "./src/embed/pageAssets.ts"

/** Writes the bundle into a folder, in the place of what was there. */
export const writeBundle = async (folder: string): Promise<void> => {
  const assets = await makePickerAssets()
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const { content, name } of assets) await writeFile(join(folder, name), content)
}

/** What the hosted page loads, where it is served from sources. */
export const makePageAssets = (): Promise<ReadonlyArray<PageAsset>> => bundleEmbed({ build }, import.meta.dirname)

/** The files of the bundle, for a page that is served from sources. */
export const makePickerAssets = (): Promise<ReadonlyArray<PageAsset>> => bundlePicker({ build }, import.meta.dirname)
