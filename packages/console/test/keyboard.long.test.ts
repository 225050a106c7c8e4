/** The console for users with a keyboard only. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { dialog, focused, seen, title } from "./ConsolePage.ts"
import { password } from "./ConsoleSite.ts"
import { tabTo } from "./Hands.ts"
import { useShop } from "./ShopScene.ts"

const { open, organization, person } = useShop()

const press = async (page: Page, name: string): Promise<void> => {
  await tabTo(page, name)
  await page.keyboard.press("Enter")
}

const signInByKeys = async (page: Page): Promise<void> => {
  await expect.poll(() => focused(page)).toBe("Email")
  await page.keyboard.type(person("owner").email)
  await tabTo(page, "Password")
  await page.keyboard.type(password)
  await page.keyboard.press("Enter")
}

describe("by keyboard alone", () => {
  it("an owner signs in, goes to a screen, invites a member, and signs out", async () => {
    const page = await open()
    await signInByKeys(page)
    await seen(title(page)).toBe("Shop")
    await press(page, "Members")
    await seen(title(page)).toBe("Members")
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe("H1")
    expect(await page.title()).toBe("Members · Postcode Gateway")
    await press(page, "Invite a member")
    await page.keyboard.type("chi@people.example")
    await tabTo(page, "Developer")
    await page.keyboard.press("ArrowDown")
    expect(await focused(page)).toBe("Billing")
    await page.keyboard.press("Enter")
    await seen(dialog(page).getByRole("heading")).toBe("Send this link to the person")
    await page.keyboard.press("Escape")
    await dialog(page).waitFor({ state: "detached" })
    expect(await focused(page)).toBe("Invite a member")
    await press(page, "Ada Obiada.obi@people.example")
    await seen(title(page)).toBe("Your account")
    await press(page, "Sign out")
    await seen(title(page)).toBe("Sign in")
  })

  it("the first Tab skips to the content", async () => {
    const page = await open(`/organizations/${organization()}/members`)
    await signInByKeys(page)
    await seen(title(page)).toBe("Members")
    await page.reload()
    await title(page).waitFor()
    await page.keyboard.press("Tab")
    expect(await focused(page)).toBe("Skip to the content")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    expect(await focused(page)).toBe("Invite a member")
  })

  it("a dialog keeps the focus, and an empty required field gets it", async () => {
    const page = await open(`/organizations/${organization()}`)
    await signInByKeys(page)
    await seen(title(page)).toBe("Shop")
    await press(page, "Rename")
    await page.keyboard.press("ControlOrMeta+A")
    await page.keyboard.press("Delete")
    await page.keyboard.press("Enter")
    expect(await focused(page)).toBe("Name")
    expect(await page.getByRole("textbox", { name: "Name" }).getAttribute("aria-invalid")).toBe("true")
    for (let i = 0; i < 8; i++) {
      await page.keyboard.press("Tab")
      const isInside = await page.evaluate(() => {
        const { activeElement: element } = document
        return element === document.body || element?.closest("dialog") !== null
      })
      expect(isInside).toBe(true)
    }
  })

  it("the navigation of a narrow screen opens, closes and leads to another screen", async () => {
    const page = await open(`/organizations/${organization()}`, { viewport: { width: 360, height: 740 } })
    await signInByKeys(page)
    await seen(title(page)).toBe("Shop")
    await press(page, "Navigation")
    await page.keyboard.press("Escape")
    expect(await focused(page)).toBe("Navigation")
    await page.keyboard.press("Enter")
    await press(page, "Members")
    await seen(title(page)).toBe("Members")
    expect(await page.getByRole("navigation", { name: "Screens" }).isVisible()).toBe(false)
  })
})
