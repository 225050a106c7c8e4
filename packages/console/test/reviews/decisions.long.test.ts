/** Verification and access: what an organization asks for, and what operators decide. */
import { describe, expect, it } from "vitest"
import { nextAfter, queueOf } from "../../src/screens/organizations/reviews/queue.ts"
import { button, eventually, focused, loaded, seen, title } from "../ConsolePage.ts"
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
  it("requests verification, sees the reason of a rejection, and requests it again with the previous input", async () => {
    const page = await openAs(await member("owner"), at.verification())
    await page.getByLabel("Registration number").fill("RC 1234567")
    await page.getByLabel("Note").fill("Since 1998.\nIn Kano.")
    await button(page, "Request verification").click()
    await seen(part(page, "Business")).toMatch(/Pending.*RC 1234567.*Since 1998. In Kano./)
    expect(await button(page, "Request verification").count()).toBe(0)
    await eventually(() => part(page, "History").getByRole("listitem").first().textContent()).toMatch(
      /requested verification as/
    )
    await site().manage("PATCH", `/organizations/${organization()}`, {
      kyb_status: "rejected",
      review_note: "The number is another business’s."
    })
    await page.reload()
    await seen(part(page, "Business")).toMatch(/Rejected.*The number is another business’s\./)
    expect(await page.getByLabel("Registration number").inputValue()).toBe("RC 1234567")
    await button(page, "Request verification").click()
    await eventually(async () => (await known()).kyb_status).toBe("pending")
  })

  it.each([
    ["owner", true, true, true],
    ["developer", false, true, true],
    ["billing", false, false, false]
  ] as const)("shows its %s the actions that the role permits", async (role, asksKyb, asksLevel, hasHistory) => {
    const page = await openAs(await member(role), at.verification())
    await part(page, "Business").waitFor()
    await eventually(() => button(page, "Request verification").count()).toBe(asksKyb ? 1 : 0)
    await loaded(page)
    expect((await button(page, "Request a higher level").count()) > 0).toBe(asksLevel)
    expect(await part(page, "History").count()).toBe(hasHistory ? 1 : 0)
    expect(site().answers.filter((answer) => / 403$/.test(answer))).toEqual([])
  })

  it("shows developers the history of requests, although they may not read the audit log", async () => {
    const { id } = await askFor(4)
    await site().manage("POST", `/access-requests/${id}/decision`, { decision: "rejected", note: "Not yet" })
    const page = await openAs(await member("developer"), at.verification())
    await seen(part(page, "History").getByRole("list")).toMatch(
      /Access level 4 was rejected: “Not yet”.*Access level 4 was requested/
    )
    expect(site().answers.filter((answer) => answer.includes("/v1/admin/audit"))).toEqual([])
  })
})

describe("the queue", () => {
  const asked = (id: string, created_at: string) => ({ id, created_at }) as never

  it("has requests for verification and levels in order of time, and continues after the decided one", () => {
    const old = { id: "org_2", created_at: "2026-01-01", kyb_submission: { submitted_at: "2026-03-03" } } as never
    const queue = queueOf([old], [asked("acr_1", "2026-02-02"), asked("acr_3", "2026-04-04")])
    expect(queue.map(({ id }) => id)).toEqual(["acr_1", "org_2", "acr_3"])
    expect(nextAfter(queue, "org_2")?.id).toBe("acr_3")
    expect(nextAfter(queue, "acr_3")?.id).toBe("acr_1")
    expect(nextAfter(queue.slice(0, 1), "acr_1")).toBe(undefined)
  })

  it("is worked through by keyboard: each decision opens the next, and the last one says that nothing waits", async () => {
    await decideAll()
    await submit(organization())
    await askFor(3)
    const page = await openAs(operator(), "/reviews")
    await seen(title(page)).toBe("Reviews")
    await seen(page.getByRole("heading", { level: 2 }).last()).toBe(`${names("Shop")}: verification`)
    await seen(page.getByText("The names differ")).toBe("The names differ")
    await seen(page.locator(".notice")).toMatch(/business is called “Shop Ltd”, the organization “Shop \d+”/)
    await button(page, "Select a decision").click()
    await eventually(() => hasFocus(page, "Verify the business")).toBe(true)
    expect(await page.getByRole("group", { name: "Decision" }).textContent()).toMatch(/Select one\.$/)
    expect(await page.locator("main .error").count()).toBe(1)
    await page.getByLabel("Reject the verification").check()
    await page.keyboard.press("Enter")
    await eventually(() => hasFocus(page, "Note")).toBe(true)
    expect((await known()).kyb_status).toBe("pending")
    await page.getByLabel("Verify the business").check()
    await page.keyboard.press("Enter")
    await eventually(() => focused(page)).toBe(`${names("Shop")}: access level 3`)
    expect(await known()).toMatchObject({ kyb_status: "verified" })
    expect(await page.getByRole("radio", { checked: true }).and(page.locator("main *")).count()).toBe(0)
    await page.getByLabel("Note").fill("Read")
    await button(page, "Select a decision").click()
    await eventually(() => hasFocus(page, "Grant access level 3")).toBe(true)
    expect(await page.getByRole("group", { name: "Decision" }).textContent()).toMatch(/Select one\.$/)
    expect(site().answers.filter((answer) => answer.includes("/decision"))).toEqual([])
    await page.getByLabel("Reject the access request").check()
    expect(await button(page, "Reject the access request").count()).toBe(1)
    await page.getByLabel("Grant access level 3").check()
    await page.getByLabel("Note").fill("Read\nand agreed")
    await button(page, "Grant access level 3").click()
    await seen(page.getByText("No pending reviews.")).toMatch(/No pending/)
    expect(await known()).toMatchObject({ granted_level: 3, review_note: "Read and agreed" })
  })

  it("changes nothing about a business that another operator has decided on meanwhile", async () => {
    await decideAll()
    await submit(organization())
    const page = await openAs(operator(), `/reviews?item=${organization()}`)
    await page.getByLabel("Verify the business").check()
    await site().manage("PATCH", `/organizations/${organization()}`, {
      kyb_status: "rejected",
      review_note: "No papers"
    })
    await button(page, "Verify the business").click()
    await seen(page.getByRole("alert")).toMatch(/Another operator has already decided/)
    expect((await known()).kyb_status).toBe("rejected")
  })

  it("is for operators only", async () => {
    const page = await openAs(await member("owner"), "/reviews")
    await seen(title(page)).toBe("Not found")
  })
})

describe("an operator manages an organization", () => {
  it("and sets level and verification, with a note if the service requires one", async () => {
    const page = await openAs(operator(), at.management())
    await seen(part(page, "Facts")).toMatch(/Test credits1,000.*Live credits0.*Keys0.*Members0/)
    await page.getByLabel("Highest access level").selectOption("5")
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

  it("and members cannot", async () => {
    const page = await openAs(await member("owner"), at.management())
    await seen(title(page)).toBe("Not found")
  })
})
