/** The credits of the instance by day: sums, filters, the file, and what axe says of the screen. */
import { expect, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { eventually, seen } from "../ConsolePage.ts"
import { csvOf, useCredits } from "./CreditsPage.ts"

const { openAs, organization, site } = useCredits()

const columns = ["Day", "Granted", "Refunds", "Adjustments", "Charged", "Starting credits"]

it("an operator sees the ledgers of all organizations as sums, by environment and period, and as a file", async () => {
  const page = await openAs("operator", "/credits?environment=test", { withAxe: true })
  const table = page.getByRole("table", { name: "Credits by day" })
  await eventually(() => table.getByRole("columnheader").allTextContents()).toEqual(columns)
  const days = await table.getByRole("row").count()
  const totals = await page.locator(".totals dd").allTextContents()
  // New organizations start with test credits, and the traffic is charged on several days.
  expect(totals.at(-1)).toMatch(/^\d{1,3}(,\d{3})+$/)
  expect(totals[3]).toMatch(/^[1-9]/)
  const [head, ...lines] = await csvOf(page)
  expect(head).toBe("date,granted,refunded,adjusted,charged,opening")
  expect(lines).toHaveLength(days - 1)
  const charged = lines.reduce((sum, line) => sum + Number(line.split(",")[4]), 0)
  expect(totals[3]).toBe(charged.toLocaleString("en"))
  await expectNothing(page, "credits by day")
  await page.getByLabel("Environment").selectOption("live")
  await page.getByLabel("Days").selectOption("7")
  await seen(page.getByRole("main")).toMatch(/No live credits were granted, corrected or charged in this period\./)
  expect(page.url()).toContain("period=7")
})

it("an owner does not see it", async () => {
  const page = await openAs("owner", `/organizations/${organization()}/credits`)
  await page.goto(`${site().origin}/console/#/credits`)
  await seen(page.getByRole("heading", { level: 1 })).toBe("Not found")
})
