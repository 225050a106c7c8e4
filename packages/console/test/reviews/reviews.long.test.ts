/** Verification and access: several operators at once, what cannot be read, limits of requests, and what axe says. */
import { describe, expect, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { button, dialog, eventually, focused, seen } from "../ConsolePage.ts"
import { hasFocus, part, useReviews } from "./ReviewScene.ts"

const {
  askFor,
  decideAll,
  known,
  member,
  names,
  newOrganization,
  openAs,
  operator,
  organization,
  site,
  submit,
  ...at
} = useReviews()

describe("an organization", () => {
  it("requests a level above its own once, and sees the decision", async () => {
    const page = await openAs(await member("developer"), at.verification())
    await button(page, "Request a higher level").first().click()
    expect(await dialog(page).getByRole("radio").count()).toBe(4)
    await dialog(page).getByLabel("Level 3").check()
    await button(dialog(page), "Request level").click()
    await eventually(() => hasFocus(page, "Reason")).toBe(true)
    await page.keyboard.type("We sort by use.")
    await button(dialog(page), "Request level").click()
    await seen(part(page, "Access level").getByRole("row", { name: "Level 3" })).toMatch(/Requested/)
    await button(page, "Request a higher level").first().click()
    expect(await dialog(page).getByRole("radio").count()).toBe(3)
    await askFor(2)
    await dialog(page).getByLabel("Reason").fill("Asked for meanwhile by somebody else")
    await button(dialog(page), "Request level").click()
    await seen(dialog(page).getByRole("alert")).toMatch(/pending already/)
  })
})

describe("the queue", () => {
  it("opens the request in the address, continues after it, and reports if another operator has decided", async () => {
    await decideAll()
    const [second, third] = [await newOrganization("Second"), await newOrganization("Third")]
    for (const id of [organization(), second, third]) {
      await submit(id)
      site().pass_s(1)
    }
    const page = await openAs(operator(), `/reviews?item=${second}`)
    await seen(page.getByRole("heading", { level: 2 }).last()).toBe(`${names("Second")}: verification`)
    await page.getByLabel("Reject the verification").check()
    await page.getByLabel("Note").fill("No papers")
    await button(page, "Reject the verification").click()
    await eventually(() => focused(page)).toBe(`${names("Third")}: verification`)
    expect((await known(second)).kyb_status).toBe("rejected")
    await site().manage("PATCH", `/organizations/${organization()}`, { kyb_status: "verified" })
    await page
      .getByRole("listitem")
      .getByRole("button", { name: names("Shop") })
      .click()
    await seen(page.getByText("Another operator has decided")).toMatch(/Another operator/)
    await button(page, "Continue").click()
    await eventually(() => focused(page)).toBe(`${names("Third")}: verification`)
  })

  it("is not reported as empty if a part of it could not be loaded", async () => {
    await decideAll()
    const page = await openAs(operator(), "/organizations")
    site().meanwhile = (_, { pathname }) =>
      pathname === "/v1/admin/access-requests"
        ? Response.json({ error: { code: "unavailable", message: "unavailable" } }, { status: 503 })
        : undefined
    await page.getByRole("link", { name: "Reviews" }).click()
    await page.getByRole("status").filter({ hasText: "The service is busy" }).waitFor()
    expect(await page.getByText("No pending reviews").count()).toBe(0)
    site().meanwhile = () => undefined
    await button(page, "Try again").click()
    await seen(page.getByText("No pending reviews.")).toMatch(/No pending/)
  })
})

describe("an operator manages an organization", () => {
  it("and sets the requests a minute of all its keys, or restores the default", async () => {
    const page = await openAs(operator(), at.management())
    const limit = page.getByLabel("Requests a minute")
    await seen(part(page, "Facts")).toMatch(/Requests a minuteDefault of the service/)
    await limit.fill("1200")
    await button(page, "Save changes").click()
    await seen(part(page, "Facts")).toMatch(/Requests a minute1,200/)
    await eventually(() => known()).toMatchObject({ rate_limit_per_minute: 1_200 })
    await limit.fill("")
    await button(page, "Save changes").click()
    await seen(part(page, "Facts")).toMatch(/Requests a minuteDefault of the service/)
    await eventually(() => known()).not.toHaveProperty("rate_limit_per_minute")
  })
})

describe("axe has nothing to complain about:", () => {
  it("an owner’s verification", async () => {
    await askFor(4)
    const page = await openAs(await member("owner"), at.verification(), { withAxe: true })
    await part(page, "History").getByRole("listitem").first().waitFor()
    await expectNothing(page, "verification")
    await button(page, "Request a higher level").first().click()
    await expectNothing(page, "asking for a level")
  })

  it("an operator’s reviews", async () => {
    await submit(organization())
    await askFor(2)
    const page = await openAs(operator(), "/reviews", { withAxe: true })
    await page.getByRole("heading", { name: "History" }).waitFor()
    await page.getByRole("listitem").last().waitFor()
    await expectNothing(page, "reviews")
    await page.goto(`${site().origin}/console/#${at.management()}`)
    await part(page, "History").getByRole("listitem").first().waitFor()
    await expectNothing(page, "managing")
  })
})
