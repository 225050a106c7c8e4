/** Usage: of one key, beside the days before, of nothing, and what axe says of it. */
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { lastDays } from "../../src/screens/usage/period.ts"
import { expectNothing } from "../Axe.ts"
import { eventually, seen } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"
import { type Keys, sendTraffic } from "./traffic.ts"

const { now_ms, openAs, organization, site } = useShop({ granted_level: 3 })
let keys: Keys

beforeAll(async () => {
  keys = await sendTraffic(site(), organization(), 10)
})

const place = (query = "") => `/organizations/${organization()}/usage${query}`
const rows = async (page: Page, measure: "Credits" | "Requests") => {
  const all = page.getByRole("table", { name: `${measure} in total` }).locator("tbody tr")
  return (await all.allInnerTexts()).map((text) => text.split(/\t/).slice(0, 2))
}

describe("a report", () => {
  it("can be limited to one key, and links to the page of the key", async () => {
    const page = await openAs("owner", place("?by=key"))
    await page.getByLabel("Keys").selectOption({ label: "nightly job" })
    await eventually(() => rows(page, "Requests")).toEqual([["nightly job", expect.stringMatching(/^\d+$/)]])
    await seen(page.getByRole("region", { name: "Credits" })).toMatch(/None in this period/)
    const link = page.getByRole("table").first().getByRole("link", { name: "nightly job" })
    expect(await link.getAttribute("href")).toBe(`#/organizations/${organization()}/keys/${keys.nightly.id}`)
  })

  it("compares with the same number of days before, also if there were no requests", async () => {
    const page = await openAs("owner", place())
    const total = (name: string) => page.locator(".totals > div").filter({ hasText: name })
    await seen(total("Requests")).toMatch(/none in the 30 days before$/)
    await page.getByLabel("Days").selectOption("own")
    const [from, to] = [lastDays(4, now_ms()).from, lastDays(1, now_ms()).to]
    await page.getByLabel("First day").fill(from)
    await page.getByLabel("Last day").fill(to)
    await seen(total("Requests")).toMatch(/the 4 days before/)
    await page.getByLabel("First day").fill(to)
    await page.getByLabel("Last day").fill(from)
    await seen(page.getByRole("alert")).toMatch(/From: expected a day not after/)
  })

  it("without requests shows what to do next", async () => {
    const page = await openAs("owner", place())
    await page.getByRole("radio", { name: "Live" }).check({ force: true })
    await seen(page.getByRole("main")).toMatch(/There was no live request/)
    await page.getByRole("main").getByRole("link", { name: "Keys" }).waitFor()
  })
})

it("axe has nothing to complain about", async () => {
  const page = await openAs("owner", place("?period=7"), { withAxe: true })
  await page.getByText("Day by day").first().click()
  await expectNothing(page, "usage")
})
