/** The files of the demonstration page, unbundled. */
import { readdir, readFile } from "node:fs/promises"
import { basename } from "node:path"

/** A file by its name. */
export interface PageAsset {
  readonly name: string
  readonly content: string
}

/** The page's own files. Replaced in a build by a module with the files: see `pageBuiltIn.ts`. */
export const pageAssets = (): Promise<ReadonlyArray<PageAsset>> => readPage(new URL("./browser/", import.meta.url))

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
