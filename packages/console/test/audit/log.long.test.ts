/** The audit log: sentences, filters, and who sees what of it. */
import { readFile } from "node:fs/promises"
import { auditActions } from "@postcode/gateway/audit/AuditLog"
import { beforeAll, describe, expect, it } from "vitest"
import { actionOptions, actionsIn, phrases } from "../../src/screens/audit/actions.ts"
import { button, eventually, seen, title } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"
import { letThingsHappen, sentences, texts } from "./AuditPage.ts"

const { now_ms, openAs, organization, site } = useShop()
let other: string
let key: string

beforeAll(async () => {
  other = await site().newOrganization("Another shop")
  key = await letThingsHappen(site(), organization())
})

const place = (query = "") => `/organizations/${organization()}/audit${query}`

describe("each action", () => {
  it("has a sentence, and is a filter, separately and with similar actions", () => {
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

  it("is ignored in the filter if it is unknown", () => {
    expect(actionsIn("key.created,toString,,key.eaten")).toEqual(["key.created"])
  })
})

describe("an owner’s log", () => {
  it("lists the actions on the own organization, newest first", async () => {
    const page = await openAs("owner", place())
    await eventually(() => texts(page).then((all) => all.slice(0, 5))).toEqual([
      "Ada Obi (you) signed in",
      expect.stringMatching(/^An operator \(by API\) revoked the key \w+…$/),
      "An operator (by API) changed the organization: highest access level 2, verification verified, “seen”",
      "An operator (by API) granted 1,200 live credits for “INV-7”",
      "An operator (by API) created the key “checkout”kind secret · environment test · max level 1"
    ])
    expect((await texts(page)).join()).not.toMatch(/undefined|Another shop/)
  })

  it("is filtered by action, actor, subject and time", async () => {
    const page = await openAs("owner", place())
    await page.getByLabel("Type").selectOption({ label: "Keys" })
    await eventually(() => texts(page).then((all) => all.length)).toBe(2)
    await page.getByLabel("Type").selectOption("key.created")
    await eventually(() => texts(page).then((all) => all.length)).toBe(1)
    await page.getByLabel("Type").selectOption("")
    await page.getByLabel("Actor").selectOption({ label: "Bisi Adeyemi" })
    await eventually(() => texts(page)).toEqual(["Bisi Adeyemi created an account as a developer"])
    await page.getByLabel("Actor").selectOption("")
    await page.getByLabel("About (id)").fill(key)
    await eventually(() => texts(page).then((all) => all.length)).toBe(2)
    await page.getByLabel("Last day").fill("2020-01-31")
    await seen(page.getByRole("main")).toMatch(/No matching events/)
    await button(page, "Show all events").click()
    await eventually(() => texts(page).then((all) => all.length)).toBeGreaterThan(5)
    expect(page.url()).toMatch(/audit$/)
    const today = new Date(now_ms()).toISOString().slice(0, 10)
    await page.getByLabel("First day").fill(today)
    await page.getByLabel("Last day").fill(today)
    await eventually(() => texts(page).then((all) => all.length)).toBeGreaterThan(5)
  })

  it("is exported as a file of the filtered events", async () => {
    const page = await openAs("owner", place("?action=key.created,key.revoked"))
    await sentences(page).first().waitFor()
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, "CSV").click()])
    const [head, ...rows] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")
    expect(head).toBe("at,actor,action,subject,organization_id,id,details")
    expect(rows.map((row) => row.split(",").slice(1, 5))).toEqual([
      ["operator", "key.revoked", key, organization()],
      ["operator", "key.created", key, organization()]
    ])
  })
})

it("an operator sees the events of all organizations, with links to their subjects", async () => {
  const page = await openAs("operator", "/audit?action=organization.created")
  await eventually(() => texts(page)).toEqual([
    "An operator (by API) created the organization “Another shop”",
    "An operator (by API) created the organization “Shop”"
  ])
  await page.getByRole("table").getByRole("link", { name: "Another shop", exact: true }).click()
  await seen(title(page)).toBe("Audit")
  expect(page.url()).toContain(`/organizations/${other}/audit`)
  await eventually(() => texts(page)).toEqual(["An operator (by API) created the organization “Another shop”"])
})
