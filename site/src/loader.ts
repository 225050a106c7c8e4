/** Gives the pages to Astro. */
import { dirname, join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Loader, LoaderContext } from "astro/loaders"
import { root } from "../../scripts/workspace.mjs"
import { generatedFolder } from "./contents.ts"
import { type Page, readNotFound, readPages, sourceOf } from "./pages.ts"
import { withPictures } from "./pictures.ts"
import { basePath, sourceAddress, widgetIntegrity } from "./settings.ts"

/** Reads all pages, and all of them again when one changes while somebody writes. */
export const pagesLoader: Loader = {
  name: "pages",
  load: async (context) => {
    const files = await loadAll(context)
    const reload = (file: string) => {
      if (files.includes(file)) loadAll(context).catch((error) => context.logger.error(String(error)))
    }
    // Some editors put a new file in the place of the old one, which only its folder tells. The root holds all else as well.
    context.watcher?.add(files.map((file) => (dirname(file) === resolve(root) ? file : dirname(file))))
    context.watcher?.on("change", reload)
    context.watcher?.on("add", reload)
  }
}

/** Answers which files it has read. */
const loadAll = async (context: LoaderContext): Promise<Array<string>> => {
  const integrity = await widgetIntegrity()
  const place = { root, base: basePath(context.config), source: sourceAddress, integrity }
  const pages = [...readPages(place), readNotFound(place)]
  context.store.clear()
  for (const page of pages) await load(context, page)
  return pages.map(({ file }) => join(root, file))
}

const load = async ({ generateDigest, parseData, renderMarkdown, store }: LoaderContext, page: Page): Promise<void> => {
  const { body, file, id } = page
  const data = await parseData({ id, data: dataOf(page) })
  const rendered = await renderMarkdown(withPictures(body), { fileURL: pathToFileURL(join(root, file)) })
  const { imagePaths: assetImports = [] } = rendered.metadata ?? {}
  store.set({ id, data, body, rendered, assetImports, filePath: `../${file}`, digest: generateDigest(body) })
}

const dataOf = ({ description, file, id, title }: Page) => ({
  title,
  ...(description !== undefined && { description }),
  ...(["index", "404"].includes(id) && { template: "splash" }),
  editUrl: editAddressOf(file, id)
})

const editAddressOf = (file: string, id: string): string | false => {
  if (sourceAddress === undefined || id === "404" || file.startsWith(generatedFolder)) return false
  return sourceOf(sourceAddress.replace("/blob/", "/edit/"), file)
}
