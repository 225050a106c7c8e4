/** The audit log: sentences, filters, and who sees what of it. */
import { readFile } from "node:fs/promises"
import { auditActions } from "@postcode/core/audit/AuditLog"
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { actionOptions, actionsIn, phrases } from "../../src/screens/audit/actions.ts"
import { expectNothing } from "../Axe.ts"
import { announced, button, eventually, seen, title, useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"
import { makeKey } from "../keys/ApiKeys.ts"

const { now_ms, openAs, site } = useConsole()
let organization: string
let other: string
let operator: Person
let owner: Person
let developer: Person
let key: string

beforeAll(async () => {
  const { manage, newOrganization, newPerson } = site()
  organization = await newOrganization("Shop")
  other = await newOrganization("Another shop")
  operator = await newPerson("Ngozi Eze", "operator")
  owner = await newPerson("Ada Obi", "owner", organization)
  developer = await newPerson("Bisi Adeyemi", "developer", organization)
  key = (await makeKey(site(), organization, { name: "checkout", max_level: 1 })).id
  await manage("POST", `/organizations/${organization}/credits`, {
    environment: "live",
    amount: 1200,
    reference: "INV-7"
  })
  await manage("PATCH", `/organizations/${organization}`, {
    granted_level: 2,
    kyb_status: "verified",
    review_note: "seen"
  })
  await manage("DELETE", `/keys/${key}`)
})

const place = (query = "") => `/organizations/${organization}/audit${query}`
const sentences = (page: Page) => page.getByRole("table", { name: "Events" }).getByRole("rowheader")
const texts = (page: Page) => sentences(page).allTextContents()

describe("each action", () => {
  it("has a sentence, and can be chosen alone and with those of its kind", () => {
    expect(Object.keys(phrases).sort()).toEqual([...auditActions].sort())
    const chosen = actionOptions.map(([value]) => value)
    for (const action of auditActions) {
      expect(chosen).toContain(action)
      expect(
        chosen.some((value) => value.split(",").length > 1 && value.split(",").includes(action)) ||
          /credits/.test(action)
      ).toBe(true)
    }
  })

  it("that nobody knows is no filter", () => {
    expect(actionsIn("key.created,toString,,key.eaten")).toEqual(["key.created"])
  })
})

describe("an owner’s log", () => {
  it("says who did what to the own organization, newest first", async () => {
    const page = await openAs(owner, place())
    await eventually(() => texts(page).then((all) => all.slice(0, 5))).toEqual([
      "Ada Obi (you) signed in",
      expect.stringMatching(/^The operator token revoked the key \w+…$/),
      "The operator token changed the organization: highest level 2, verification verified, “seen”",
      "The operator token granted 1,200 live credits for “INV-7”",
      "The operator token created the key “checkout”kind secret · environment test · max level 1"
    ])
    expect((await texts(page)).join()).not.toMatch(/undefined|Another shop/)
  })

  it("is narrowed by what was done, by whom, to what, and when", async () => {
    const page = await openAs(owner, place())
    await page.getByLabel("What").selectOption({ label: "Keys" })
    await eventually(() => texts(page).then((all) => all.length)).toBe(2)
    await page.getByLabel("What").selectOption("key.created")
    await eventually(() => texts(page).then((all) => all.length)).toBe(1)
    await page.getByLabel("What").selectOption("")
    await page.getByLabel("By").selectOption({ label: "Bisi Adeyemi" })
    await eventually(() => texts(page)).toEqual(["Bisi Adeyemi opened an account as a developer"])
    await page.getByLabel("By").selectOption("")
    await page.getByLabel("About (id)").fill(key)
    await eventually(() => texts(page).then((all) => all.length)).toBe(2)
    await page.getByLabel("Last day").fill("2020-01-31")
    await seen(page.getByRole("main")).toMatch(/Nothing of that kind was noted/)
    await button(page, "Show everything").click()
    await eventually(() => texts(page).then((all) => all.length)).toBeGreaterThan(5)
    expect(page.url()).toMatch(/audit$/)
    const today = new Date(now_ms()).toISOString().slice(0, 10)
    await page.getByLabel("First day").fill(today)
    await page.getByLabel("Last day").fill(today)
    await eventually(() => texts(page).then((all) => all.length)).toBeGreaterThan(5)
  })

  it("takes what is no day in its address for none", async () => {
    const page = await openAs(owner, `${place()}?from=2026-13-01&to=2026-13-45`)
    await eventually(() => texts(page).then((all) => all.length)).toBeGreaterThan(5)
  })

  it("leads from a name or an id to all that it did, or that was done to it", async () => {
    const page = await openAs(owner, place())
    await page
      .getByRole("row", { name: /revoked/ })
      .getByRole("link", { name: "Key “checkout”" })
      .click()
    await eventually(() => texts(page).then((all) => all.length)).toBe(2)
    await page.getByRole("link", { name: "The operator token" }).first().click()
    await eventually(() => texts(page).then((all) => all.length)).toBeGreaterThan(2)
    expect(await page.getByLabel("By").inputValue()).toBe("operator")
    expect(await page.getByLabel("About (id)").inputValue()).toBe("")
  })

  it("is a file of what it is narrowed to", async () => {
    const page = await openAs(owner, place("?action=key.created,key.revoked"))
    await sentences(page).first().waitFor()
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, "CSV").click()])
    const [head, ...rows] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")
    expect(head).toBe("at,actor,action,subject,organization_id,id,details")
    expect(rows.map((row) => row.split(",").slice(1, 5))).toEqual([
      ["operator", "key.revoked", key, organization],
      ["operator", "key.created", key, organization]
    ])
  })
})

it("an operator sees all organizations’ events, each with the way to it", async () => {
  const page = await openAs(operator, "/audit?action=organization.created")
  await eventually(() => texts(page)).toEqual([
    "The operator token created the organization “Another shop”",
    "The operator token created the organization “Shop”"
  ])
  await page.getByRole("table").getByRole("link", { name: "Another shop", exact: true }).click()
  await seen(title(page)).toBe("Audit")
  expect(page.url()).toContain(`/organizations/${other}/audit`)
  await eventually(() => texts(page)).toEqual(["The operator token created the organization “Another shop”"])
})

it("developers have none, and owners none but theirs", async () => {
  const page = await openAs(developer, place())
  await seen(title(page)).toBe("Not found")
  const owned = await openAs(owner, "/audit")
  await seen(title(owned)).toBe("Not found")
  const foreign = await openAs(owner, `/organizations/${other}/audit`)
  await seen(foreign.getByRole("main")).not.toMatch(/Another shop/)
  await eventually(() => texts(foreign)).toEqual([])
})

it("a name that turns the direction of writing turns nothing but itself", async () => {
  const turner = await site().newPerson("Turner", "owner", organization)
  const page = await openAs(turner, "/account")
  await page.getByLabel("Name", { exact: true }).fill("\u202eTurner")
  await button(page, "Save name").click()
  await eventually(() => announced(page)).toContain("Saved")
  await page.goto(`${site().origin}/console/#${place()}?actor=${turner.id}`)
  await page.getByRole("link", { name: "\u202eTurner (you)" }).first().waitFor()
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
  const page = await openAs(operator, "/audit", { withAxe: true })
  await sentences(page).first().waitFor()
  await expectNothing(page, "the audit log")
})
