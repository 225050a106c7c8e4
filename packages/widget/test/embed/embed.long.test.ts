/** What axe says of the hosted page. */
import { expect, it } from "vitest"
import { axe, violations } from "../Axe.ts"
import { eventually, status, useEmbed } from "./EmbedPage.ts"

const { address, newPage, site } = useEmbed()

it.each(["light", "dark"] as const)("the page is accessible: %s", async (colorScheme) => {
  const page = await newPage({ colorScheme, viewport: { width: 360, height: 640 }, bypassCSP: true })
  await page.goto(address({ "publishable-key": await site().newKey([]) }))
  await page.getByRole("button", { name: "Continue" }).waitFor()
  await page.addScriptTag({ content: axe })
  expect(await violations(page)).toEqual([])
  await page.getByRole("button", { name: "Skip" }).click()
  await page.getByRole("combobox").fill("l")
  await page.getByRole("option").first().waitFor()
  expect(await violations(page)).toEqual([])
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
})

it("what keeps the page from showing a picker is announced, on a page that is accessible", async () => {
  const page = await newPage({ bypassCSP: true })
  await page.goto(address({ lang: "fr", level: "9" }))
  await eventually(() => status(page).textContent()).toContain("level: expected one of")
  await page.addScriptTag({ content: axe })
  expect(await violations(page)).toEqual([])
})
