/** Keys in the console: made, shown once, listed; and who sees what of them. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { button, dialog, eventually, seen, title } from "../ConsolePage.ts"
import { everythingIn } from "../Recorder.ts"
import { useShop } from "../ShopScene.ts"
import { makeKey, secretIn, statusWith } from "./ApiKeys.ts"

const { openAs, organization, site } = useShop({ granted_level: 3, kyb_status: "verified", review_note: "papers seen" })

const newKey = (body: object) => makeKey(site(), organization(), body)
const useKey = (key: string) => statusWith(site(), key)
const keys = (rest = "") => `/organizations/${organization()}/keys${rest}`
const named = (page: Page) => page.getByRole("rowheader").locator("a").allTextContents()

describe("a new key", () => {
  it("is shown once, works as shown, and is not in the page after the dialog closes", async () => {
    const page = await openAs("owner", keys("/new"), {
      permissions: ["clipboard-read", "clipboard-write"]
    })
    await page.getByLabel("Name", { exact: true }).fill("checkout")
    await page.getByLabel("Level 2").check()
    await page.getByLabel(/^Credits a day/).fill("50")
    await page.getByLabel(/^Requests a minute/).fill("30")
    await page.getByLabel("Expires").selectOption("90")
    await button(page, "Create key").click()
    const secret = await secretIn(dialog(page))
    expect(await useKey(secret)).toBe(200)
    await eventually(() => dialog(page).textContent()).toContain(`curl '${site().origin}/v1/lookup?code=AB-`)
    await button(dialog(page), "Copy the line").click()
    await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe(`POSTCODE_KEY=${secret}`)
    await button(dialog(page), "I have stored it").click()
    await seen(title(page)).toBe("checkout")
    expect(await everythingIn(page)).not.toContain(secret)
    await page.goBack()
    await page.goForward()
    await seen(title(page)).toBe("checkout")
    expect(await everythingIn(page)).not.toContain(secret)
    const facts = await page.locator(".facts").first().textContent()
    expect(facts).toMatch(/lookups up to access level 2.*Requests a minute30.*Credits today0 of 50/)
  })

  it("has any level in test, and in live the granted one at most", async () => {
    const page = await openAs("owner", keys("/new"))
    await page.getByLabel("Name", { exact: true }).fill("staging")
    await eventually(() => page.getByLabel("Level 5").isChecked()).toBe(true)
    await page.getByLabel("Live", { exact: true }).last().check()
    await eventually(() => page.getByLabel("Level 3").isChecked()).toBe(true)
    await eventually(() => page.getByLabel("Level 4").count()).toBe(0)
    await page.getByLabel("Test", { exact: true }).last().check()
    await page.getByLabel("Level 5").check()
    await button(page, "Create key").click()
    expect(await secretIn(dialog(page))).toMatch(/^svc_test_/)
  })

  it("begins in test with a unit that it sees at its level, where the service has a sandbox", async () => {
    const page = await openAs("owner", keys("/new"))
    await page.route("**/v1/admin/whoami", async (route) => {
      const response = await route.fetch()
      const { data } = await response.json()
      await route.fulfill({ response, json: { data: { ...data, has_sandbox: true } } })
    })
    await Promise.all([page.waitForResponse("**/v1/admin/whoami"), page.reload()])
    await page.getByLabel("Name", { exact: true }).fill("staging")
    await button(page, "Create key").click()
    await eventually(() => dialog(page).textContent()).toContain("/v1/lookup?code=ZZ-01-AAA-AA-01&level=5'")
  })

  it("needs a confirmation to be closed without a copy, and Escape does not close it", async () => {
    const page = await openAs("owner", keys("/new"))
    await page.getByLabel("Name", { exact: true }).fill("kiosk")
    await button(page, "Create key").click()
    await dialog(page).waitFor()
    for (let i = 0; i < 3; i++) await page.keyboard.press("Escape")
    const secret = await secretIn(dialog(page))
    expect(secret).toMatch(/^svc_test_/)
    await button(dialog(page), "I have stored it").click()
    await seen(dialog(page).getByRole("alert")).toMatch(/Nothing was copied/)
    await button(dialog(page), "Close without a copy").click()
    await seen(title(page)).toBe("kiosk")
    expect(await everythingIn(page)).not.toContain(secret)
  })

  it("is removed from the page if the user leaves while it is shown", async () => {
    const page = await openAs("owner", keys())
    await page.getByRole("link", { name: "Create key" }).click()
    await page.getByLabel("Name", { exact: true }).fill("left behind")
    await button(page, "Create key").click()
    await dialog(page).waitFor()
    const secret = await secretIn(dialog(page))
    await page.goBack()
    await seen(title(page)).toBe("Keys")
    expect(await everythingIn(page)).not.toContain(secret)
  })

  it("has its origins checked and corrected while they are typed", async () => {
    const page = await openAs("owner", keys("/new?kind=publishable"))
    await page.getByLabel("Name", { exact: true }).fill("web shop")
    await page.getByLabel("Origins").fill("https://Shop.example/\nwww.shop.example")
    await seen(page.locator(".notice")).toMatch(/no slash at the end.*https:\/\/shop\.example.*scheme is missing/)
    await button(page, "Correct").click()
    expect(await page.getByLabel("Origins").inputValue()).toBe("https://shop.example\nhttps://www.shop.example")
    await button(page, "Create key").click()
    await eventually(() => dialog(page).textContent()).toContain("Origin: https://shop.example")
    expect(await secretIn(dialog(page))).toMatch(/^svc_pk_/)
  })

  it("that is publishable has 1,000 credits a day by default, which the form shows", async () => {
    const page = await openAs("owner", keys("/new"))
    await page.getByLabel("Name", { exact: true }).fill("landing page")
    const hint = page.getByText("the limit cannot be turned off")
    expect(await hint.count()).toBe(0)
    await page.getByLabel("Publishable").check()
    await seen(hint).toContain("Leave it empty for 1,000")
    await page.getByText("A lookup with a publishable key shows level 2 at most.").waitFor()
    await page.getByLabel("Origins").fill("https://shop.example")
    await button(page, "Create key").click()
    await button(dialog(page), "I have stored it").click()
    await button(dialog(page), "Close without a copy").click()
    await seen(title(page)).toBe("landing page")
    await seen(page.locator(".facts").first()).toMatch(/Credits today0 of 1,000/)
  })

  it("keeps its input if the service refuses it, and shows the error at the field", async () => {
    const page = await openAs("owner", keys("/new"))
    await page.getByLabel("Name", { exact: true }).fill("too many")
    await page.getByLabel(/^Requests a minute/).fill("999999")
    await button(page, "Create key").click()
    await seen(page.getByRole("alert")).toMatch(/an operator can set more.*Request/)
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("too many")
  })
})

