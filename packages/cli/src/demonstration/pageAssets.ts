/** The assets of the demonstration page: its own files, unbundled, and the bundle of `@postcode/widget`. */
import { readdir, readFile } from "node:fs/promises"
import { basename } from "node:path"

/** A file by its name. */
export interface PageAsset {
  readonly name: string
  readonly content: string
}

/** The files of the page, including the widget's. */
export interface PageAssets {
  readonly page: ReadonlyArray<PageAsset>
  /** The widget's script, `postcode-picker.js`, and its lazy chunks. */
  readonly picker: ReadonlyArray<PageAsset>
}

/** Replaced in a build by a module with the built files: see `bundleDemonstration.ts`. */
export const pageAssets = async (): Promise<PageAssets> => {
  // Not a literal, so that bundlers do not include the bundler.
  const bundler = new URL("../../../widget/bundle.ts", import.meta.url).href
  const { makePickerAssets } = (await import(bundler)) as Bundler
  return { page: await readPage(new URL("./page/", import.meta.url)), picker: await makePickerAssets() }
}

/** The files of the page's folder that a browser loads, and the design tokens. */
export const readPage = async (folder: URL): Promise<ReadonlyArray<PageAsset>> => {
  const names = (await readdir(folder)).filter((name) => /\.(css|html|js|svg)$/.test(name))
  const files = [...names, "../../../../../config/tokens.css"].map((path) => new URL(path, folder))
  return Promise.all(
    files.map(
      async (file): Promise<PageAsset> => ({ name: basename(file.pathname), content: await readFile(file, "utf8") })
    )
  )
}

interface Bundler {
  readonly makePickerAssets: () => Promise<ReadonlyArray<PageAsset>>
}
