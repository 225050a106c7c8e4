/** Suspending, resuming and closing an organization, the list by status, and corrections of balances. */
import { beforeAll, describe, expect, it } from "vitest"
import { expectNothing } from "./Axe.ts"
import { button, dialog, eventually, section, seen, useConsole } from "./ConsolePage.ts"
import type { Person } from "./ConsoleSite.ts"
import { makeKey, statusWith } from "./keys/ApiKeys.ts"

const { openAs, site } = useConsole()
let operator: Person
const axe = { withAxe: true } as const

beforeAll(async () => {
  operator = await site().newPerson("Ngozi Eze", "operator")
})

describe("the status of an organization", () => {
  it("is changed with a reason, its keys follow, and the list filters by it", async () => {
    const organization = await site().newOrganization("Late Payer")
    await site().newOrganization("Good Payer")
    const { secret } = await makeKey(site(), organization, { name: "till", max_level: 1 })
    const page = await openAs(operator, `/organizations/${organization}/manage`, axe)
    const status = section(page, "Status")
    await button(status, "Suspend").click()
    await dialog(page).getByLabel("Reason").fill("invoice overdue")
    await expectNothing(page, "suspending")
    await button(dialog(page), "Suspend").click()
    await seen(status).toMatch(/Suspended.*invoice overdue/)
    expect(await statusWith(site(), secret)).toBe(403)
    await page.goto(`${site().origin}/console/#/organizations`)
    await page.getByLabel("Status").selectOption("suspended")
    await eventually(() => page.getByRole("rowheader").allTextContents()).toEqual(["Late Payer"])
    await expectNothing(page, "organizations by status")
    await page.goto(`${site().origin}/console/#/organizations/${organization}/manage`)
    await button(status, "Resume").click()
    await dialog(page).getByLabel("Reason").fill("paid")
    await button(dialog(page), "Resume").click()
    await seen(status).toMatch(/Active.*paid/)
    expect(await statusWith(site(), secret)).toBe(200)
  })

  it("is closed for good only after its name is typed", async () => {
    const organization = await site().newOrganization("Gone Ltd")
    await site().manage("POST", `/organizations/${organization}/suspend`, { reason: "left" })
    const page = await openAs(operator, `/organizations/${organization}/manage`)
    const status = section(page, "Status")
    await button(status, "Close").click()
    await dialog(page).getByLabel("Reason").fill("left")
    await button(dialog(page), "Close organization").click()
    await seen(dialog(page)).toMatch(/Please fill out/)
    await dialog(page).getByLabel(/^Type/).fill("Gone Ltd")
    await button(dialog(page), "Close organization").click()
    await seen(status).toMatch(/Closed/)
    expect(await status.getByRole("button").count()).toBe(0)
  })
})

describe("a correction", () => {
  it("adds or takes credits, and the ledger has its reason", async () => {
    const organization = await site().newOrganization("Corrected")
    const page = await openAs(operator, `/organizations/${organization}/credits`, axe)
    await button(page, "Correct test credits").click()
    await dialog(page).getByLabel("Amount").fill("-40")
    await dialog(page).getByLabel("Reason").fill("double grant")
    await dialog(page).getByLabel("Reference").fill("CN-1")
    await expectNothing(page, "a correction")
    await button(page, "Correct balance").click()
    await seen(section(page, "Test")).toMatch(/Balance960/)
    await seen(section(page, "Test ledger")).toMatch(/Refunddouble grant/)
  })

  it("is not offered to members", async () => {
    const organization = await site().newOrganization("Members")
    const owner = await site().newPerson("Ada Obi", "owner", organization)
    const page = await openAs(owner, `/organizations/${organization}/credits`)
    await seen(section(page, "Test")).toMatch(/Balance1,000/)
    expect(await button(page, /Correct/).count()).toBe(0)
  })
})
