/** Gives the pages to Astro. */
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import type { Loader, LoaderContext } from "astro/loaders"
import { root } from "../../scripts/workspace.mjs"
import { type Page, readPages, sourceOf } from "./pages.ts"
import { basePath, sourceAddress } from "./settings.ts"

/** Reads all pages, and all of them again when a Markdown file changes while somebody writes. */
export const pagesLoader: Loader = {
  name: "pages",
  load: async (context) => {
    await loadAll(context)
    context.watcher?.add(
      ["*.md", "docs", "examples/**/*.md", "packages/*/*.md", "site/*.md"].map((path) => join(root, path))
    )
    context.watcher?.on("all", (_, file) => {
      if (file.endsWith(".md")) loadAll(context).catch((error) => context.logger.error(String(error)))
    })
  }
}

const loadAll = async (context: LoaderContext): Promise<void> => {
  const pages = readPages({ root, base: basePath(context.config), source: sourceAddress })
  context.store.clear()
  for (const page of pages) await load(context, page)
}

const load = async ({ generateDigest, parseData, renderMarkdown, store }: LoaderContext, page: Page): Promise<void> => {
  const { body, file, id } = page
  const data = await parseData({ id, data: dataOf(page) })
  const rendered = await renderMarkdown(body, { fileURL: pathToFileURL(join(root, file)) })
  const { imagePaths: assetImports = [] } = rendered.metadata ?? {}
  store.set({ id, data, body, rendered, assetImports, filePath: `../${file}`, digest: generateDigest(body) })
}

const dataOf = ({ description, file, id, title }: Page) => ({
  title,
  ...(description !== undefined && { description }),
  ...(id === "index" && { template: "splash" }),
  editUrl: sourceAddress === undefined ? false : sourceOf(sourceAddress.replace("/blob/", "/edit/"), file)
})
