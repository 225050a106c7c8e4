/** The home of an organization: what happened, what needs attention, and the setup; and the home of operators. */
import type { Page } from "playwright-core"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { eventually, loaded, seen, title, useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"
import { makeKey } from "../keys/ApiKeys.ts"

const { openAs, site } = useConsole()
let operator: Person
let organization: string
let place: string
let scenes = 0

beforeAll(async () => {
  operator = await site().newPerson("Ngozi Eze", "operator")
})
beforeEach(async () => {
  organization = await site().newOrganization(`Shop ${++scenes}`)
  place = `/organizations/${organization}`
})

const newKey = (environment: "live" | "test") => makeKey(site(), organization, { name: "till", environment })
const person = (role: Person["role"]) => site().newPerson(`Ada ${scenes} ${role}`, role, organization)
const card = (page: Page, name: "Live" | "Test") => page.getByRole("region", { name, exact: true })
/** `on 31 Jan` */
const day = "on \\d+ [A-Z][a-z]+"
const steps = (page: Page) => page.getByRole("region", { name: "Setup" }).getByRole("listitem")
const done = async (page: Page) =>
  (await steps(page).allTextContents()).flatMap((step, i) => (step.endsWith("Done") ? [i + 1] : []))
const look = async (page: Page) => {
  await page.reload()
  await steps(page).first().waitFor()
}

describe("the home of an organization", () => {
  it("shows the steps of the setup until they are done", async () => {
    const { manage } = site()
    const page = await openAs(await person("owner"), place)
    await eventually(() => steps(page).count()).toBe(6)
    await loaded(page)
    expect(await done(page)).toEqual([])
    await seen(card(page, "Live")).toMatch(/^Live0 creditsNothing spent/)
    await manage("PATCH", `/organizations/${organization}`, {
      granted_level: 2,
      kyb_status: "verified",
      review_note: "ok"
    })
    const { secret } = await newKey("test")
    await look(page)
    await eventually(() => done(page)).toEqual([1, 2])
    await fetch(`${site().origin}/v1/lookup?code=AB-01-C04-RF-01&level=2`, { headers: { "x-api-key": secret } })
    await manage("POST", `${place}/credits`, { environment: "live", amount: 5_000, reference: "INV-1" })
    await newKey("live")
    await look(page)
    await eventually(() => done(page)).toEqual([1, 2, 3, 4, 6])
    await seen(card(page, "Test")).toMatch(
      new RegExp(`^Test999 credits999 days left at the current rate1 request ${day} \\(UTC\\)$`)
    )
    await steps(page).getByRole("link", { name: "Set a threshold for live credits" }).click()
    await seen(title(page)).toBe("Credits")
    await seen(page.getByRole("radio", { name: "Live" }).and(page.locator(":checked"))).toBe("")
    await manage("PUT", `${place}/credits/threshold`, { environment: "live", threshold: 6_000 })
    await page.goBack()
    await seen(card(page, "Live")).toMatch(/^Live5,000 creditsLow: below the threshold of 6,000/)
    await eventually(() => steps(page).count()).toBe(0)
  })

  it("shows what the console's own request cost, and still asks for a key", async () => {
    const { manage } = site()
    await manage("PATCH", place, { granted_level: 2, kyb_status: "verified", review_note: "ok" })
    const page = await openAs(await person("owner"), place)
    await page.getByRole("button", { name: "Send a test request" }).click()
    await page.getByText("The service answered").waitFor()
    await seen(card(page, "Test")).toMatch(/^Test999 credits/)
    await page.getByRole("table", { name: "Latest charged test requests" }).getByRole("cell").first().waitFor()
    await page.getByText("The service answered").waitFor()
    await look(page)
    await eventually(() => done(page)).toEqual([2, 6])
  })

  it("each step links to its screen", async () => {
    const page = await openAs(await person("owner"), place)
    await eventually(() => steps(page).count()).toBe(6)
    const places = await steps(page)
      .getByRole("link")
      .evaluateAll((links) => links.map((link) => link.getAttribute("href")?.split("/").slice(3).join("/")))
    expect(places).toEqual(["keys/new", "verification", "credits", "keys/new", "credits", "try"])
  })

  it("shows, requests and links only what the role may see or do", async () => {
    const page = await openAs(await person("billing"), place)
    await eventually(() => steps(page).count()).toBe(4)
    await loaded(page)
    expect(await page.getByRole("link", { name: /key/i }).count()).toBe(0)
    expect(site().answers.filter((answer) => answer.includes("/keys") || / 4\d\d$/.test(answer))).toEqual([])
    const developer = await openAs(await person("developer"), place)
    await eventually(() => steps(developer).count()).toBe(6)
    await loaded(developer)
    expect(
      await steps(developer)
        .getByRole("link", { name: /threshold/ })
        .count()
    ).toBe(0)
  })

  it("shows the failure of a part in its place, and can load it again", async () => {
    const owner = await person("owner")
    site().meanwhile = (_, { pathname, searchParams }) =>
      pathname.endsWith("/credits") && searchParams.get("environment") === "live"
        ? Response.json({ error: { code: "internal_error", message: "no luck" } }, { status: 500 })
        : undefined
    const page = await openAs(owner, place)
    await seen(card(page, "Live").getByRole("alert")).toMatch(/No luck/)
    await seen(card(page, "Test")).toMatch(/1,000 credits/)
    site().meanwhile = () => undefined
    await card(page, "Live").getByRole("button", { name: "Try again" }).click()
    await seen(card(page, "Live")).toMatch(/^Live0 credits/)
  })

  it("shows after half a second that the screen or the organization is loading", async () => {
    let answer = () => {}
    const held = new Promise<undefined>((resolve) => {
      answer = () => resolve(undefined)
    })
    const page = await openAs(await person("owner"), "/account")
    const loading = page.getByRole("main").getByRole("status").filter({ hasText: "Loading …" })
    const isVisible = () => loading.evaluateAll((all) => all.some((one) => getComputedStyle(one).opacity === "1"))
    let deliver = () => {}
    const delivered = new Promise<void>((resolve) => {
      deliver = resolve
    })
    await page.route("**/console/assets/*", (route) => delivered.then(() => route.continue()))
    await page.evaluate((place) => {
      location.hash = place
    }, place)
    await loading.waitFor()
    await eventually(isVisible).toBe(true)
    deliver()
    await seen(title(page)).toBe(`Shop ${scenes}`)
    site().meanwhile = (_, { pathname }) => (pathname === `/v1/admin${place}` ? held : undefined)
    await page.reload()
    await seen(title(page)).toBe("Organization")
    await eventually(isVisible).toBe(true)
    answer()
    await seen(title(page)).toBe(`Shop ${scenes}`)
    await loaded(page)
  })

  it("removes the error once the organization is loaded", async () => {
    const owner = await person("owner")
    site().meanwhile = (_, { pathname }) =>
      pathname === `/v1/admin${place}`
        ? Response.json({ error: { code: "internal_error", message: "no luck" } }, { status: 500 })
        : undefined
    const page = await openAs(owner, place)
    await seen(page.getByRole("main").getByRole("alert")).toMatch(/No luck/)
    site().meanwhile = () => undefined
    await page.getByRole("main").getByRole("button", { name: "Try again" }).click()
    await seen(title(page)).toBe(`Shop ${scenes}`)
    await eventually(() => page.getByRole("main").getByRole("alert").count()).toBe(0)
  })
})

describe("what happened, and what needs attention", () => {
  it("counts the requests, credits and errors of today, and lists the latest charged requests", async () => {
    const { manage, origin } = site()
    await manage("PATCH", place, { granted_level: 2, kyb_status: "verified", review_note: "ok" })
    const { secret } = await newKey("test")
    const headers = { "x-api-key": secret }
    await fetch(`${origin}/v1/lookup?code=AB-01-C04-RF-01&level=2`, { headers })
    await fetch(`${origin}/v1/lookup?code=nonsense&level=2`, { headers })
    const page = await openAs(await person("owner"), place)
    await seen(page.getByRole("region", { name: "Test requests", exact: true })).toMatch(
      new RegExp(`Requests ${day}20 ${day}Credits ${day}10 ${day}Errors ${day}10 ${day}$`)
    )
    await seen(page.getByRole("row", { name: /Lookup, level 2/ })).toMatch(/^Lookup, level 2till.*1$/)
    await page.getByText("Live", { exact: true }).and(page.locator("label")).click()
    await seen(page.getByRole("region", { name: "Live requests", exact: true })).toMatch(
      new RegExp(`Requests ${day}00 ${day}`)
    )
    await seen(page.getByRole("region", { name: "Latest charged live requests" })).toMatch(/No request was charged yet/)
  })

  it("warns of a low balance, of keys without limits or near their expiry, and of a failing webhook, with links", async () => {
    const { manage } = site()
    await manage("PATCH", place, { granted_level: 2, kyb_status: "verified", review_note: "ok" })
    const expires_at = new Date(Date.now() + 4.5 * 86_400_000).toISOString()
    const { id } = await makeKey(site(), organization, { name: "till", environment: "live", expires_at })
    await manage("PUT", `${place}/credits/threshold`, { environment: "test", threshold: 2_000 })
    await manage("POST", `${place}/webhooks`, { url: "https://hooks.example/credits" })
    const delivery = { id: "dlv_1", event_id: "msg_1", event: "credits.low", status: "failed", attempts: 9 }
    const deliveries = [{ ...delivery, last_status: 500, created_at: new Date().toISOString() }]
    site().meanwhile = (_, { pathname }) =>
      pathname.endsWith("/deliveries") ? Response.json({ data: { deliveries, next_cursor: null } }) : undefined
    const page = await openAs(await person("owner"), place)
    const tasks = page.getByRole("region", { name: "Needs attention" }).getByRole("listitem")
    await eventually(() => tasks.getByRole("link").allTextContents()).toEqual([
      "No live credits",
      "Low balance of test credits",
      "Webhook to hooks.example fails",
      "“till” expires in 4 days",
      "“till” has no IP limit"
    ])
    await tasks.getByRole("link", { name: /expires/ }).click()
    await page.waitForURL(`**/#${place}/keys/${id}`)
    expect(site().answers.filter((answer) => / 4\d\d$/.test(answer))).toEqual([])
  })

  it("sends a request from the console, and the setup counts it", async () => {
    const page = await openAs(await person("owner"), place)
    await page.getByRole("button", { name: "Send a test request" }).click()
    await seen(page.getByRole("status").filter({ hasText: "The service answered" })).toMatch(/exists/)
    await eventually(async () => {
      await look(page)
      return done(page)
    }).toEqual([6])
  })

  it("says why the keys of a suspended organization are refused", async () => {
    const owner = await person("owner")
    await site().manage("POST", `${place}/suspend`, { reason: "invoice overdue" })
    const page = await openAs(owner, place)
    await seen(page.getByRole("main")).toMatch(/This organization is suspended.*Reason: invoice overdue/)
  })
})

describe("the home of operators", () => {
  it("shows the number of pending reviews and the current version of the data", async () => {
    const { manage } = site()
    await manage("POST", `${place}/kyb`, { business_name: "Shop Ltd", registration_number: "RC 1" })
    await manage("POST", `${place}/access-requests`, { level: 3, reason: "deliveries" })
    const page = await openAs(operator, "/instance")
    await seen(page.getByRole("region", { name: "Businesses to verify" })).toMatch(/verify1 waiting/)
    await seen(page.getByRole("region", { name: "Access requests to review" })).toMatch(/review1 waiting/)
    await seen(page.getByRole("region", { name: "Directory" })).toMatch(/Versiondemo-20000/)
    await page.getByRole("link", { name: "Review", exact: true }).first().click()
    await seen(title(page)).toBe("Reviews")
  })

  it("is not available to members", async () => {
    const page = await openAs(await person("owner"), "/instance")
    await seen(title(page)).toBe("Not found")
  })
})
