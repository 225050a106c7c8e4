/** The pages of the site: Markdown files of the repository, with links that lead to other pages. */
import { existsSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { contentsFile, entriesIn, generatedFolder, markdownAt, readContents, type Section } from "./contents.ts"
import { type Target, withTargets } from "./links.ts"
import { nodesIn, parseMarkdown, rangeOf, textOf } from "./markdown.ts"

export interface Page {
  /** A Markdown file, from the repository's root. */
  readonly file: string
  /** Its place on the site, without slashes around it; `index` is the front page. */
  readonly id: string
  readonly title: string
  readonly description: string | undefined
  /** What stands below the title. */
  readonly body: string
}

export interface Place {
  /** The folder of the repository. */
  readonly root: string
  /** The address of the site, or its path, with a slash at the end. */
  readonly base: string
  /** The address at which the repository's files are found; without it, they are named, not linked. */
  readonly source: string | undefined
  /** The hash of the widget's script, which stands in the place of `sha384-…`. */
  readonly integrity: string
}

export const frontFile = "site/front.md"

const notFoundFile = "site/notFound.md"

/**
 * All pages, the front page first, and then as they are listed.
 *
 * @param contents the list, by default of the whole site; links to pages that it lacks lead to files
 */
export const readPages = (place: Place, contents = readContents(place.root)): ReadonlyArray<Page> => {
  const files = filesIn(contents)
  return [...files].map((file) => readPage(place, file, files, descriptionOf(contents, file)))
}

/** The page that is served for every other address. It is in no list. */
export const readNotFound = (place: Place): Page =>
  readPage(place, notFoundFile, filesIn(readContents(place.root)), undefined)

const filesIn = (contents: ReadonlyArray<Section>): ReadonlySet<string> =>
  new Set([frontFile, contentsFile, ...entriesIn(contents).map(({ file }) => file)])

/** The place of a page on the site. */
export const idOf = (file: string): string => {
  if (file === frontFile) return "index"
  if (file === notFoundFile) return "404"
  if (file === "README.md") return "start"
  if (file === contentsFile) return "contents"
  return file
    .replace(/^(docs|\.github)\//, "")
    .replace(`${generatedFolder}/`, "")
    .replace(/(\/README)?\.md$/, "")
    .toLowerCase()
}

/** The address of a page. */
export const addressOf = (base: string, id: string): string => (id === "index" ? base : `${base}${id}/`)

/** Where a file or folder of the repository can be looked at. */
export const sourceOf = (source: string, path: string): string => `${source.replace(/\/$/, "")}/${path}`

const readPage = (place: Place, file: string, pages: ReadonlySet<string>, description: string | undefined): Page => {
  const markdown = readFileSync(join(place.root, file), "utf8")
  const heading = nodesIn(parseMarkdown(markdown)).find(({ type }) => type === "heading")
  if (heading?.depth !== 1) throw new Error(`${file} does not begin with a heading of the first level.`)
  const [, end] = rangeOf(heading)
  const text = markdown.slice(end).replace(/^\n+/, "").replaceAll("sha384-…", place.integrity)
  const body = withTargets(text, (link) => targetOf(place, file, pages, link))
  return { file, id: idOf(file), title: textOf(heading), description, body }
}

const targetOf = ({ base, root, source }: Place, file: string, pages: ReadonlySet<string>, link: string): Target => {
  const [, to = "", anchor = ""] = /^([^#]*)(#.*)?$/.exec(link) ?? []
  const path = posix.join(posix.dirname(file), to).replace(/\/$/, "")
  if (path.startsWith("..") || !existsSync(join(root, path)))
    throw new Error(`${file} links to ${link}, which is not there.`)
  const page = markdownAt(root, path)
  if (page !== undefined && pages.has(page)) return { address: `${addressOf(base, idOf(page))}${anchor}` }
  return source === undefined ? { path } : { address: `${sourceOf(source, path)}${anchor}` }
}

const descriptionOf = (contents: ReadonlyArray<Section>, file: string): string | undefined => {
  const description = entriesIn(contents).find((entry) => entry.file === file)?.description
  return description && description.charAt(0).toUpperCase() + description.slice(1)
}
