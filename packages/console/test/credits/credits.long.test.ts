/** Credits: their threshold, who may change what, the ledger as a file, and what axe says of them. */
import { describe, expect, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { button, dialog, eventually, loaded, seen } from "../ConsolePage.ts"
import { anyCode, request } from "../usage/traffic.ts"
import { account, csvOf, ledger, useCredits } from "./CreditsPage.ts"

const { keys, openAs, place, site } = useCredits()

describe("an account of credits", () => {
  it("is marked as low below a threshold, which can be removed", async () => {
    const page = await openAs("billing", place())
    const set = async (threshold: string) => {
      await button(page, "Threshold of test credits").click()
      await dialog(page).getByLabel("Threshold").fill(threshold)
      await button(dialog(page), "Save").click()
      await eventually(() => dialog(page).count()).toBe(0)
    }
    await set("5000")
    await seen(account(page, "Test")).toMatch(/Low: below the threshold of 5,000.*Low-balance threshold5,000/)
    await set("")
    await seen(account(page, "Test")).toMatch(/Low-balance thresholdNot set/)
    await button(page, "Threshold of test credits").click()
    await dialog(page).getByLabel("Threshold").fill("1.5")
    await button(dialog(page), "Save").click()
    await seen(dialog(page).locator(".error")).toMatch(/\w/)
  })

  it("has only buttons that the role may use", async () => {
    const page = await openAs("developer", place())
    await ledger(page).first().waitFor()
    await loaded(page)
    expect(
      await page
        .getByRole("main")
        .getByRole("button", { name: /Grant|Threshold/ })
        .count()
    ).toBe(0)
    const owned = await openAs("owner", place())
    await eventually(() => button(owned, /Threshold/).count()).toBe(2)
    expect(await button(owned, /Grant/).count()).toBe(0)
  })

  it("tells members, who cannot grant credits, how to get more", async () => {
    const page = await openAs("owner", place())
    await seen(account(page, "Test")).toMatch(/Test credits do not refill\. Ask an operator to add more\.$/)
    await seen(account(page, "Live")).toMatch(/An operator adds live credits after your payment\.$/)
    const operator = await openAs("operator", place())
    await button(operator, "Grant test credits").waitFor()
    expect(await account(operator, "Test").getByText("Ask an operator").count()).toBe(0)
  })
})

describe("the ledger", () => {
  it("comes after the prices that explain it, and before them if the address names a request", async () => {
    const page = await openAs("owner", place())
    const titles = () => page.getByRole("main").getByRole("heading", { level: 2 }).allTextContents()
    await eventually(titles).toEqual(["Live", "Test", "Prices", "Test ledger"])
    await page
      .getByRole("table", { name: "Ledger" })
      .getByRole("link")
      .filter({ has: page.locator("code") })
      .first()
      .click()
    await eventually(titles).toEqual(["Live", "Test", "Test ledger", "Prices"])
  })

  it("is exported as a file of all pages, and the export can be stopped", async () => {
    const code = await anyCode(site())
    for (let i = 0; i < 105; i++) await request(site(), keys().checkout, `/v1/lookup?code=${code}&level=2`)
    const page = await openAs("owner", place())
    const [head, ...rows] = await csvOf(page)
    expect(head).toBe("created_at,amount,balance_after,reason,level,key_id,reference,note,id")
    expect(rows.length).toBeGreaterThan(105)
    expect(rows.at(-1)).toMatch(/,1000,1000,opening,,,org_/)
    expect(new Set(rows).size).toBe(rows.length)

    let answer = () => {}
    const held = new Promise<undefined>((resolve) => {
      answer = () => resolve(undefined)
    })
    site().meanwhile = (_, url) => (url.searchParams.has("cursor") ? held : undefined)
    await button(page, "CSV").click()
    await button(page, "Stop at 100 rows").click()
    await button(page, "CSV").waitFor()
    answer()
    expect(await page.getByRole("alert").count()).toBe(0)
  })
})

it("axe has nothing to complain about", async () => {
  const page = await openAs("operator", place(), { withAxe: true })
  await ledger(page).first().waitFor()
  await expectNothing(page, "credits")
  await button(page, "Grant test credits").click()
  await expectNothing(page, "a grant")
})
