/** Changes of a key, and the management keys of an organization. */
import { beforeAll, describe, expect, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { button, dialog, eventually, section, seen, title, useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"
import { makeKey, statusWith } from "./ApiKeys.ts"

const { openAs, site } = useConsole()
let organization: string
let owner: Person
const keys = () => `/organizations/${organization}/keys`
const axe = { withAxe: true } as const

beforeAll(async () => {
  organization = await site().newOrganization("Shop")
  const review = { granted_level: 2, kyb_status: "verified", review_note: "ok" }
  await site().manage("PATCH", `/organizations/${organization}`, review)
  owner = await site().newPerson("Ada Obi", "owner", organization)
})

describe("a key changes", () => {
  it("its name, its addresses and its limits, and the service applies them", async () => {
    const { id, secret } = await makeKey(site(), organization, { name: "till" })
    expect(await statusWith(site(), secret)).toBe(200)
    const page = await openAs(owner, `${keys()}/${id}`, axe)
    await seen(page.getByText(/^Change sets/)).toBe("Change sets this key’s name, allowed IP addresses and limits.")
    await button(page, "Change").click()
    await dialog(page).getByLabel("Name").fill("till at the door")
    await dialog(page)
      .getByLabel(/^Allowed IP addresses/)
      .fill("203.0.113.7\n203.0.113.0/24")
    await dialog(page)
      .getByLabel(/^Credits a day/)
      .fill("50")
    await expectNothing(page, "the changes of a key")
    await button(page, "Save changes").click()
    await seen(title(page)).toBe("till at the door")
    await seen(section(page, "Settings")).toMatch(/0 of 50.*203\.0\.113\.7203\.0\.113\.0\/24/)
    expect(await statusWith(site(), secret)).toBe(403)
    await button(page, "Change").click()
    await dialog(page)
      .getByLabel(/^Allowed IP addresses/)
      .fill("not an address")
    await button(page, "Save changes").click()
    await seen(dialog(page)).toMatch(/expected an? (IP|address)/i)
    await dialog(page)
      .getByLabel(/^Allowed IP addresses/)
      .fill("")
    await dialog(page)
      .getByLabel(/^Credits a day/)
      .fill("")
    await button(page, "Save changes").click()
    await seen(section(page, "Settings")).toMatch(/Any address\./)
    expect(await statusWith(site(), secret)).toBe(200)
  })

  it("its origins, of which a publishable key needs at least one", async () => {
    const { id } = await makeKey(site(), organization, {
      name: "page",
      kind: "publishable",
      origins: ["https://a.example"]
    })
    const page = await openAs(owner, `${keys()}/${id}`)
    await button(page, "Change").click()
    await dialog(page).getByLabel("Origins").fill("https://a.example\nhttps://b.example")
    await button(page, "Save changes").click()
    await eventually(() => page.locator(".origins li").allTextContents()).toEqual([
      "https://a.example",
      "https://b.example"
    ])
  })
})

describe("management keys", () => {
  it("are created, shown once, and revoked", async () => {
    const page = await openAs(owner, keys(), axe)
    const list = section(page, "Management keys")
    await seen(list).toMatch(/No management key yet/)
    await button(page, "Create management key").click()
    await dialog(page).getByLabel("Name").fill("invoicing")
    await button(page, "Create key").click()
    await seen(dialog(page)).toMatch(/svc_mk_\w+/)
    await expectNothing(page, "a new management key")
    const secret = (await dialog(page).locator(".copyable code").textContent()) ?? ""
    const ask = () =>
      fetch(`${site().origin}/v1/admin/organizations/${organization}/credits?environment=test`, {
        headers: { authorization: `Bearer ${secret}` }
      }).then(({ status }) => status)
    expect(await ask()).toBe(200)
    await button(dialog(page), "I have stored it").click()
    await button(dialog(page), "Close without a copy").click()
    await seen(list).toMatch(/invoicing.*Billing.*Active/)
    await button(page, "Revoke invoicing").click()
    await button(dialog(page), "Revoke").click()
    await seen(list).toMatch(/invoicing.*Revoked/)
    expect(await ask()).toBe(401)
  })

  it("are not available to a developer", async () => {
    const page = await openAs(await site().newPerson("Bisi Ade", "developer", organization), keys())
    await seen(title(page)).toBe("Keys")
    expect(await section(page, "Management keys").count()).toBe(0)
  })
})