describe("the list of keys", () => {
  it("holds those of one environment, and can be filtered, also by its address", async () => {
    const old = await newKey({ name: "old laptop" })
    await site().manage("DELETE", `/keys/${old.id}`)
    await newKey({ name: "live till", environment: "live" })
    await newKey({ name: "portal", kind: "publishable", origins: ["https://portal.example"] })
    const page = await openAs("owner", keys("?kind=publishable&text=PORT"))
    await eventually(() => named(page)).toEqual(["portal"])
    await page.getByLabel("Name, prefix or id").fill("")
    await page.getByLabel("Kind").selectOption("secret")
    await eventually(() => named(page)).not.toContain("portal")
    await page.getByLabel("Status").selectOption("revoked")
    await eventually(() => named(page)).toEqual(["old laptop"])
    expect(page.url()).toContain("status=revoked")
    await page.getByLabel("Status").selectOption("active")
    await page.getByRole("radio", { name: "Live" }).check()
    await eventually(() => named(page)).toEqual(["live till"])
  })

  it("is not available to billing", async () => {
    const page = await openAs("billing", keys())
    await seen(title(page)).toBe("Not found")
    expect(await page.getByRole("link", { name: "Keys" }).count()).toBe(0)
    expect(site().answers.filter((answer) => answer.includes("/v1/") && answer.includes("/keys"))).toEqual([])
  })
})
