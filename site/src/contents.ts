/**
 * What the site holds, in which order. docs/README.md says so: its headings are the sections, and the links in its tables
 * and lists are the pages. Where one of them is the README.md of a folder, that lists further pages of its folder in the
 * same way.
 */
import { existsSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { type MarkdownNode, nodesIn, parseMarkdown, textOf } from "./markdown.ts"

export interface Section {
  /** Empty for what stands above the first heading. */
  readonly title: string
  readonly entries: ReadonlyArray<Entry>
}

export interface Entry {
  /** A Markdown file, from the repository's root. */
  readonly file: string
  readonly label: string
  /** What one reads the page for, if the list says it. */
  readonly description: string | undefined
  /** The pages that this one lists. */
  readonly below: ReadonlyArray<Section>
}

export const contentsFile = "docs/README.md"

/** For pages that are generated before the site is built. */
export const generatedFolder = "site/generated"

/**
 * The list of all pages. That it holds every page of docs/ is checked by test/markdown/links.test.ts.
 *
 * @param root the folder of the repository
 */
export const readContents = (root: string): ReadonlyArray<Section> => {
  const sections = sectionsIn(root, contentsFile, [])
  const named = entriesIn(sections).map(({ file }) => file)
  return sections.map(({ entries, title }) => ({
    title,
    entries: [...entries, ...generatedIn(root, title)].map((entry) => withPagesBelow(root, entry, named))
  }))
}

/**
 * The reference of the packages, which ends its section: no document can link to it, because it is in no commit.
 * reference/main.ts writes it.
 */
const generatedIn = (root: string, section: string): ReadonlyArray<Entry> => {
  const file = `${generatedFolder}/reference/api/README.md`
  const isHere = section === "Reference" && existsSync(join(root, file))
  return isHere ? [{ file, label: "Packages", description: "look up what a package exports", below: [] }] : []
}

/** All entries, those below others as well, in order. */
export const entriesIn = (sections: ReadonlyArray<Section>): ReadonlyArray<Entry> =>
  sections.flatMap(({ entries }) => entries.flatMap((entry) => [entry, ...entriesIn(entry.below)]))

/** The Markdown file that a path names: itself, or the README.md of a folder. Nothing if there is none. */
export const markdownAt = (root: string, path: string): string | undefined =>
  [path, posix.join(path, "README.md")].find((file) => file.endsWith(".md") && existsSync(join(root, file)))

/** @param elsewhere the pages that have a place already, so that none is repeated below another one */
const sectionsIn = (root: string, list: string, elsewhere: ReadonlyArray<string>): ReadonlyArray<Section> => {
  const sections: Array<{ title: string; entries: Array<Entry> }> = [{ title: "", entries: [] }]
  for (const node of parseMarkdown(readFileSync(join(root, list), "utf8")).children ?? []) {
    if (node.type === "heading" && node.depth === 2) sections.push({ title: textOf(node), entries: [] })
    sections.at(-1)?.entries.push(...rowsIn(root, list, node).filter(({ file }) => !elsewhere.includes(file)))
  }
  return sections.filter(({ entries }) => entries.length > 0)
}

/** The pages that the rows of a table, or the items of a list, are about: what their first links name. */
const rowsIn = (root: string, list: string, node: MarkdownNode): ReadonlyArray<Entry> =>
  nodesIn(node)
    .filter(({ type }) => type === "tableRow" || type === "listItem")
    .flatMap((row) => {
      const link = nodesIn(row).find(({ type }) => type === "link")
      if (link?.url === undefined || /^[a-z]+:/.test(link.url)) return []
      const file = markdownAt(root, posix.join(posix.dirname(list), link.url))
      const isOwn = list === contentsFile || (file !== list && file?.startsWith(`${posix.dirname(list)}/`))
      return file !== undefined && isOwn
        ? [{ file, label: textOf(link), description: descriptionIn(row, link), below: [] }]
        : []
    })

/** What stands in the last cell of a row, or after the colon of an item. */
const descriptionIn = (row: MarkdownNode, link: MarkdownNode): string | undefined => {
  const last = row.children?.at(-1)
  if (row.type === "tableRow") return last && textOf(last)
  return /^: (.+)/s.exec(textOf(row).slice(textOf(link).length))?.[1]
}

/** An entry with what it lists itself, if it is the README.md of a folder. */
const withPagesBelow = (root: string, entry: Entry, elsewhere: ReadonlyArray<string>): Entry => {
  const isList = posix.basename(entry.file) === "README.md" && posix.dirname(entry.file) !== "."
  return isList ? { ...entry, below: sectionsIn(root, entry.file, elsewhere) } : entry
}
