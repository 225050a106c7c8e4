/** What the demonstration page consists of: its own files as they were written, and the bundle of `@postcode/widget`. */
import { readdir, readFile } from "node:fs/promises"

/** A file by its name. */
export interface PageAsset {
  readonly name: string
  readonly content: string
}

/** The files of the page, and those of the widget on it. */
export interface PageAssets {
  readonly page: ReadonlyArray<PageAsset>
  /** The widget's script, `postcode-picker.js`, and the chunks that it loads on demand. */
  readonly picker: ReadonlyArray<PageAsset>
}

/** A build puts a module in the place of this one that answers what this one finds: see `bundleDemonstration.ts`. */
export const pageAssets = async (): Promise<PageAssets> => {
  // No bundler follows it, for it leads to one.
  const bundler = new URL("../../../widget/bundle.ts", import.meta.url).href
  const { makePickerAssets } = (await import(bundler)) as Bundler
  return { page: await readPage(new URL("./page/", import.meta.url)), picker: await makePickerAssets() }
}

/** The files of a folder that a browser takes. */
export const readPage = async (folder: URL): Promise<ReadonlyArray<PageAsset>> => {
  const names = (await readdir(folder)).filter((name) => /\.(css|html|js|svg)$/.test(name))
  return Promise.all(
    names.map(async (name): Promise<PageAsset> => ({ name, content: await readFile(new URL(name, folder), "utf8") }))
  )
}

interface Bundler {
  readonly makePickerAssets: () => Promise<ReadonlyArray<PageAsset>>
}
