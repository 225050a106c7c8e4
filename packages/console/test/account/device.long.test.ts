/** A computer that logs in: what its code opens, with and without a session; axe. */
import { expect, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { button, eventually, seen, signIn, title } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"

const { open, openAs, organization, person, site } = useShop()

interface Started {
  readonly device_code: string
  readonly user_code: string
}
interface State {
  readonly status: string
  readonly management_key?: { readonly organization_id: string; readonly role: string }
}

const start = (machine = "ada-laptop") => site().manage<Started>("POST", "/device-logins", { machine })
const poll = ({ device_code }: Started) => site().manage<State>("POST", "/device-logins/token", { device_code })

it("opens the sign-in first, then shows what is asked; the account agrees, and the key is listed", async () => {
  const login = await start()
  const page = await open(`/device?code=${login.user_code}`, { withAxe: true })
  await seen(title(page)).toBe("Sign in")
  await signIn(page, person("developer").email)
  await seen(title(page)).toBe("Log in a computer")
  await seen(page.getByText("It gets a management key")).toMatch(/^ada-laptop asked .* role Developer in Shop/)
  expect(await page.content()).toContain(`your terminal shows the code ${login.user_code}`)
  await expectNothing(page, "the login of a computer")
  await button(page, "Agree").click()
  await page.getByText("ada-laptop is logged in").first().waitFor()
  await expectNothing(page, "a computer that is logged in")
  const { management_key } = await poll(login)
  expect(management_key).toMatchObject({ organization_id: organization(), role: "developer" })
  const owner = await openAs("owner", `/organizations/${organization()}/keys`)
  await eventually(() => owner.textContent("main")).toContain("Command line on ada-laptop")
})

it("is refused by a button, and takes a code that was typed in any case; a used one is not found", async () => {
  const login = await start("bisi-desktop")
  const page = await openAs("billing", "/device", { withAxe: true })
  await expectNothing(page, "the form of a code")
  await page.getByLabel("Code").fill(login.user_code.toLowerCase().replace("-", ""))
  await button(page, "Continue").click()
  await button(page, "Refuse").click()
  await page.getByText("bisi-desktop gets no access").waitFor()
  expect(await poll(login)).toEqual({ status: "access_denied" })
  const again = await openAs("billing", `/device?code=${login.user_code}`)
  await again.getByText(/No login waits with this code/).waitFor()
  await button(again, "Enter another code").click()
  await again.getByLabel("Code").waitFor()
})

it("tells an operator to use the operator token", async () => {
  const { user_code } = await start()
  const page = await openAs("operator", `/device?code=${user_code}`)
  await page.getByText("Operators log in with the operator token").waitFor()
})
