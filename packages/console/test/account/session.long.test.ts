/** An account that is signed in while the service, the network or a part of the console is unavailable, or another person signs in. */
import type { Route } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { announced, button, eventually, focused, section, seen, signIn, title, useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"

const { open, openAs, site } = useConsole()
let operator: Person
let other: Person

beforeAll(async () => {
  operator = await site().newPerson("Ngozi Eze", "operator")
  other = await site().newPerson("Emeka Ude", "operator")
})

const name = (page: Awaited<ReturnType<typeof open>>) => page.getByLabel("Name", { exact: true })

describe("the signed-in account", () => {
  it("leaves nothing to another account that signs in on another page of the browser", async () => {
    const page = await openAs(operator, "/account")
    await name(page).fill("a half-typed name")
    const elsewhere = await page.context().newPage()
    await elsewhere.goto(`${site().origin}/console/#/account`)
    await button(elsewhere, "Sign out").click()
    await seen(title(elsewhere)).toBe("Sign in")
    await signIn(elsewhere, operator.email)
    await seen(title(elsewhere)).toBe("Organizations")
    expect(await name(page).inputValue()).toBe("a half-typed name")
    await elsewhere.goto(`${site().origin}/console/#/account`)
    await button(elsewhere, "Sign out").click()
    await seen(title(elsewhere)).toBe("Sign in")
    await signIn(elsewhere, other.email)
    await seen(title(page)).toBe("Organizations")
    expect(await page.content()).not.toContain(operator.email)
  })

  it("is told if there is no connection, and keeps its input", async () => {
    const page = await openAs(operator, "/organizations")
    // The connection is lost while one part of the screen is still loading, as it may be on a busy machine.
    let lose = () => {}
    const lost = new Promise<void>((resolve) => (lose = resolve))
    const loseIt = (route: Route) => lost.then(() => route.abort("internetdisconnected"))
    await page.route("**/account/passkeys", loseIt, { times: 1 })
    await page.goto(`${site().origin}/console/#/account`)
    const [own, passkeys] = [section(page, "You"), section(page, "Passkeys")]
    await name(page).waitFor()
    await page.context().setOffline(true)
    lose()
    await name(page).fill("Ngozi Offline")
    await button(page, "Save name").click()
    for (const part of [own, passkeys]) await seen(part.getByText("You are offline")).toBe("You are offline")
    await page.context().setOffline(false)
    await button(own, "Try again").press("Enter")
    await eventually(() => announced(page)).toContain("Saved")
    expect(await focused(page)).toBe("Save name")
    await button(passkeys, "Try again").click()
    await seen(passkeys).toMatch(/No passkeys yet\./)
  })

  it("can reload the console if a chunk is missing after an update", async () => {
    const page = await openAs(operator, "/organizations")
    await page.route("**/console/assets/*", (route) => route.fulfill({ status: 404 }))
    await page.evaluate(() => {
      location.hash = "/organizations/org_1/credits"
    })
    await seen(title(page)).toBe("This page did not load")
    await page.unroute("**/console/assets/*")
    await button(page, "Reload").click()
    await seen(title(page)).toBe("Credits")
  })

  it("is told if the service is unavailable at the start, and continues when it is available again", async () => {
    site().meanwhile = (_, { pathname }) =>
      pathname === "/v1/admin/account"
        ? Response.json(
            { error: { code: "service_unavailable", message: "the store is unavailable" } },
            { status: 503, headers: { "retry-after": "1" } }
          )
        : undefined
    const page = await open("/account")
    await seen(title(page)).toBe("The console cannot start")
    site().meanwhile = () => undefined
    await button(page, "Try again").click()
    await seen(title(page)).toBe("Sign in")
  })
})
