/** Usage: charts, and tables that say the same as the service. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { button, eventually, loaded, seen } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"
import { type Keys, sendTraffic } from "./traffic.ts"

const { openAs, organization, site } = useShop({ granted_level: 3 })
let keys: Keys

/** On each day one lookup of level 3 and others of level 2, as many searches, and one that is refused. */
const days = 10

beforeAll(async () => {
  keys = await sendTraffic(site(), organization(), days)
})

const place = (query = "") => `/organizations/${organization()}/usage${query}`
const rows = async (page: Page, measure: "Credits" | "Requests") => {
  const all = page.getByRole("table", { name: `${measure} in total` }).locator("tbody tr")
  return (await all.allInnerTexts()).map((text) => text.split(/\t/).slice(0, 2))
}

interface Usage {
  readonly usage: ReadonlyArray<Readonly<Record<string, number | string | null>>>
}

/** What the service counted, the most first. */
const counted = async (by: string, measure: "credits" | "requests") => {
  const path = `/organizations/${organization()}/usage?environment=test&by=${by}`
  const { usage } = await site().manage<Usage>("GET", path)
  const name = by === "key" ? "key_id" : by
  const totals = new Map<string, number>()
  for (const row of usage) {
    const one = String(row[name])
    totals.set(one, (totals.get(one) ?? 0) + Number(row[measure]))
  }
  return [...totals].filter(([, total]) => total > 0).sort(([, a], [, b]) => b - a)
}

const inWords: Readonly<Record<string, string>> = {
  "lookup.single": "Lookup",
  "search.autocomplete": "Autocomplete",
  null: "No level",
  2: "Level 2",
  3: "Level 3",
  200: "200 Successful",
  400: "400 Malformed request"
}

describe("a report", () => {
  it("has the totals of the service in each grouping", async () => {
    const page = await openAs("owner", place())
    for (const by of ["operation", "level", "status", "key"]) {
      await page.getByLabel("Group by").selectOption(by)
      for (const measure of ["Requests", "Credits"] as const) {
        const expected = await counted(by, measure === "Requests" ? "requests" : "credits")
        const nameOf = (name: string) =>
          name === keys.checkout.id ? "checkout" : name === keys.nightly.id ? "nightly job" : inWords[name]
        await eventually(() => rows(page, measure)).toEqual(
          expected.map(([name, total]) => [nameOf(name), String(total)])
        )
      }
    }
  })

  it("has 30 days if its address has an invalid period", async () => {
    const page = await openAs("owner", place("?period=1e12"))
    await seen(page.locator(".totals > div").first()).toMatch(/the 30 days before$/)
  })

  it("has a chart whose values are read by keyboard, and are in a table below", async () => {
    const page = await openAs("owner", place("?period=7"))
    const chart = page.getByRole("img", { name: /^Requests a day/ })
    await seen(page.getByRole("region", { name: "Requests" })).toMatch(/Lookup/)
    expect(await chart.getAttribute("aria-label")).toMatch(/: Lookup \d+, Autocomplete \d+$/)
    await page.getByText("Day by day").first().click()
    const table = page.getByRole("table", { name: "Requests day by day" })
    const cells = (await table.locator("tbody tr").allInnerTexts()).map((text) => text.split("\t"))
    expect(cells).toHaveLength(7)
    const day = page.getByRole("region", { name: "Requests" }).getByRole("slider", { name: "Day" })
    for (const [i, [, lookups, searches]] of cells.reverse().entries()) {
      await day.press(i === 0 ? "Home" : "ArrowRight")
      const inAll = Number(lookups) + Number(searches)
      await eventually(() => day.getAttribute("aria-valuetext")).toMatch(
        new RegExp(`: ${inAll} in total; Lookup ${lookups}, Autocomplete ${searches}$`)
      )
    }
    expect(await chart.locator("rect:not(.whole)").count()).toBe(14)
  })

  it("is exported as a file", async () => {
    const page = await openAs("owner", place("?by=key&period=7"))
    // Names come with the list of keys.
    await eventually(async () => (await rows(page, "Requests")).flat()).toContain("checkout")
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, "CSV").click()])
    const [head, ...lines] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")
    expect(head).toBe("date,key,key_name,requests,credits")
    expect(lines).toHaveLength(14)
    expect(lines.filter((line) => line.includes(`,${keys.checkout.id},checkout,`))).toHaveLength(7)
  })

  it("requests no keys for roles that may not see them", async () => {
    const page = await openAs("billing", place("?by=key"))
    await eventually(() => rows(page, "Credits")).toEqual([[keys.checkout.id, expect.any(String)]])
    await loaded(page)
    expect(site().answers.filter((answer) => answer.includes("/keys"))).toEqual([])
    expect(await page.getByLabel("Keys").count()).toBe(0)
  })
})
