/** The pages that are generated from code and committed: hand-written pages link to them. */
import { commandLinePage } from "./commandLinePage.ts"
import { errorPages, errorTable } from "./errorPages.ts"
import type { Page } from "./Page.ts"
import { permissionsPage } from "./permissionsPage.ts"

export const referencePages = async (): Promise<ReadonlyArray<Page>> => [
  await commandLinePage(),
  permissionsPage(),
  ...errorPages()
]

/** The list of errors, with the table of codes after its last heading. */
export const withErrorTable = (page: string): string =>
  page.replace(/^(## All codes\n)[\s\S]*$/m, (_, heading: string) => `${heading}\n${errorTable()}\n`)
