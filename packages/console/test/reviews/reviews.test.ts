/** Verification and access: what an organization asks for, and what operators decide. */
import type { Page } from "playwright-core"
import { beforeAll, beforeEach, describe, expect, it } from "vitest"
import { nextAfter, queueOf } from "../../src/screens/reviews/queue.ts"
import { expectNothing } from "../Axe.ts"
import { button, dialog, eventually, focused, loaded, seen, title, useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"

const { openAs, site } = useConsole()
const withAxe = { withAxe: true } as const
let operator: Person
let organization: string
let scenes = 0
let names: (name: string) => string

beforeAll(async () => {
  operator = await site().newPerson("Ngozi Eze", "operator")
})

beforeEach(async () => {
  const number = ++scenes
  names = (name) => `${name} ${number}`
  organization = await newOrganization("Shop")
})

const newOrganization = (name: string): Promise<string> => site().newOrganization(names(name))
const business = { business_name: "Shop Ltd", registration_number: "RC 1234567" }
const submit = (id: string) => site().manage("POST", `/organizations/${id}/kyb`, business)
const askFor = (level: number, id = organization) =>
  site().manage<{ readonly id: string }>("POST", `/organizations/${id}/access-requests`, { level, reason: "For tests" })
const known = (id = organization) => site().manage<Record<string, unknown>>("GET", `/organizations/${id}`)
const verification = () => `/organizations/${organization}/verification`
const member = (role: Person["role"]) => site().newPerson(names(role), role, organization)
const hasFocus = (page: Page, label: string) =>
  page.getByLabel(label).evaluate((element) => element === document.activeElement)

/** What other tests left waiting. */
const decideAll = async (): Promise<void> => {
  const { manage } = site()
  const { organizations } = await manage<{ readonly organizations: ReadonlyArray<{ readonly id: string }> }>(
    "GET",
    "/organizations?kyb_status=pending"
  )
  for (const { id } of organizations) await manage("PATCH", `/organizations/${id}`, { kyb_status: "verified" })
  const { access_requests } = await manage<{ readonly access_requests: ReadonlyArray<{ readonly id: string }> }>(
    "GET",
    "/access-requests?status=pending"
  )
  const decision = { decision: "rejected", note: "Left over" }
  for (const { id } of access_requests) await manage("POST", `/access-requests/${id}/decision`, decision)
}
const part = (page: Page, name: string) => page.getByRole("region", { name })

describe("an organization", () => {
  it("asks to be verified, reads why it was rejected, and asks again with what it said before", async () => {
    const page = await openAs(await member("owner"), verification())
    await page.getByLabel("Registration number").fill("RC 1234567")
    await page.getByLabel("Note").fill("Since 1998.\nIn Kano.")
    await button(page, "Ask for verification").click()
    await seen(part(page, "Business")).toMatch(/Pending.*RC 1234567.*Since 1998. In Kano./)
    expect(await button(page, "Ask for verification").count()).toBe(0)
    await eventually(() => part(page, "History").getByRole("listitem").first().textContent()).toMatch(
      /asked for verification as/
    )
    await site().manage("PATCH", `/organizations/${organization}`, {
      kyb_status: "rejected",
      review_note: "The number is another business’s."
    })
    await page.reload()
    await seen(part(page, "Business")).toMatch(/Rejected.*The number is another business’s\./)
    expect(await page.getByLabel("Registration number").inputValue()).toBe("RC 1234567")
    await button(page, "Ask for verification").click()
    await eventually(async () => (await known()).kyb_status).toBe("pending")
  })

  it("asks for a level above its own, once, and sees what comes of it", async () => {
    const page = await openAs(await member("developer"), verification())
    await button(page, "Ask for a higher level").first().click()
    expect(await dialog(page).getByRole("radio").count()).toBe(4)
    await dialog(page).getByLabel("Level 3").check()
    await button(dialog(page), "Ask").click()
    await eventually(() => hasFocus(page, "Reason")).toBe(true)
    await page.keyboard.type("We sort by use.")
    await button(dialog(page), "Ask").click()
    await seen(part(page, "Access level").getByRole("row", { name: "Level 3" })).toMatch(/Asked for/)
    await button(page, "Ask for a higher level").first().click()
    expect(await dialog(page).getByRole("radio").count()).toBe(3)
    await askFor(2)
    await dialog(page).getByLabel("Reason").fill("Asked for meanwhile by somebody else")
    await button(dialog(page), "Ask").click()
    await seen(dialog(page).getByRole("alert")).toMatch(/pending already/)
  })

  it.each([
    ["owner", true, true, true],
    ["developer", false, true, true],
    ["billing", false, false, false]
  ] as const)("shows its %s what the table gives them", async (role, asksKyb, asksLevel, hasHistory) => {
    const page = await openAs(await member(role), verification())
    await part(page, "Business").waitFor()
    await eventually(() => button(page, "Ask for verification").count()).toBe(asksKyb ? 1 : 0)
    await loaded(page)
    expect((await button(page, "Ask for a higher level").count()) > 0).toBe(asksLevel)
    expect(await part(page, "History").count()).toBe(hasHistory ? 1 : 0)
    expect(site().answers.filter((answer) => / 403$/.test(answer))).toEqual([])
  })

  it("tells developers how it went, though the audit log is not theirs", async () => {
    const { id } = await askFor(4)
    await site().manage("POST", `/access-requests/${id}/decision`, { decision: "rejected", note: "Not yet" })
    const page = await openAs(await member("developer"), verification())
    await seen(part(page, "History").getByRole("list")).toMatch(/Level 4 was rejected: “Not yet”.*Level 4 was asked/)
    expect(site().answers.filter((answer) => answer.includes("/v1/admin/audit"))).toEqual([])
  })
})

describe("the queue", () => {
  const asked = (id: string, created_at: string) => ({ id, created_at }) as never

  it("has businesses and levels by the time of asking, and goes on behind what was decided", () => {
    const old = { id: "org_2", created_at: "2026-01-01", kyb_submission: { submitted_at: "2026-03-03" } } as never
    const queue = queueOf([old], [asked("acr_1", "2026-02-02"), asked("acr_3", "2026-04-04")])
    expect(queue.map(({ id }) => id)).toEqual(["acr_1", "org_2", "acr_3"])
    expect(nextAfter(queue, "org_2")?.id).toBe("acr_3")
    expect(nextAfter(queue, "acr_3")?.id).toBe("acr_1")
    expect(nextAfter(queue.slice(0, 1), "acr_1")).toBe(undefined)
  })

  it("is worked through by keyboard: each decision opens the next, and the last one says that nothing waits", async () => {
    await decideAll()
    await submit(organization)
    await askFor(3)
    const page = await openAs(operator, "/reviews")
    await seen(title(page)).toBe("Reviews")
    await seen(page.getByRole("heading", { level: 2 }).last()).toBe(`${names("Shop")}: verification`)
    await page.getByLabel("Reject").check()
    await page.keyboard.press("Enter")
    await eventually(() => hasFocus(page, "Note")).toBe(true)
    expect((await known()).kyb_status).toBe("pending")
    await page.getByLabel("Verify").check()
    await page.keyboard.press("Enter")
    await eventually(() => focused(page)).toBe(`${names("Shop")}: level 3`)
    expect(await known()).toMatchObject({ kyb_status: "verified" })
    await page.getByLabel("Note").fill("Read\nand agreed")
    await button(page, "Grant level 3").click()
    await seen(page.getByText("Nothing waits for a decision.")).toMatch(/Nothing waits/)
    expect(await known()).toMatchObject({ granted_level: 3, review_note: "Read and agreed" })
  })

  it("opens what the address names, goes on behind it, and says if another operator was faster", async () => {
    await decideAll()
    const [second, third] = [await newOrganization("Second"), await newOrganization("Third")]
    for (const id of [organization, second, third]) {
      await submit(id)
      site().pass_s(1)
    }
    const page = await openAs(operator, `/reviews?item=${second}`)
    await seen(page.getByRole("heading", { level: 2 }).last()).toBe(`${names("Second")}: verification`)
    await page.getByLabel("Reject").check()
    await page.getByLabel("Note").fill("No papers")
    await button(page, "Reject").click()
    await eventually(() => focused(page)).toBe(`${names("Third")}: verification`)
    expect((await known(second)).kyb_status).toBe("rejected")
    await site().manage("PATCH", `/organizations/${organization}`, { kyb_status: "verified" })
    await page
      .getByRole("listitem")
      .getByRole("button", { name: names("Shop") })
      .click()
    await seen(page.getByText("Somebody else has decided on it")).toMatch(/Somebody else/)
    await button(page, "Go on").click()
    await eventually(() => focused(page)).toBe(`${names("Third")}: verification`)
  })

  it("changes nothing about a business that another operator has decided on meanwhile", async () => {
    await decideAll()
    await submit(organization)
    const page = await openAs(operator, `/reviews?item=${organization}`)
    await button(page, "Verify the business").waitFor()
    await site().manage("PATCH", `/organizations/${organization}`, { kyb_status: "rejected", review_note: "No papers" })
    await button(page, "Verify the business").click()
    await seen(page.getByRole("alert")).toMatch(/Another operator has decided on it/)
    expect((await known()).kyb_status).toBe("rejected")
  })

  it("is not said to be empty where half of it could not be read", async () => {
    await decideAll()
    const page = await openAs(operator, "/organizations")
    site().meanwhile = (_, { pathname }) =>
      pathname === "/v1/admin/access-requests"
        ? Response.json({ error: { code: "unavailable", message: "away" } }, { status: 503 })
        : undefined
    await page.getByRole("link", { name: "Reviews" }).click()
    await page.getByRole("status").filter({ hasText: "The service is busy" }).waitFor()
    expect(await page.getByText("Nothing waits").count()).toBe(0)
    site().meanwhile = () => undefined
    await button(page, "Try again").click()
    await seen(page.getByText("Nothing waits for a decision.")).toMatch(/Nothing waits/)
  })

  it("is for operators alone", async () => {
    const page = await openAs(await member("owner"), "/reviews")
    await seen(title(page)).toBe("Not found")
  })
})

describe("an operator manages an organization", () => {
  it("and sets level and verification, with a note where the service wants one", async () => {
    const page = await openAs(operator, `/organizations/${organization}/manage`)
    await seen(part(page, "Standing")).toMatch(/Test credits1,000.*Live credits0.*Keys0.*Members0/)
    await page.getByLabel("Highest level").selectOption("5")
    await button(page, "Save changes").click()
    await eventually(() => hasFocus(page, "Note")).toBe(true)
    expect(await page.getByText("Granting level 5 needs one.").count()).toBe(1)
    await page.getByLabel("Note").fill("Contract of May")
    await page.getByLabel("Verification", { exact: true }).selectOption("verified")
    await button(page, "Save changes").click()
    await eventually(() => known()).toMatchObject({
      granted_level: 5,
      kyb_status: "verified",
      review_note: "Contract of May"
    })
    await eventually(() => part(page, "History").getByRole("listitem").first().textContent()).toMatch(/Contract of May/)
    expect(await page.getByLabel("Note").inputValue()).toBe("")
  })

  it("and sets how many requests a minute all its keys have, or leaves that to the service again", async () => {
    const page = await openAs(operator, `/organizations/${organization}/manage`)
    const limit = page.getByLabel("Requests a minute")
    await seen(part(page, "Standing")).toMatch(/Requests a minuteAs the service allows/)
    await limit.fill("1200")
    await button(page, "Save changes").click()
    await seen(part(page, "Standing")).toMatch(/Requests a minute1,200/)
    await eventually(() => known()).toMatchObject({ rate_limit_per_minute: 1_200 })
    await limit.fill("")
    await button(page, "Save changes").click()
    await seen(part(page, "Standing")).toMatch(/Requests a minuteAs the service allows/)
    await eventually(() => known()).not.toHaveProperty("rate_limit_per_minute")
  })

  it("which its own people cannot", async () => {
    const page = await openAs(await member("owner"), `/organizations/${organization}/manage`)
    await seen(title(page)).toBe("Not found")
  })
})

describe("axe has nothing to complain about:", () => {
  it("an owner’s verification", async () => {
    await askFor(4)
    const page = await openAs(await member("owner"), verification(), withAxe)
    await part(page, "History").getByRole("listitem").first().waitFor()
    await expectNothing(page, "verification")
    await button(page, "Ask for a higher level").first().click()
    await expectNothing(page, "asking for a level")
  })

  it("an operator’s reviews", async () => {
    await submit(organization)
    await askFor(2)
    const page = await openAs(operator, "/reviews", withAxe)
    await page.getByRole("heading", { name: "History" }).waitFor()
    await page.getByRole("listitem").last().waitFor()
    await expectNothing(page, "reviews")
    await page.goto(`${site().origin}/console/#/organizations/${organization}/manage`)
    await part(page, "History").getByRole("listitem").first().waitFor()
    await expectNothing(page, "managing")
  })
})
