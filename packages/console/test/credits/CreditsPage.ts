/** The screen of credits. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { button } from "../ConsolePage.ts"

export const account = (page: Page, name: "Live" | "Test") => page.getByRole("region", { name, exact: true })
export const ledger = (page: Page) => page.getByRole("table", { name: "Ledger" }).getByRole("rowheader")
/** The lines of the file that a screen gives. */
export const csvOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "CSV").click()])
  return (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")
}
