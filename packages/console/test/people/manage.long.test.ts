/** Organizations and people: who is invited, what they are, and who is shown what. */
import type { Page } from "playwright-core"
import { beforeEach, describe, expect, it } from "vitest"
import { announced, button, dialog, eventually, loaded, seen, title, useConsole } from "../ConsolePage.ts"
import { type Person, password } from "../ConsoleSite.ts"

const { open, openAs, site } = useConsole()
let organization: string
let scenes = 0
let names: (name: string) => string

beforeEach(async () => {
  const number = ++scenes
  names = (name) => `${name} ${number}`
  organization = await site().newOrganization(names("Shop"))
})

const members = () => `/organizations/${organization}/members`
const person = (name: string, role: Person["role"]) =>
  site().newPerson(names(name), role, role === "operator" ? undefined : organization)
const rowOf = (page: Page, { email }: Person) => page.getByRole("row").filter({ hasText: email })
const navigation = (page: Page) => page.getByRole("navigation", { name: "Screens" }).getByRole("link").allTextContents()

describe("members", () => {
  it("are invited by a link that is shown once and then removed from the page", async () => {
    const owner = await person("Ada", "owner")
    const page = await openAs(owner, members(), { permissions: ["clipboard-read", "clipboard-write"] })
    await button(page, "Invite a member").click()
    await dialog(page).getByLabel("Billing").check()
    const email = dialog(page).getByLabel("Email")
    for (const [typed, words] of [
      ["", /./],
      ["late", /./],
      ["late@people", /expected an email address/i]
    ] as const) {
      await email.fill(typed)
      await button(dialog(page), "Create invitation").click()
      await eventually(() => email.getAttribute("aria-invalid")).toBe("true")
      await seen(dialog(page)).toMatch(words)
    }
    await email.fill("Late@people.example")
    await button(dialog(page), "Create invitation").click()
    await button(dialog(page), "Copy the link").click()
    await eventually(() => announced(page)).toContain("Copied")
    const link = await page.evaluate(() => navigator.clipboard.readText())
    expect(link).toMatch(new RegExp(`^${site().origin}/console/#join=[0-9A-Za-z]{43}$`))
    await button(dialog(page), "Done").click()
    await seen(page.getByRole("rowheader", { name: "late@people.example" })).toBe("late@people.example")
    expect(await page.content()).not.toContain(link.slice(-43))
    const joining = await open(link.slice(link.indexOf("#") + 1))
    await seen(title(joining)).toBe("Join as billing")
    await button(page, "Withdraw").click()
    await button(dialog(page), "Withdraw").click()
    await seen(page.getByText("No pending invitations.")).toBe("No pending invitations.")
    await joining.getByLabel("Your name").fill("Too Late")
    await joining.getByLabel("Password").fill(password)
    await button(joining, "Create account").click()
    await seen(joining.getByRole("alert")).toMatch(/The invitation is not valid/)
  })

  it("get another role, and are removed after their address is typed", async () => {
    const owner = await person("Ada", "owner")
    const developer = await person("Bisi", "developer")
    const page = await openAs(owner, members())
    await button(page, `Change the role of ${developer.name}`).click()
    await dialog(page).getByLabel("Owner").check()
    await button(dialog(page), "Change role").click()
    await seen(rowOf(page, developer)).toMatch(/Owner/)
    await button(page, `Remove ${developer.name}`).click()
    await dialog(page)
      .getByLabel(/to confirm$/)
      .fill(owner.email)
    await button(dialog(page), "Remove member").click()
    await seen(dialog(page)).toMatch(new RegExp(`Type ${developer.email}`))
    expect(await rowOf(page, developer).count()).toBe(1)
    await dialog(page)
      .getByLabel(/to confirm$/)
      .fill(developer.email)
    await button(dialog(page), "Remove member").click()
    await eventually(() => rowOf(page, developer).count()).toBe(0)
  })

  it("cannot be removed as the last owner, and the message of the service is shown", async () => {
    const owner = await person("Ada", "owner")
    const page = await openAs(owner, members())
    await button(page, `Remove ${owner.name}`).click()
    await dialog(page)
      .getByLabel(/to confirm$/)
      .fill(owner.email)
    await button(dialog(page), "Remove member").click()
    await seen(dialog(page).getByRole("alert")).toMatch(/This is the last owner of an organization/)
    expect(await rowOf(page, owner).count()).toBe(1)
  })
})

describe("what a role may not use is not shown:", () => {
  it.each(["developer", "billing"] as const)("%s members see no invitations, roles and removals", async (role) => {
    const member = await person("Chi", role)
    const page = await openAs(member, members())
    await seen(rowOf(page, member)).toMatch(/Chi/)
    await loaded(page)
    expect(await button(page, /Invite|Remove|Change the role/).count()).toBe(0)
    expect(await page.getByRole("heading", { name: "Pending invitations" }).count()).toBe(0)
    expect(site().answers.filter((answer) => / 403$/.test(answer))).toEqual([])
  })

  it("members see no screen for operators, even under its address", async () => {
    const owner = await person("Ada", "owner")
    const page = await openAs(owner, "/operators")
    await seen(title(page)).toBe("Not found")
    expect(await navigation(page)).not.toContain("Operators")
    expect(await button(page, /select another organization/).count()).toBe(0)
  })

  it("every role sees that a screen does not exist", async () => {
    const page = await openAs(await person("Ngozi", "operator"), "/organizations/../x")
    await seen(title(page)).toBe("Not found")
    expect(await page.title()).toBe("Not found · Postcode Gateway")
  })
})

describe("an operator", () => {
  it("makes an organization, renames it, finds another one by its name, and looks at that", async () => {
    const page = await openAs(await person("Ngozi", "operator"), "/organizations")
    await button(page, "Create organization").click()
    await dialog(page).getByLabel("Name").fill(names("Delta Water"))
    await button(dialog(page), "Create organization").click()
    await seen(title(page)).toBe(names("Delta Water"))
    await button(page, "Rename").click()
    await dialog(page).getByLabel("Name").fill(names("Delta Works"))
    await button(dialog(page), "Rename").click()
    await seen(title(page)).toBe(names("Delta Works"))
    await button(page, /select another organization/).click()
    await dialog(page)
      .getByLabel(/Part of its name/)
      .fill(names("shop").toUpperCase())
    await dialog(page)
      .getByRole("listitem")
      .getByRole("button", { name: names("Shop") })
      .click()
    await seen(title(page)).toBe(names("Shop"))
    expect(page.url()).toContain(organization)
    await page.getByRole("radio", { name: "Live" }).check()
    await page.reload()
    expect(await page.getByRole("radio", { name: "Live" }).isChecked()).toBe(true)
  })

  it("invites another operator, and sees the invitation until it is used", async () => {
    const page = await openAs(await person("Ngozi", "operator"), "/operators")
    await button(page, "Invite an operator").click()
    await dialog(page).getByLabel("Email").fill("second@people.example")
    await button(dialog(page), "Create invitation").click()
    await seen(dialog(page).getByRole("heading")).toBe("Send this link to the person")
    await page.keyboard.press("Escape")
    await seen(page.getByRole("table", { name: "Pending invitations" }).getByRole("rowheader").first()).toBe(
      "second@people.example"
    )
  })
})
