/**
 * What a page loads with one script tag: the picker, and a chunk for each language and for what few pages need; or one
 * script that has all of it.
 */
import { createHash } from "node:crypto"
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { build } from "esbuild"
import { bundleEmbed } from "./bundleEmbed.ts"
import { bundleMap } from "./bundleMap.ts"
import { assetsOf, bundleOptions } from "./bundleOptions.ts"
import { bundlePicker } from "./bundlePicker.ts"
import type { PageAsset } from "./src/embed/pageAssets.ts"

/** Writes the bundle into a folder, in the place of what was there. */
export const writeBundle = async (folder: string): Promise<void> => {
  const assets = await makePickerAssets()
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const { content, name } of assets) await writeFile(join(folder, name), content)
}

/** Writes `postcode-widget.js`, and its hash for the attribute `integrity` into `integrity.json`. */
export const writeScript = async (folder: string): Promise<void> => {
  const { content, integrity, name } = await makeScript()
  await writeFile(join(folder, name), content)
  await writeFile(join(folder, "integrity.json"), `${JSON.stringify({ [name]: integrity }, undefined, 2)}\n`)
}

/**
 * The picker with all that it loads on demand, in one classic script: its hash, as pages name it in `integrity`, covers
 * all of it, and it works from any server.
 */
export const makeScript = async (): Promise<PageAsset & { readonly integrity: string }> => {
  const { outputFiles } = await build({
    ...bundleOptions,
    splitting: false,
    format: "iife",
    absWorkingDir: import.meta.dirname,
    entryPoints: { "postcode-widget": "src/define.ts" },
    outdir: "dist",
    write: false
  })
  const [script] = assetsOf(outputFiles)
  if (script === undefined) throw new Error("esbuild made no script")
  return { ...script, integrity: `sha384-${createHash("sha384").update(script.content).digest("base64")}` }
}

/** What the hosted page loads, where it is served from sources. */
export const makePageAssets = (): Promise<ReadonlyArray<PageAsset>> => bundleEmbed({ build }, import.meta.dirname)

/** The files of the bundle, for a page that is served from sources. */
export const makePickerAssets = (): Promise<ReadonlyArray<PageAsset>> => bundlePicker({ build }, import.meta.dirname)

/** The scripts of the frame that draws streets, where it is served from sources. */
export const makeMapAssets = (): Promise<ReadonlyArray<PageAsset>> => {
  madeMap ??= bundleMap({ build }, import.meta.dirname)
  return madeMap
}

/** Each of the files asks for all of them. */
let madeMap: Promise<ReadonlyArray<PageAsset>> | undefined

/** Of the sources of these scripts, and of the libraries' versions. */
export const digestOfSources = async (): Promise<string> => {
  const folder = join(import.meta.dirname, "src", "map")
  const files = (await readdir(folder)).sort().map((name) => join(folder, name))
  const hash = createHash("sha256")
  for (const file of [...files, join(import.meta.dirname, "package.json")]) hash.update(await readFile(file))
  return hash.digest("hex").slice(0, 16)
}
