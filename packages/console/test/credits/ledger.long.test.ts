/** Credits: who adds them, and what took them away. */
import { defaultPriceList } from "@postcode/core/Prices"
import { describe, expect, it } from "vitest"
import { button, dialog, eventually, loaded, seen } from "../ConsolePage.ts"
import { anyCode, request } from "../usage/traffic.ts"
import { account, csvOf, ledger, useCredits } from "./CreditsPage.ts"

const { keys, openAs, organization, place, site } = useCredits()

describe("an account of credits", () => {
  it("gets credits from operators, once for each reference", async () => {
    const page = await openAs("operator", place())
    const grant = async (amount: string) => {
      await button(page, "Grant live credits").click()
      await dialog(page).getByLabel("Amount").fill(amount)
      await dialog(page).getByLabel("Reference").fill("INV-1")
      await button(dialog(page), "Grant credits").click()
    }
    await grant("500")
    await seen(account(page, "Live")).toMatch(/Balance500/)
    await page.getByText("Live", { exact: true }).first().click()
    await eventually(() => ledger(page).allTextContents()).toEqual(["Grant"])
    await grant("500")
    await eventually(() => dialog(page).count()).toBe(0)
    await seen(account(page, "Live")).toMatch(/Balance500/)
    await grant("700")
    await seen(dialog(page).getByRole("alert")).toMatch(/conflicts.*another amount/)
    await page.keyboard.press("Escape")
    await seen(account(page, "Live")).toMatch(/Balance500/)
    await eventually(() => ledger(page).count()).toBe(1)
  })

  it("shows the number of days that the balance lasts", async () => {
    const page = await openAs("owner", place())
    await seen(account(page, "Test")).toMatch(
      /Lasts for\d+ daysat the rate of the last 30 days, or since the first charge/
    )
    await seen(account(page, "Live")).toMatch(/Nothing spent in 30 days/)
  })
})

describe("the ledger", () => {
  it("shows the level of a charge, and links to its key and to all entries of its request", async () => {
    const code = await anyCode(site())
    const id = await request(site(), keys().checkout, `/v1/lookup?code=${code}&level=3`)
    const page = await openAs("owner", place())
    const row = page.getByRole("row").filter({ hasText: id })
    await seen(row).toMatch(/^Lookup, level 3by checkout/)
    expect(await row.getByRole("link", { name: "checkout" }).getAttribute("href")).toBe(
      `#/organizations/${organization()}/keys/${keys().checkout.id}`
    )
    await row.getByRole("link", { name: id }).click()
    await eventually(() => ledger(page).count()).toBe(1)
    await button(page, "Show all").click()
    await eventually(() => ledger(page).count()).toBeGreaterThan(1)
    await page.getByLabel("Request id or reference").fill(` ${id} `)
    await page.keyboard.press("Enter")
    await eventually(() => ledger(page).count()).toBe(1)
    expect(await csvOf(page)).toHaveLength(2)
    await page.getByLabel("Request id or reference").fill("no such request")
    await page.keyboard.press("Enter")
    await seen(page.getByRole("main")).toMatch(/No test entry has that reference/)
  })

  it("shows keys as ids without links to roles that may not see keys", async () => {
    const page = await openAs("billing", place())
    await seen(ledger(page).first()).toBe(`Lookup, level 3by ${keys().checkout.id}`)
    await loaded(page)
    expect(await ledger(page).getByRole("link").count()).toBe(0)
    expect(site().answers.filter((answer) => answer.includes("/keys"))).toEqual([])
  })

  it("shows a correction by its kind, with the reason for it", async () => {
    const reason = "charged for a page that failed"
    const correction = { amount: -3, environment: "test", kind: "refund", reason, reference: "CASE-7" }
    await site().manage("POST", `/organizations/${organization()}/credits/corrections`, correction)
    const page = await openAs("owner", place())
    await seen(ledger(page).first()).toBe(`Refund${reason}`)
    await seen(page.getByRole("row").filter({ hasText: "CASE-7" })).toMatch(/−3/)
    expect((await csvOf(page))[1]).toContain(`refund,,,CASE-7,${reason},`)
  })
})

it("the price list shows the prices that the service charges", async () => {
  const page = await openAs("owner", place())
  const cells = page.getByRole("table", { name: "Prices" }).locator("td:last-child")
  await eventually(() => cells.allTextContents()).toEqual(
    [
      0,
      ...Object.values(defaultPriceList.lookup),
      defaultPriceList.widget_session,
      defaultPriceList.address_search
    ].map(String)
  )
  const others = { lookup: { 1: 0, 2: 12, 3: 13, 4: 14, 5: 15 }, widget_session: 16, address_search: 17 }
  await page.route("**/v1/reference/prices", (route) => route.fulfill({ json: { data: others } }))
  await page.reload()
  await eventually(() => cells.allTextContents()).toEqual(["0", "12", "13", "14", "15", "16", "17"])
})

it("credits are bought on the operator's page, which opens beside the console", async () => {
  const page = await openAs("owner", place())
  await loaded(page)
  expect(await page.getByRole("link", { name: "Buy live credits" }).count()).toBe(0)
  const url = `https://pay.example/${organization()}/live`
  await page.route("**/credits?environment=live*", async (route) => {
    const response = await route.fetch()
    const { data } = (await response.json()) as { data: object }
    await route.fulfill({ response, json: { data: { ...data, balance: 0, buy_url: url } } })
  })
  await page.reload()
  const link = page.getByRole("link", { name: "Buy live credits, in a new tab" })
  await seen(account(page, "Live").getByRole("link")).toBe("Buy credits")
  expect(await link.getAttribute("href")).toBe(url)
  expect(await link.getAttribute("rel")).toBe("noopener noreferrer")
  expect(await page.getByRole("link", { name: "Buy test credits" }).count()).toBe(0)
  await page.goto(`${site().origin}/console/#/organizations/${organization()}`)
  await eventually(() => link.first().getAttribute("href")).toBe(url)
})
