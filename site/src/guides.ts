/** The guides as the service itself has them: the pages of this site that its users need, as plain HTML. */
import { markdownToHtml } from "satteri"
import { contentsFile, generatedFolder, readContents, type Section } from "./contents.ts"
import { frontFile, idOf, type Page, readPages } from "./pages.ts"

/** A page below `/docs/`. */
export interface Guide {
  /** Its path without slashes around it; empty for the contents. */
  readonly id: string
  readonly title: string
  /** The content of the page, with its heading. */
  readonly html: string
}

/** Sections for people who change the product. Links to their pages become names of files. */
const leftOut: ReadonlySet<string> = new Set(["Inside"])

/** @param root the folder of the repository */
export const renderGuides = (root: string): ReadonlyArray<Guide> => {
  const contents = readContents(root)
    .filter(({ title }) => !leftOut.has(title))
    // Present only after a build of the site.
    .map(({ entries, title }) => ({ title, entries: entries.filter(({ file }) => !file.startsWith(generatedFolder)) }))
  const place = { root, base: "/docs/", source: undefined, integrity: "sha384-…" }
  const pages = readPages(place, contents).filter(({ file }) => file !== frontFile)
  return pages.map((page) => ({
    id: page.file === contentsFile ? "" : page.id,
    title: page.title,
    html: page.file === contentsFile ? contentsOf(contents) : articleOf(page)
  }))
}

/** The list of all pages, in their order. */
const contentsOf = (contents: ReadonlyArray<Section>): string => {
  const rows = contents.flatMap(({ entries, title }) => [
    title === "" ? "" : `<h2>${escaped(title)}</h2>`,
    "<ul>",
    ...entries.map(({ description, file, label }) => {
      const purpose = description === undefined ? "" : `: ${escaped(description)}`
      return `<li><a href="/docs/${idOf(file)}/">${escaped(label)}</a>${purpose}</li>`
    }),
    "</ul>"
  ])
  return withAnchors(`<h1>Guides</h1>${rows.join("")}`)
}

const articleOf = ({ body, title }: Page): string => {
  const { html } = markdownToHtml(body.replace(/<picture>.*?<\/picture>\n*/gs, ""))
  return `<h1>${escaped(title)}</h1>${withAnchors(withoutStyles(html)).replaceAll('href="/docs/contents/', 'href="/docs/')}`
}

/** The policy of the pages allows no inline styles. */
const withoutStyles = (html: string): string =>
  html
    .replaceAll(' style="text-align: right"', ' class="number"')
    .replace(/ style="[^"]*"/g, "")
    .replace(/<img [^>]*alt="([^"]*)"[^>]*>/g, "$1")
    .replace(/<table>(.*?)<\/table>/gs, '<div class="wide"><table>$1</table></div>')

/** Headings get the anchors that links in Markdown name. */
const withAnchors = (html: string): string => {
  const taken = new Map<string, number>()
  return html.replace(/<h([2-6])>(.*?)<\/h\1>/gs, (_, level: string, content: string) => {
    const slug = slugOf(content)
    const times = taken.get(slug) ?? 0
    taken.set(slug, times + 1)
    return `<h${level} id="${times === 0 ? slug : `${slug}-${times}`}">${content}</h${level}>`
  })
}

const slugOf = (html: string): string =>
  html
    .replace(/<[^>]+>/g, "")
    .replace(/&(?:amp|lt|gt|quot|#39);/g, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-")

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")
