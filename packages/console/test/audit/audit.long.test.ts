/** The audit log: its links, who does not see it, names written from right to left, and what axe says of it. */
import type { Locator } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { announced, button, eventually, loaded, seen, title } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"
import { letThingsHappen, sentences, texts } from "./AuditPage.ts"

const { openAs, organization, site } = useShop()
let other: string

beforeAll(async () => {
  other = await site().newOrganization("Another shop")
  await letThingsHappen(site(), organization())
})

const place = (query = "") => `/organizations/${organization()}/audit${query}`

describe("an owner’s log", () => {
  it("ignores invalid days in its address", async () => {
    const page = await openAs("owner", `${place()}?from=2026-13-01&to=2026-13-45`)
    await eventually(() => texts(page).then((all) => all.length)).toBeGreaterThan(5)
  })

  it("links a name or an id to all events by it or about it", async () => {
    const page = await openAs("owner", place())
    // Names arrive one after the other, and lines move: a click can miss its link.
    const select = async (link: Locator, filter: string) => {
      await eventually(async () => {
        await link.click()
        return page.url()
      }).toContain(filter)
    }
    const revoked = page.getByRole("row", { name: /revoked/ })
    await select(revoked.getByRole("link", { name: "Key “checkout”" }), "?subject=key")
    await eventually(() => texts(page).then((all) => all.length)).toBe(2)
    await select(page.getByRole("link", { name: "An operator (by API)" }).first(), "?actor=operator")
    await eventually(() => texts(page).then((all) => all.length)).toBeGreaterThan(2)
    expect(await page.getByLabel("Actor").inputValue()).toBe("operator")
    expect(await page.getByLabel("About (id)").inputValue()).toBe("")
  })
})

it("developers see no log, and owners only that of their organization", async () => {
  const page = await openAs("developer", place())
  await seen(title(page)).toBe("Not found")
  const owned = await openAs("owner", "/audit")
  await seen(title(owned)).toBe("Not found")
  const foreign = await openAs("owner", `/organizations/${other}/audit`)
  await seen(title(foreign)).toBe("Audit")
  await loaded(foreign)
  expect(await foreign.getByRole("main").textContent()).not.toMatch(/Another shop/)
  expect(await texts(foreign)).toEqual([])
})

it("a name that is written from right to left does not change the text around it", async () => {
  const turner = await site().newPerson("Turner", "owner", organization())
  const page = await openAs(turner, "/account")
  await page.getByLabel("Name", { exact: true }).fill("\u05ea\u05e8\u05e0\u05e8")
  await button(page, "Save name").click()
  await eventually(() => announced(page)).toContain("Saved")
  await page.goto(`${site().origin}/console/#${place()}?actor=${turner.id}`)
  await page.getByRole("link", { name: "\u05ea\u05e8\u05e0\u05e8 (you)" }).first().waitFor()
  const [first, last] = await page
    .locator(".sentence")
    .first()
    .evaluate((sentence) =>
      [0, (sentence.textContent ?? "").length - 1].map((at) => {
        const letter = document.createRange()
        letter.setStart(sentence.firstChild ?? sentence, at)
        letter.setEnd(sentence.firstChild ?? sentence, at + 1)
        return letter.getBoundingClientRect().left
      })
    )
  expect(first).toBeLessThan(last ?? 0)
})

it("axe has nothing to complain about", async () => {
  const page = await openAs("operator", "/audit", { withAxe: true })
  await sentences(page).first().waitFor()
  await expectNothing(page, "the audit log")
})
