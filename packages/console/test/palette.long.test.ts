/** The command palette: by Ctrl-K or its button, with the keyboard alone. */
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { expectNothing } from "./Axe.ts"
import { button, dialog, eventually, focused, seen, title, useConsole } from "./ConsolePage.ts"
import type { Person } from "./ConsoleSite.ts"
import { makeKey } from "./keys/ApiKeys.ts"

const { openAs, site } = useConsole()
let operator: Person
let owner: Person
let organization: string

beforeAll(async () => {
  organization = await site().newOrganization("Palette Shop")
  operator = await site().newPerson("Ngozi Eze", "operator")
  owner = await site().newPerson("Ada Obi", "owner", organization)
  await makeKey(site(), organization, { name: "checkout", max_level: 1 })
})

const options = (page: Page) => dialog(page).getByRole("option")
const selected = (page: Page) => dialog(page).getByRole("option", { selected: true })
const open = async (page: Page) => {
  await page.keyboard.press("ControlOrMeta+k")
  await dialog(page).waitFor()
}
const go = async (page: Page, text: string, found: RegExp) => {
  await open(page)
  await page.keyboard.type(text)
  await seen(selected(page)).toMatch(found)
  await page.keyboard.press("Enter")
  await dialog(page).waitFor({ state: "detached" })
}

describe("the command palette", () => {
  it("opens screens, keys, actions and postcodes by keyboard alone", async () => {
    const page = await openAs(owner, `/organizations/${organization}`)
    await seen(title(page)).toBe("Palette Shop")
    await go(page, "webh", /^WebhooksScreen/)
    await seen(title(page)).toBe("Webhooks")
    await go(page, "checkout", /^checkoutKey/)
    await seen(title(page)).toBe("checkout")
    await go(page, "create a key", /^Create a keyAction/)
    await seen(title(page)).toBe("Create a key")
    await go(page, "la 11 b03", /^Open LA 11 B03 in the directory/)
    await seen(title(page)).toBe("Directory")
    await go(page, "select live", /^Select liveAction/)
    await eventually(() => page.getByRole("radio", { name: "Live" }).isChecked()).toBe(true)
  })

  it("finds organizations for operators only", async () => {
    const page = await openAs(operator, "/instance")
    await go(page, "palette s", /^Palette ShopOrganization/)
    await seen(title(page)).toBe("Palette Shop")
    const member = await openAs(owner, "/account")
    await open(member)
    await member.keyboard.type("palette s")
    await seen(dialog(member).getByRole("status").first()).toMatch(/Palette Shop|result|Nothing/)
    expect(site().answers.filter((answer) => answer.includes("/organizations?name="))).toHaveLength(1)
    await eventually(() => member.getByRole("option").filter({ hasText: "Organization ·" }).count()).toBe(0)
  })

  it("has a button, is navigated by arrow keys in a cycle, and returns the focus at Escape", async () => {
    const page = await openAs(owner, `/organizations/${organization}`, { withAxe: true })
    await seen(title(page)).toBe("Palette Shop")
    await button(page, /^Go to/).click()
    await dialog(page).waitFor()
    const input = page.getByRole("combobox")
    expect(await input.evaluate((element) => element === document.activeElement)).toBe(true)
    const count = await options(page).count()
    await page.keyboard.press("ArrowUp")
    await eventually(() => selected(page).getAttribute("id")).toMatch(new RegExp(`-${count - 1}$`))
    expect(await input.getAttribute("aria-activedescendant")).toBe(await selected(page).getAttribute("id"))
    await page.keyboard.press("ArrowDown")
    await eventually(() => selected(page).getAttribute("id")).toMatch(/-0$/)
    await expectNothing(page, "the command palette")
    await page.keyboard.type("no such thing")
    await seen(dialog(page).locator("p[role=status]").first()).toBe("No results.")
    await expectNothing(page, "an empty command palette")
    await page.keyboard.press("Escape")
    await dialog(page).waitFor({ state: "detached" })
    expect(await focused(page)).toMatch(/^Go to/)
  })
})
