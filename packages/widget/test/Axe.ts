/** What axe says of a page. */
import { readFileSync } from "node:fs"
import type { AxeResults } from "axe-core"
import type { Page } from "playwright-core"

/** The script that brings it into a page. */
export const axe = readFileSync(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8")

/** What it finds on a page that it is in. */
export const violations = async (page: Page): Promise<ReadonlyArray<string>> => {
  const found = await page.evaluate<AxeResults>(`axe.run(document, { resultTypes: ["violations"] })`)
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`)
}
