/** All pages of docs/reference. */
import { apiPages } from "./apiPages.ts"
import { commandLinePage } from "./commandLinePage.ts"
import { errorPages, errorTable } from "./errorPages.ts"
import type { Page } from "./Page.ts"
import { permissionsPage } from "./permissionsPage.ts"

/** Every page, and in front of them one that lists them. */
export const referencePages = async (): Promise<ReadonlyArray<Page>> => {
  const [command, permissions] = [await commandLinePage(), permissionsPage()]
  const [api, errors] = [apiPages(), errorPages()]
  const sections = [
    { heading: "The command", pages: [command] },
    { heading: "The management API", pages: [permissions] },
    { heading: "What packages export", pages: api },
    { heading: "Errors", pages: errors }
  ]
  const text = [
    "# Generated from code",
    "These pages are made by `UPDATE_DOCS=1 npm test -- reference`, from declarations and their comments, from the command's help, and from the contract. `npm test` fails where they differ from the code. Change the code, not them.",
    ...sections.flatMap(({ heading, pages }) => [`## ${heading}`, listOf(pages)])
  ]
  const index = {
    path: `${folder}/README.md`,
    title: "Generated from code",
    summary: "",
    text: `${text.join("\n\n")}\n`
  }
  return [index, command, permissions, ...api, ...errors]
}

const folder = "docs/reference"

const listOf = (pages: ReadonlyArray<Page>): string =>
  pages.map(({ path, summary, title }) => `- [${title}](${path.slice(folder.length + 1)}): ${summary}`).join("\n")

/** docs/errors.md with the table of codes under its last heading. */
export const withErrorTable = (page: string): string =>
  page.replace(/^(## All codes\n)[\s\S]*$/m, (_, heading: string) => `${heading}\n${errorTable()}\n`)
