/** One key in the console: rotated, revoked, what came of its requests; and which pages may use it. */
import { describe, expect, it } from "vitest"
import { button, dialog, eventually, seen, title } from "../ConsolePage.ts"
import { everythingIn } from "../Recorder.ts"
import { useShop } from "../ShopScene.ts"
import { makeKey, secretIn, statusWith } from "./ApiKeys.ts"

const { openAs, organization, site } = useShop({ granted_level: 3, kyb_status: "verified", review_note: "papers seen" })

const newKey = (body: object) => makeKey(site(), organization(), body)
const useKey = (key: string) => statusWith(site(), key)
const keys = (rest = "") => `/organizations/${organization()}/keys${rest}`

describe("a key", () => {
  it("is rotated: the new one is shown once, and the old one is valid until the end of the overlap", async () => {
    const old = await newKey({ name: "back office" })
    const page = await openAs("owner", keys(`/${old.id}`))
    await button(page, "Rotate").click()
    await dialog(page).getByLabel("An hour").check()
    await button(dialog(page), "Create the new key").click()
    await seen(dialog(page)).toMatch(/The old key works until \d+ \w+ \d{4}, \d\d:\d\d UTC/)
    const secret = await secretIn(dialog(page))
    expect([await useKey(old.secret), await useKey(secret)]).toEqual([200, 200])
    await button(dialog(page), "I have stored it").click()
    await button(dialog(page), "Close without a copy").click()
    await page.getByRole("link", { name: "another key" }).click()
    await seen(page.locator(".notice")).toMatch(/It works until/)
    expect(await button(page, "Rotate").count()).toBe(0)
    expect(await everythingIn(page)).not.toContain(secret)
    site().pass_s(3_601)
    expect([await useKey(old.secret), await useKey(secret)]).toEqual([401, 200])
  })

  it("that is publishable and has no origins is shown with a warning, and so is its successor", async () => {
    const { id } = await newKey({ name: "no pages", kind: "publishable", origins: [] })
    const page = await openAs("owner", keys(`/${id}`))
    await page.getByText("None: no page can use this key.").waitFor()
    await button(page, "Rotate").click()
    await button(dialog(page), "Create the new key").click()
    await seen(dialog(page)).toMatch(/No page can use this key/)
  })

  it("is not lost while it is created, because the dialog stays open until the response", async () => {
    const { id } = await newKey({ name: "slow" })
    const page = await openAs("owner", keys(`/${id}`))
    let answer = () => {}
    const asked = new Promise<void>((resolve) => {
      answer = resolve
    })
    site().meanwhile = async (_, { pathname }) => {
      if (pathname.endsWith("/rotate")) await asked
      return undefined
    }
    await button(page, "Rotate").click()
    await button(dialog(page), "Create the new key").click()
    await button(dialog(page), /busy/).waitFor()
    expect(await button(dialog(page), "Cancel").isDisabled()).toBe(true)
    expect(await button(dialog(page), "Close").count()).toBe(0)
    await page.keyboard.press("Escape")
    await page.keyboard.press("Escape")
    answer()
    await seen(dialog(page)).toMatch(/shown only once/)
    expect(await secretIn(dialog(page))).toMatch(/^svc_test_/)
  })

  it("that is in use is revoked only after its name is typed, and an unused one immediately", async () => {
    const busy = await newKey({ name: "busy" })
    const idle = await newKey({ name: "idle" })
    await useKey(busy.secret)
    await useKey(busy.secret)
    const page = await openAs("owner", keys(`/${busy.id}`))
    await button(page, "Revoke").click()
    await seen(dialog(page)).toMatch(/2 requests since \d\d:\d\d UTC/)
    await dialog(page)
      .getByLabel(/to confirm$/)
      .fill("idle")
    await button(dialog(page), "Revoke key").click()
    await seen(dialog(page).locator(".error")).toBe("Type busy")
    expect(await useKey(busy.secret)).toBe(200)
    await dialog(page)
      .getByLabel(/to confirm$/)
      .fill("busy")
    await button(dialog(page), "Revoke key").click()
    await seen(page.locator(".facts").first()).toMatch(/^StatusRevoked/)
    expect(await useKey(busy.secret)).toBe(401)
    await page.goto(`${site().origin}/console/#${keys(`/${idle.id}`)}`)
    await button(page, "Revoke").click()
    await seen(dialog(page)).toMatch(/No requests since/)
    expect(await dialog(page).getByRole("textbox").count()).toBe(0)
    await button(dialog(page), "Revoke key").click()
    await eventually(() => useKey(idle.secret)).toBe(401)
  })

  it("whose traffic is unavailable is treated as one in use", async () => {
    const { id } = await newKey({ name: "unknown" })
    const page = await openAs("owner", keys(`/${id}`))
    await seen(title(page)).toBe("unknown")
    site().meanwhile = (_, { pathname }) =>
      pathname.endsWith("/traffic")
        ? Response.json({ error: { code: "service_unavailable", message: "busy" } }, { status: 503 })
        : undefined
    await button(page, "Revoke").click()
    await dialog(page)
      .getByLabel(/to confirm$/)
      .waitFor()
  })

  it("shows the outcomes of its requests", async () => {
    const { id, secret } = await newKey({ name: "outcomes" })
    await useKey(secret)
    await fetch(`${site().origin}/v1/lookup?code=nonsense`, { headers: { "x-api-key": secret } })
    const page = await openAs("owner", keys(`/${id}`))
    const rows = page.getByRole("table", { name: "Responses" }).getByRole("row")
    await seen(rows.nth(1)).toMatch(/200.*Successful.*1/)
    await seen(rows.nth(2)).toMatch(/400.*Malformed request.*1/)
    expect(await page.getByText("were malformed").count()).toBe(0)
    const nonsense = Array.from({ length: 9 }, (_, n) => `${site().origin}/v1/lookup?code=nonsense${n}`)
    await Promise.all(nonsense.map((url) => fetch(url, { headers: { "x-api-key": secret } })))
    await page.reload()
    await seen(page.getByText("were malformed")).toBe("10 of 11 requests were malformed")
  })

  it("of another organization is not found", async () => {
    const { id } = await newKey({ name: "ours" })
    const other = await site().newOrganization("Other")
    const page = await openAs(await site().newPerson("Musa Ali", "owner", other), keys(`/${id}`))
    await seen(page.getByRole("alert")).toMatch(/there is no key with this id/i)
  })

  it("is shown to operators in its organization, even if the address has another one", async () => {
    const { id } = await newKey({ name: "ours" })
    const other = await site().newOrganization("Elsewhere")
    const page = await openAs("operator", `/organizations/${other}/keys/${id}`)
    await eventually(() => page.url().split("#")[1]).toBe(keys(`/${id}`))
    await seen(page.getByRole("button", { name: /select another organization/ })).toMatch(/^Shop/)
  })
})

describe("the check of a website", () => {
  it("shows which keys a page may use, and if none, which origin to add", async () => {
    await newKey({ name: "till", kind: "publishable", origins: ["https://till.example"] })
    const page = await openAs("owner", keys())
    await page.getByRole("link", { name: "Check a website" }).click()
    await seen(title(page)).toBe("Check a website")
    const row = page.getByRole("row").filter({ hasText: "till" })
    await page.getByLabel("The page’s address").fill("till.example/a?b#c")
    await seen(row).toMatch(/Works/)
    await page.getByLabel("The page’s address").fill("http://till.example/")
    await seen(row).toMatch(/Refused.*It lists https:\/\/till\.example: the page is on http\./)
    await page.getByRole("link", { name: "Create a key for this page" }).click()
    expect(await page.getByLabel("Origins").inputValue()).toBe("http://till.example")
    await page.goBack()
    await page.getByLabel("The page’s address").fill("file:///a.html")
    await seen(page.getByRole("alert")).toMatch(/have no origin/)
  })
})
