/** Keys in the console: where more is to be had, long lists, and what axe says of the check of a website. */
import type { Page } from "playwright-core"
import { describe, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { button, eventually, seen, title } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"
import { makeKey } from "./ApiKeys.ts"

const { openAs, organization, site } = useShop({ granted_level: 3, kyb_status: "verified", review_note: "papers seen" })

const keys = (rest = "") => `/organizations/${organization()}/keys${rest}`
const named = (page: Page) => page.getByRole("rowheader").locator("a").allTextContents()

describe("a new key", () => {
  it("links owners and operators to the screen for a level above the granted one", async () => {
    for (const [role, link, place] of [
      ["owner", "Request a higher level", "Verification"],
      ["operator", "Grant a higher level", "Manage"]
    ] as const) {
      const page = await openAs(role, keys("/new"))
      await page.getByRole("link", { name: link }).click()
      await seen(title(page)).toMatch(place)
    }
  })
})

describe("the list of keys", () => {
  it("reads all pages of them", async () => {
    const other = await site().newOrganization("Many")
    const make = (i: number) => makeKey(site(), other, { name: `key ${i}`, scopes: ["search"], max_level: 1 })
    const { id } = await make(0)
    await Promise.all(Array.from({ length: 99 }, (_, i) => make(i + 1)))
    // No more than 100 are active.
    await site().manage("DELETE", `/keys/${id}`)
    await make(100)
    const page = await openAs(
      await site().newPerson("Chi Eze", "developer", other),
      `/organizations/${other}/keys?status=any`
    )
    await seen(page.getByText(/100 of/)).toBe("100 of 101")
    await button(page, "More").click()
    await eventually(async () => (await named(page)).length).toBe(101)
  })
})

it("axe has nothing to complain about in the check of a website", async () => {
  await makeKey(site(), organization(), { name: "till", kind: "publishable", origins: ["https://till.example"] })
  const page = await openAs("owner", keys("/origins"), { withAxe: true })
  const row = page.getByRole("row").filter({ hasText: "till" })
  await page.getByLabel("The page’s address").fill("till.example/a?b#c")
  await seen(row).toMatch(/Works/)
  await expectNothing(page, "an origin that may")
  await page.getByLabel("The page’s address").fill("http://till.example/")
  await seen(row).toMatch(/Refused/)
  await expectNothing(page, "an origin that may not")
})
