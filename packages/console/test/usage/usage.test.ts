/** Usage: charts, and tables that say the same as the service. */
import { readFile } from "node:fs/promises"
import { errorTable } from "@postcode/http"
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { statusMeanings } from "../../src/kit/statusMeanings.ts"
import { daysOf, isPeriod, lastDays, periodBefore } from "../../src/screens/usage/period.ts"
import { ticksTo } from "../../src/screens/usage/scale.ts"
import { grouped, mostUsed, seriesOf } from "../../src/screens/usage/series.ts"
import { expectNothing } from "../Axe.ts"
import { button, eventually, loaded, seen, useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"
import { type Keys, sendTraffic } from "./traffic.ts"

const { now_ms, openAs, site } = useConsole()
let organization: string
let keys: Keys
let owner: Person
let billing: Person

/** On each day one lookup of level 3 and others of level 2, as many searches, and one that is refused. */
const days = 10

beforeAll(async () => {
  const { manage, newOrganization, newPerson } = site()
  organization = await newOrganization("Shop")
  await manage("PATCH", `/organizations/${organization}`, { granted_level: 3 })
  keys = await sendTraffic(site(), organization, days)
  owner = await newPerson("Ada Obi", "owner", organization)
  billing = await newPerson("Tunde Bello", "billing", organization)
})

const place = (query = "") => `/organizations/${organization}/usage${query}`
const rows = async (page: Page, measure: "Credits" | "Requests") => {
  const all = page.getByRole("table", { name: `${measure} in all` }).locator("tbody tr")
  return (await all.allInnerTexts()).map((text) => text.split(/\t/).slice(0, 2))
}

interface Usage {
  readonly usage: ReadonlyArray<Readonly<Record<string, number | string | null>>>
}

/** What the service counted, the most first. */
const counted = async (by: string, measure: "credits" | "requests") => {
  const path = `/organizations/${organization}/usage?environment=test&by=${by}`
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
  200: "200 Answered",
  400: "400 Malformed request"
}

describe("a report", () => {
  it("adds up, by operation, level, key and status, to what the service counted", async () => {
    const page = await openAs(owner, place())
    for (const by of ["operation", "level", "status", "key"]) {
      await page.getByLabel("Split by").selectOption(by)
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

  it("is of 30 days where its address asks for more than a report can have", async () => {
    const page = await openAs(owner, place("?period=1e12"))
    await seen(page.locator(".totals > div").first()).toMatch(/the 30 days before$/)
  })

  it("is of one key where it is asked for, and the key leads to its page", async () => {
    const page = await openAs(owner, place("?by=key"))
    await page.getByLabel("Keys").selectOption({ label: "nightly job" })
    await eventually(() => rows(page, "Requests")).toEqual([["nightly job", expect.stringMatching(/^\d+$/)]])
    await seen(page.getByRole("region", { name: "Credits" })).toMatch(/None on these days/)
    const link = page.getByRole("table").first().getByRole("link", { name: "nightly job" })
    expect(await link.getAttribute("href")).toBe(`#/organizations/${organization}/keys/${keys.nightly.id}`)
  })

  it("compares with as many days before, and says so where there was nothing", async () => {
    const page = await openAs(owner, place())
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

  it("has a chart whose every number is in a table below", async () => {
    const page = await openAs(owner, place("?period=7"))
    const chart = page.getByRole("img", { name: /^Requests a day/ })
    await seen(page.getByRole("region", { name: "Requests" })).toMatch(/Lookup/)
    expect(await chart.getAttribute("aria-label")).toMatch(/: Lookup \d+, Autocomplete \d+$/)
    await page.getByText("Day by day").first().click()
    const table = page.getByRole("table", { name: "Requests day by day" })
    const cells = (await table.locator("tbody tr").allInnerTexts()).map((text) => text.split("\t"))
    const words = await chart.locator("title").allTextContents()
    expect(cells).toHaveLength(7)
    for (const [i, [, lookups, searches]] of cells.reverse().entries()) {
      expect(words[i]?.split("\n").slice(1)).toEqual([`Lookup: ${lookups}`, `Autocomplete: ${searches}`])
    }
    expect(await chart.locator("rect:not(.whole)").count()).toBe(14)
  })

  it("is a file", async () => {
    const page = await openAs(owner, place("?by=key&period=7"))
    // Names come with the list of keys.
    await eventually(async () => (await rows(page, "Requests")).flat()).toContain("checkout")
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, "CSV").click()])
    const [head, ...lines] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")
    expect(head).toBe("date,key,key_name,requests,credits")
    expect(lines).toHaveLength(14)
    expect(lines.filter((line) => line.includes(`,${keys.checkout.id},checkout,`))).toHaveLength(7)
  })

  it("asks nothing of keys for whoever may not see them", async () => {
    const page = await openAs(billing, place("?by=key"))
    await eventually(() => rows(page, "Credits")).toEqual([[keys.checkout.id, expect.any(String)]])
    await loaded(page)
    expect(site().answers.filter((answer) => answer.includes("/keys"))).toEqual([])
    expect(await page.getByLabel("Keys").count()).toBe(0)
  })

  it("of nothing says what to do next", async () => {
    const page = await openAs(owner, place())
    await page.getByRole("radio", { name: "Live" }).check({ force: true })
    await seen(page.getByRole("main")).toMatch(/No live request was made on these days/)
    await page.getByRole("main").getByRole("link", { name: "Keys" }).waitFor()
  })
})

it("axe has nothing to complain about", async () => {
  const page = await openAs(owner, place("?period=7"), { withAxe: true })
  await page.getByText("Day by day").first().click()
  await expectNothing(page, "usage")
})

it("each status that the service answers has its meaning in words", () => {
  for (const [status] of Object.values(errorTable)) expect(Object.keys(statusMeanings)).toContain(String(status))
})

describe("days", () => {
  it("are whole ones in UTC, the last one today, and as many before", () => {
    const period = lastDays(30, Date.parse("2026-03-15T23:59:59Z"))
    expect(period).toEqual({ from: "2026-02-14", to: "2026-03-15" })
    expect(daysOf(period)).toHaveLength(30)
    expect(periodBefore(period)).toEqual({ from: "2026-01-15", to: "2026-02-13" })
    expect(daysOf(lastDays(1, 0))).toEqual(["1970-01-01"])
  })

  it("are none from a later to an earlier one, of more than a year, or of what is no day", () => {
    expect(isPeriod({ from: "2026-01-02", to: "2026-01-01" })).toBe(false)
    expect(isPeriod({ from: "0002-01-01", to: "2026-01-01" })).toBe(false)
    expect(isPeriod({ from: "soon", to: "2026-01-01" })).toBe(false)
    expect(isPeriod({ from: "2026-01-01", to: "2026-12-31" })).toBe(true)
  })
})

describe("a chart", () => {
  it("has a scale of round numbers that holds the largest one", () => {
    expect(ticksTo(730)).toEqual([0, 200, 400, 600, 800])
    for (const maximum of [0, 1, 2, 3, 7, 9, 10, 11, 99, 100, 101, 12_345, 999_999_999]) {
      const ticks = ticksTo(maximum)
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(1, maximum))
      expect(ticks.length).toBeGreaterThan(1)
      expect(ticks.length).toBeLessThanOrEqual(6)
      expect(ticks.every(Number.isSafeInteger)).toBe(true)
    }
  })

  it("stacks the largest ones, and the rest as one, so that nothing is missing", () => {
    const usage = [5, 9, 1, 7, 3].flatMap((requests, i) => [
      { date: "2026-01-01", operation: `op${i}`, requests, credits: 0 },
      { date: "2026-01-02", operation: `op${i}`, requests: 1, credits: 0 }
    ])
    const series = seriesOf(usage, ["2026-01-01", "2026-01-02"], "requests")
    expect(series.map(({ name }) => name)).toEqual(["op1", "op3", "op0", "op4", "op2"])
    const shown = grouped(series, mostUsed(usage, 3))
    expect(shown.map(({ name, total, values }) => [name, total, values])).toEqual([
      ["op1", 10, [9, 1]],
      ["op3", 8, [7, 1]],
      ["others", 12, [9, 3]]
    ])
    expect(grouped(series, mostUsed(usage, 5))).toEqual(series)
    expect(seriesOf(usage, ["2026-01-01"], "credits")).toEqual([])
  })

  it("shows apart what costs most as well as what is asked for most", () => {
    const usage = [
      { date: "2026-01-01", operation: "many", requests: 90, credits: 0 },
      { date: "2026-01-01", operation: "some", requests: 9, credits: 1 },
      { date: "2026-01-01", operation: "dear", requests: 1, credits: 99 }
    ]
    expect(mostUsed(usage, 3)).toEqual(["dear", "many", "some"])
    expect(mostUsed(usage, 2)).toEqual(["dear", "others"])
    expect(grouped(seriesOf(usage, ["2026-01-01"], "credits"), ["many", "others"]).map(({ total }) => total)).toEqual([
      100
    ])
  })
})
