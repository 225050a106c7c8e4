/** What axe says of signing in and of people’s screens; the tests of the other screens ask it there. Long names fit. */
import { describe, expect, it } from "vitest"
import { expectNothing, narrow } from "./Axe.ts"
import { button, dialog, seen, title } from "./ConsolePage.ts"
import { password } from "./ConsoleSite.ts"
import { useShop } from "./ShopScene.ts"

const { open, openAs, organization, person, site } = useShop()

describe("axe has nothing to complain about, in light and in dark, narrow and wide:", () => {
  const options = { withAxe: true } as const

  it("signing in", async () => {
    const page = await open("/", options)
    await expectNothing(page, "signing in")
    await button(page, "Sign in").click()
    await expectNothing(page, "fields that are empty")
    await page.getByLabel("Email").fill(person("owner").email)
    await page.getByLabel("Password").fill("not the password at all")
    await button(page, "Sign in").click()
    await page.getByRole("alert").waitFor()
    await expectNothing(page, "a wrong password")
    const path = `/organizations/${organization()}/invitations`
    const { token } = await site().manage<{ readonly token: string }>("POST", path, {
      role: "billing",
      email: "chi@people.example"
    })
    await page.goto(`${site().origin}/console/#join=${token}`)
    await seen(title(page)).toBe("Join as billing")
    await expectNothing(page, "an invitation")
  })

  it("an owner’s screens", async () => {
    const page = await openAs("owner", `/organizations/${organization()}/members`, options)
    await page.getByText("bisi.adeyemi@people.example").waitFor()
    await expectNothing(page, "members")
    await button(page, "Invite a member").click()
    await expectNothing(page, "an invitation to be")
    await dialog(page).getByLabel("Email").fill("chi@people.example")
    await button(dialog(page), "Create invitation").click()
    await page.getByText("shown only once").waitFor()
    await expectNothing(page, "its link")
    await button(dialog(page), "Done").click()
    await button(page, "Remove Bisi Adeyemi").click()
    await expectNothing(page, "a removal")
    await page.keyboard.press("Escape")
    await page.goto(`${site().origin}/console/#/nowhere`)
    await seen(title(page)).toBe("Not found")
    await expectNothing(page, "nowhere")
  })

  it("an operator’s screens", async () => {
    const page = await openAs("operator", "/organizations", options)
    await page.getByRole("link", { name: "Shop" }).waitFor()
    await expectNothing(page, "organizations")
    await page.goto(`${site().origin}/console/#/organizations/${organization()}/members`)
    await button(page, /select another organization/).click()
    await dialog(page).getByRole("listitem").first().waitFor()
    await expectNothing(page, "the switch")
    await page.goBack()
    await seen(title(page)).toBe("Organizations")
    await page.goto(`${site().origin}/console/#/mail`)
    await page.getByText("This service sends no mail").waitFor()
    await expectNothing(page, "mail")
    await page.setViewportSize(narrow)
    await button(page, "Navigation").click()
    await expectNothing(page, "the navigation", [narrow])
    await page.goto(`${site().origin}/console/#/account`)
    await page.getByText("No passkeys yet.").waitFor()
    await page.getByLabel("Review waiting").waitFor()
    await expectNothing(page, "the account")
    await page.context().clearCookies()
    await button(page, "Save name").click()
    await dialog(page).getByLabel("Password").fill(password)
    await expectNothing(page, "a session that has ended")
  })
})

it("very long names do not make a narrow screen wider", async () => {
  const name = "W".repeat(200)
  const id = await site().newOrganization(name)
  const business = { business_name: name, registration_number: name.slice(100) }
  await site().manage("POST", `/organizations/${id}/kyb`, business)
  const person = await site().newPerson(name.slice(140), "operator")
  const page = await openAs(person, "/account", { viewport: narrow })
  for (const [place, words] of [
    ["/account", person.email],
    [`/organizations?name=${name.slice(100)}`, "Names with"],
    ["/reviews", "Decision"]
  ] as const) {
    await page.goto(`${site().origin}/console/#${place}`)
    await page.getByRole("main").getByText(words).first().waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth), place).toBe(360)
  }
})
