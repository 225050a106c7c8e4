/** Signing in and out, and what happens to the signed-in account when a session has ended or the service fails. */
import { beforeAll, describe, expect, it } from "vitest"
import {
  announced,
  button,
  dialog,
  eventually,
  focused,
  passOn,
  seen,
  signIn,
  title,
  useConsole
} from "../ConsolePage.ts"
import { type Person, password } from "../ConsoleSite.ts"

const { complaints, open, openAs, site } = useConsole()
let operator: Person
let other: Person

beforeAll(async () => {
  operator = await site().newPerson("Ngozi Eze", "operator")
  other = await site().newPerson("Emeka Ude", "operator")
})

const name = (page: Awaited<ReturnType<typeof open>>) => page.getByLabel("Name", { exact: true })

describe("signing in", () => {
  it("leads to the requested screen, survives a reload, and ends by signing out", async () => {
    const page = await open("/account")
    await seen(title(page)).toBe("Sign in")
    await signIn(page, operator.email, "not the password at all")
    await seen(page.getByRole("alert")).toMatch(/The email address or the password is wrong/)
    expect(await page.getByLabel("Email").inputValue()).toBe(operator.email)
    await signIn(page, operator.email)
    await seen(title(page)).toBe("Your account")
    await page.reload()
    await seen(title(page)).toBe("Your account")
    const id = await site().newOrganization("Shop")
    await page.goto(`${site().origin}/console/#/organizations/${id}`)
    await seen(title(page)).toBe("Shop")
    await page.getByRole("radio", { name: "Live" }).check()
    await page.getByRole("link", { name: operator.email }).click()
    await button(page, "Sign out").click()
    await seen(title(page)).toBe("Sign in")
    expect(page.url()).toBe(`${site().origin}/console/`)
    expect(await page.content()).not.toContain(operator.email)
    expect(await page.evaluate(() => ({ ...sessionStorage, ...localStorage }))).toEqual({ environment: "test" })
    await page.goBack()
    await seen(title(page)).toBe("Sign in")
    expect(await page.content()).not.toContain(operator.email)
  })

  it("works with a passkey that was added to the account", async () => {
    const page = await openAs(operator, "/account")
    const devtools = await page.context().newCDPSession(page)
    await devtools.send("WebAuthn.enable")
    const options = {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true
    } as const
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: { ...options, isUserVerified: true, automaticPresenceSimulation: true }
    })
    await button(page, "Add a passkey").click()
    await dialog(page).getByLabel("Name").fill("My phone")
    await dialog(page).getByLabel("Your password").fill(password)
    await button(dialog(page), "Continue").click()
    await seen(page.getByRole("rowheader")).toBe("My phone")
    await button(page, "Sign out").click()
    await button(page, "Sign in with a passkey").click()
    await seen(title(page)).toBe("Organizations")
    await page.goto(`${site().origin}/console/#/account`)
    await button(page, "Remove My phone").click()
    await button(dialog(page), "Remove passkey").click()
    await seen(page.getByText("No passkeys yet")).toBe("No passkeys yet.")
  })

  it("changes the password with the current one, and a wrong current one does not end the session", async () => {
    const page = await openAs(other, "/account")
    await page.getByLabel("Current password").fill("something else entirely")
    await page.getByLabel("New password").fill("savanna rain in june")
    await button(page, "Change password").click()
    await seen(page.getByRole("alert")).toMatch(/this is not the account's password/)
    expect(await dialog(page).count()).toBe(0)
    await page.getByLabel("Current password").fill(password)
    await button(page, "Change password").click()
    await eventually(() => announced(page)).toContain("The password was changed")
    await page.getByLabel("Current password").fill("savanna rain in june")
    await page.getByLabel("New password").fill(password)
    await button(page, "Change password").click()
    await eventually(() => page.getByLabel("New password").inputValue()).toBe("")
  })
})

