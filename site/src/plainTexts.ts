/** The site for programs that read text, as https://llmstxt.org has it: a list, everything in one file, and each page. */
import { type Entry, entriesIn, readContents, type Section } from "./contents.ts"
import { addressOf, frontFile, idOf, type Page, type Place, readPages } from "./pages.ts"

/**
 * What to write, by its path on the site: `llms.txt`, `llms-full.txt`, and for each page `index.html.md` beside its
 * `index.html`.
 */
export const plainTexts = (place: Place): ReadonlyMap<string, string> => {
  const pages = readPages(place)
  const texts = pages.map((page) => [`${addressOf("", page.id)}index.html.md`, textOf(page)] as const)
  return new Map([["llms.txt", listOf(place, pages)], ["llms-full.txt", pages.map(textOf).join("\n")], ...texts])
}

const textOf = ({ body, title }: Page): string => `# ${title}\n\n${body.trimEnd()}\n`

/** What is listed below another page is for those who want more: the convention calls that optional. */
const listOf = (place: Place, pages: ReadonlyArray<Page>): string => {
  const contents = readContents(place.root)
  const optional = contents.flatMap(({ entries }) => entries.flatMap(({ below }) => entriesIn(below)))
  const sections: ReadonlyArray<Section> = [...contents, { title: "Optional", entries: optional }]
  const front = pages.find(({ file }) => file === frontFile)
  const introduction = front?.body.split("\n\n")[0]?.replaceAll("\n", " ")
  const lists = sections.map(
    ({ entries, title }) => `## ${title}\n\n${entries.map((entry) => lineOf(place, entry)).join("\n")}`
  )
  return ["# Postcode Gateway", `> ${introduction}`, ...lists].join("\n\n").concat("\n")
}

const lineOf = ({ base }: Place, { description, file, label }: Entry): string =>
  `- [${label}](${addressOf(base, idOf(file))}index.html.md)${description === undefined ? "" : `: ${description}`}`
