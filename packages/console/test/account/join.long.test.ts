/** What an invitation's link opens, and what is left of the link. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { button, dialog, eventually, seen, title, useConsole } from "../ConsolePage.ts"
import { password } from "../ConsoleSite.ts"
import { everythingIn } from "../Recorder.ts"

const { open, site } = useConsole()

const fill = async (page: Page, name: string, email?: string) => {
  await page.getByLabel("Your name").fill(name)
  if (email !== undefined) await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(password)
  await button(page, "Create account").click()
}

const invite = async (name: string, email: string) => {
  const id = await site().newOrganization(name)
  const path = `/organizations/${id}/invitations`
  const { token } = await site().manage<{ readonly token: string }>("POST", path, { role: "owner", email })
  return { id, token }
}

describe("the link of an invitation", () => {
  it("creates the first operator's account, and is removed from the address and the history before it is used", async () => {
    const token = site().claimToken
    const page = await open(`join=${token}`)
    await seen(title(page)).toBe("Join as operator")
    expect(page.url()).toBe(`${site().origin}/console/#/join`)
    await fill(page, "Ngozi", "ngozi@people.example")
    await seen(title(page)).toBe("Organizations")
    const left = await everythingIn(page)
    expect(left).not.toContain(token)
    expect(left).not.toContain(password)
    await page.goBack().catch(() => {})
    expect(page.url()).not.toContain(token)
    expect(site().answers.join("\n")).not.toContain(token)
  })

  it("shows the organization and the email address, and leads to the organization", async () => {
    const { id, token } = await invite("Harmattan Logistics", "ada@people.example")
    const page = await open(`join=${token}`)
    await seen(page.getByText("You will work with")).toMatch(
      /of Harmattan Logistics\. The invitation expires in 7 days\./
    )
    const email = page.getByLabel("Email")
    expect(await email.inputValue()).toBe("ada@people.example")
    expect(await email.getAttribute("readonly")).not.toBeNull()
    await fill(page, "Ada")
    await seen(title(page)).toBe("Harmattan Logistics")
    await seen(page.getByRole("link", { name: /ada@people\.example/ })).toMatch(/Ada/)
    expect(page.url()).toBe(`${site().origin}/console/#/organizations/${id}`)
  })

  it("lets an account with the address sign in and join, and switch between its organizations", async () => {
    const first = await invite("First Shop", "dele@people.example")
    const page = await open(`join=${first.token}`)
    await fill(page, "Dele")
    await seen(title(page)).toBe("First Shop")
    const second = await invite("Other Shop", "dele@people.example")
    const later = await open(`join=${second.token}`)
    await seen(title(later)).toBe("Join as owner")
    await button(later, "Sign in to join").click()
    await later.getByLabel("Password").fill(password)
    await button(later, "Sign in").click()
    await button(later, "Join").click()
    await seen(title(later)).toBe("Other Shop")
    await later.getByRole("button", { name: /Other Shop/ }).click()
    await dialog(later)
      .getByRole("button", { name: /First Shop/ })
      .click()
    await seen(title(later)).toBe("First Shop")
    expect(later.url()).toBe(`${site().origin}/console/#/organizations/${first.id}`)
  })

  it("tells an account with another address whose invitation it is", async () => {
    const own = await invite("Fourth Shop", "efe@people.example")
    const page = await open(`join=${own.token}`)
    await fill(page, "Efe")
    await seen(title(page)).toBe("Fourth Shop")
    const { token } = await invite("Fifth Shop", "funmi@people.example")
    await page.evaluate((token) => {
      location.hash = `join=${token}`
    }, token)
    await seen(page.getByText("The invitation is for")).toMatch(/funmi@people\.example/)
    expect(await button(page, "Join").count()).toBe(0)
  })

  it("is removed from the address also if it is opened in a window with the console", async () => {
    const { token } = await invite("Second Shop", "chi@people.example")
    const page = await open("/")
    await page.evaluate((token) => {
      location.hash = `join=${token}`
    }, token)
    await seen(title(page)).toBe("Join as owner")
    expect(page.url()).not.toContain(token)
    await page.reload()
    await seen(title(page)).toBe("Open the link again")
  })

  it("shows an error without a form if it is invalid", async () => {
    const page = await open(`join=${"A".repeat(43)}`)
    await seen(page.getByRole("alert")).toMatch(/The invitation is not valid/)
    expect(await page.getByRole("textbox").count()).toBe(0)
  })

  it("keeps the input if a field is refused, and shows the error at the field", async () => {
    const { token } = await invite("Third Shop", "bisi@people.example")
    const page = await open(`join=${token}`)
    await page.getByLabel("Your name").fill("Bisi")
    await page.getByLabel("Password").fill("password1234")
    await button(page, "Create account").click()
    const field = page.getByLabel("Password")
    await eventually(() => field.getAttribute("aria-invalid")).toBe("true")
    const described = await field.getAttribute("aria-describedby")
    const texts = await Promise.all(
      (described ?? "").split(" ").map((id) => page.locator(`[id="${id}"]`).textContent())
    )
    expect(texts.join(" ")).toContain("expected something that is harder to guess")
    expect(await page.getByLabel("Your name").inputValue()).toBe("Bisi")
    await field.fill(password)
    await button(page, "Create account").click()
    await seen(title(page)).toBe("Third Shop")
  })

  it("creates no account for an address that has one, like a link that was used", async () => {
    await site().newPerson("Dayo Taken", "operator")
    const { token } = await invite("Fourth Shop", "dayo.taken@people.example")
    const page = await open(`join=${token}`)
    await fill(page, "Dayo")
    await seen(page.getByRole("alert")).toMatch(/The invitation is not valid/)
  })
})