describe("the signed-in account", () => {
  it("can sign in again over its input if the session has ended, and then send the input", async () => {
    // Elsewhere motion is reduced, and dialogs are there at once.
    const page = await openAs(operator, "/account", { reducedMotion: "no-preference" })
    await page.getByText("No passkeys yet.").waitFor()
    await page.context().clearCookies()
    await name(page).fill("Ngozi A. Eze")
    await button(page, "Save name").click()
    await seen(dialog(page).getByRole("heading")).toBe("Your session has ended")
    expect(await focused(page)).toBe("Password")
    await dialog(page).getByLabel("Password").fill(password)
    await button(dialog(page), "Sign in").click()
    await dialog(page).waitFor({ state: "detached" })
    expect(await name(page).inputValue()).toBe("Ngozi A. Eze")
    expect(site().answers.filter((answer) => answer === "PATCH /v1/admin/account 200")).toEqual([])
    await button(page, "Try again").click()
    await seen(page.getByRole("link", { name: operator.email })).toMatch(/Ngozi A\. Eze/)
  })

  it("sees the requested screen after it has signed in again", async () => {
    const page = await openAs(operator, "/account")
    await page.getByText("No passkeys yet.").waitFor()
    await page.context().clearCookies()
    await page.goto(`${site().origin}/console/#/operators`)
    await dialog(page).getByLabel("Password").fill(password)
    await button(dialog(page), "Sign in").click()
    await eventually(() => page.getByRole("row", { name: other.email }).count()).toBe(1)
  })

  it("sees a whole list after it has signed in again, and the list is not requested before", async () => {
    const page = await openAs(operator, "/account")
    await page.getByText("No passkeys yet.").waitFor()
    await page.context().clearCookies()
    await page.goto(`${site().origin}/console/#/reviews`)
    await dialog(page).getByLabel("Password").fill(password)
    const asked = () => site().answers.filter((answer) => answer.startsWith("GET /v1/admin/access-requests"))
    await page.waitForTimeout(300)
    expect(asked().length).toBe(1)
    await button(dialog(page), "Sign in").click()
    await page.getByText("No pending reviews.").waitFor()
    expect(asked().length).toBe(2)
  })

  it("leaves no data to another account that signs in instead", async () => {
    const page = await openAs(operator, "/account")
    await page.getByText("No passkeys yet.").waitFor()
    await name(page).fill("a half-typed name")
    await page.context().clearCookies()
    await button(page, "Save name").click()
    await dialog(page).getByLabel("Email").fill(other.email)
    await dialog(page).getByLabel("Password").fill(password)
    await button(dialog(page), "Sign in").click()
    await seen(title(page)).toBe("Organizations")
    expect(await page.content()).not.toContain("half-typed")
    expect(await page.content()).not.toContain(operator.email)
  })

  it("sees how long to wait after too many requests, and can then repeat", async () => {
    const page = await openAs(operator, "/account")
    site().meanwhile = (method) =>
      method === "PATCH"
        ? Response.json(
            { error: { code: "rate_limit_exceeded", message: "too many requests" } },
            { status: 429, headers: { "retry-after": "60", "x-request-id": "req-of-this-test" } }
          )
        : undefined
    await name(page).fill("Ngozi E.")
    await button(page, "Save name").click()
    const notice = page.getByRole("status").filter({ hasText: "Too many requests" })
    await seen(notice).toMatch(/req-of-this-test/)
    const retry = button(page, /^Try again/)
    await seen(retry).toMatch(/^Try again in (60|[1-5]?\d) s$/)
    expect(await retry.isDisabled()).toBe(true)
    site().meanwhile = () => undefined
    await passOn(page, 60)
    await seen(retry).toBe("Try again")
    await retry.click()
    await eventually(() => announced(page)).toContain("Saved")
  })

  it("sees the service's message and the request's id after a failure, and can copy the id", async () => {
    const page = await openAs(operator, "/account", { permissions: ["clipboard-read", "clipboard-write"] })
    site().meanwhile = (method) =>
      method === "PATCH"
        ? Response.json(
            { error: { code: "internal_error", message: "something failed here" } },
            { status: 500, headers: { "x-request-id": "req-of-this-test" } }
          )
        : undefined
    await button(page, "Save name").click()
    await seen(page.getByRole("alert")).toMatch(/The service failedSomething failed here\./)
    await button(page, "Copy the request’s id").click()
    await eventually(() => announced(page)).toContain("Copied")
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("req-of-this-test")
  })

  it("sees the error of one page, and can use the others", async () => {
    site().meanwhile = (_, { pathname }) =>
      pathname === "/v1/admin/operators" ? Response.json({ data: { accounts: [null], next_cursor: null } }) : undefined
    const page = await openAs(operator, "/operators")
    await seen(title(page)).toBe("This page failed")
    expect(complaints().splice(0).length).toBeGreaterThan(0)
    site().meanwhile = () => undefined
    await page.getByRole("link", { name: "Directory" }).click()
    await seen(title(page)).toBe("Directory")
  })

  it("does not see a response that came after its screen was left", async () => {
    const page = await openAs(operator, "/account")
    let release: (() => void) | undefined
    site().meanwhile = (_, { pathname }) =>
      pathname === "/v1/admin/operators"
        ? new Promise<undefined>((resolve) => (release = () => resolve(undefined)))
        : undefined
    await page.goto(`${site().origin}/console/#/operators`)
    await eventually(() => release !== undefined).toBe(true)
    const failed = page.waitForEvent("requestfailed")
    await page.goto(`${site().origin}/console/#/account`)
    expect((await failed).url()).toContain("/v1/admin/operators")
    release?.()
    await seen(title(page)).toBe("Your account")
  })
})
