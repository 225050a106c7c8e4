/** A computer that logs in: what its code opens, with and without a session; axe. */
import { deviceGrant } from "@postcode/gateway/accounts/deviceLogins/DeviceLogin"
import { expect, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { button, eventually, seen, signIn, title } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"

const { open, openAs, organization, person, site } = useShop()

interface Started {
  readonly device_code: string
  readonly user_code: string
}

const send = async <A>(path: string, fields: Readonly<Record<string, string>>): Promise<A> => {
  const body = new URLSearchParams({ client_id: "postcode-cli", ...fields })
  const response = await fetch(`${site().origin}/v1/oauth/${path}`, { method: "POST", body })
  return (await response.json()) as A
}
const start = (machine = "ada-laptop") => send<Started>("device_authorization", { machine })
const poll = ({ device_code }: Started) => send<object>("token", { grant_type: deviceGrant, device_code })

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
  expect(await poll(login)).toMatchObject({ token_type: "Bearer", scope: "developer" })
  const owner = await openAs("owner", `/organizations/${organization()}/keys`)
  await eventually(() => owner.textContent("main")).toContain("Login of ada-laptop")
})

it("is refused by a button, and takes a code that was typed in any case; a used one is not found", async () => {
  const login = await start("bisi-desktop")
  const page = await openAs("billing", "/device", { withAxe: true })
  await expectNothing(page, "the form of a code")
  await page.getByLabel("Code").fill(login.user_code.toLowerCase().replace("-", ""))
  await button(page, "Continue").click()
  await button(page, "Refuse").click()
  await page.getByText("bisi-desktop gets no access").waitFor()
  expect(await poll(login)).toMatchObject({ error: "access_denied" })
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
