/** Requests that are tried from the console: real ones, with a test key that stays in memory. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { button, eventually, loaded, seen, title } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"

const { now_ms, openAs, organization, site } = useShop({ granted_level: 4 })

const place = (rest = "") => `/organizations/${organization()}/try${rest}`
const keyField = (page: Page) => page.getByRole("textbox", { name: "Key" })
const code = (page: Page) => page.getByLabel("Postcode")
const answer = (page: Page) => page.getByRole("region", { name: "Response", exact: true })
/** Once the fields hold what the directory has. */
const send = async (page: Page) => {
  await eventually(() => code(page).inputValue()).toMatch(/^AB/)
  await button(page, "Send").click()
  await answer(page).waitFor()
}

describe("a request that is tried", () => {
  it("is sent to the service, with a key that is valid for an hour and is removed when the user leaves", async () => {
    const page = await openAs("owner", place())
    await button(page, "Create a test key for one hour").click()
    await eventually(() => keyField(page).inputValue()).toMatch(/^svc_test_/)
    const secret = await keyField(page).inputValue()
    await page.getByLabel("Level").selectOption("4")
    await send(page)
    await seen(answer(page)).toMatch(/Status 200.*X-Lookup-Level4.*X-Credits-Charged3.*X-RateLimit-Limit.*X-Request-Id/)
    await seen(page.getByRole("region", { name: "Response body" })).toMatch(/"postcode": "AB-01/)
    expect(await page.locator(".json .name").first().textContent()).toBe('"data"')
    const command = (await page.locator(".copyable.block code").textContent()) ?? ""
    expect(command).toContain(`curl '${site().origin}/v1/lookup?code=AB-01`)
    expect(command).toContain(`-H "X-API-Key: $POSTCODE_KEY"`)
    expect(await page.evaluate(() => document.documentElement.outerHTML)).not.toContain(secret)
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]))
    ).not.toContain("svc_")
    await page.goto(`${site().origin}/console/#/organizations/${organization()}`)
    await seen(title(page)).toBe("Shop")
    await page.goBack()
    expect(await keyField(page).inputValue()).toBe("")
    const made = await site().manage<{
      readonly keys: ReadonlyArray<{ readonly expires_at: string; readonly environment: string }>
    }>("GET", `/organizations/${organization()}/keys`)
    expect(made.keys.map(({ environment }) => environment)).toEqual(["test"])
    const lifetime_s = (Date.parse(made.keys[0]?.expires_at ?? "") - now_ms()) / 1000
    expect(lifetime_s).toBeGreaterThan(3_500)
    expect(lifetime_s).toBeLessThan(3_601)
  })

  it("begins with a level that the organization is granted", async () => {
    const page = await openAs("owner", place())
    await eventually(() => page.getByLabel("Access level").inputValue()).toBe("2")
    const fresh = await site().newOrganization("Fresh")
    const owner = await site().newPerson("Chi Okafor", "owner", fresh)
    const first = await openAs(owner, `/organizations/${fresh}/try`)
    await eventually(() => first.getByLabel("Access level").inputValue()).toBe("1")
    await button(first, "Create a test key for one hour").click()
    await send(first)
    await seen(answer(first)).toMatch(/Status 200/)
    expect(await answer(first).textContent()).not.toContain("limited_to")
  })

  it("sends no cookie at any level", async () => {
    const cookies: Array<string | undefined> = []
    const page = await openAs("owner", place())
    page.on("request", async (request) => {
      if (request.url().includes("/v1/lookup")) cookies.push((await request.allHeaders()).cookie)
    })
    await page.getByLabel("Level").selectOption("1")
    await send(page)
    await eventually(() => cookies).toEqual([undefined])
  })

  it("shows the error of the service", async () => {
    const page = await openAs("owner", place())
    await eventually(() => code(page).inputValue()).toMatch(/^AB/)
    await code(page).fill("it's <b>nothing</b>")
    await button(page, "Send").click()
    await seen(answer(page)).toMatch(/Status 400.*invalid_parameter/s)
    expect(await page.locator(".copyable.block code").textContent()).toContain("%27")
  })

  it("is never made with a live or a publishable key", async () => {
    const page = await openAs("owner", place())
    const sent: Array<string | undefined> = []
    page.on("request", async (request) => {
      if (request.url().includes("/v1/lookup")) sent.push((await request.allHeaders())["x-api-key"])
    })
    await keyField(page).fill(`svc_live_${"a".repeat(38)}`)
    await seen(page.locator(".error")).toMatch(/live key/)
    await page.getByLabel("Level").selectOption("1")
    await send(page)
    await keyField(page).fill(`svc_pk_${"a".repeat(38)}`)
    await seen(page.locator(".error")).toMatch(/publishable key/)
    await send(page)
    await eventually(() => sent).toEqual([undefined, undefined])
  })

  it("is available to the role billing, which pastes a key and cannot create one", async () => {
    const page = await openAs("billing", place())
    await keyField(page).waitFor()
    await loaded(page)
    expect(await button(page, "Create a test key for one hour").count()).toBe(0)
  })

  it("reports that there was no response", async () => {
    const page = await openAs("owner", place())
    await eventually(() => code(page).inputValue()).toMatch(/^AB/)
    // What else loads would say it as well.
    await loaded(page)
    await page.context().setOffline(true)
    await button(page, "Send").click()
    await seen(page.getByRole("status").filter({ hasText: "offline" })).toMatch(/Check the connection/)
    await page.context().setOffline(false)
    await button(page, "Try again").click()
    await answer(page).waitFor()
  })
})
