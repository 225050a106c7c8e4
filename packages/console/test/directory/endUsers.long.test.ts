/** End users: found by an identifier, and removed. */
import { describe, expect, it } from "vitest"
import { button, dialog, seen, title } from "../ConsolePage.ts"
import { everythingIn } from "../Recorder.ts"
import { useShop } from "../ShopScene.ts"

const { openAs, site } = useShop()
const identifier = "amaka@example.com"

describe("an end user", () => {
  it("is found by an identifier that the page does not keep, and removed after a confirmation", async () => {
    const bookmarks = [{ postcode: "LA-11-B03-PD-01", label: "Home" }]
    await site().manage("PUT", "/end-users", { identifiers: [identifier, "61029384756"], bookmarks })
    const page = await openAs("operator", "/end-users")
    await seen(page.getByText("There is one.")).toBe("There is one.")
    await page.getByLabel("Identifier").fill(identifier)
    await button(page, "Find").click()
    await seen(page.getByRole("region", { name: "Found" })).toMatch(/2 stored as hashes.*Home.*LA-11-B03-PD-01/)
    expect(await page.getByLabel("Identifier").inputValue()).toBe("")
    expect(await everythingIn(page)).not.toContain("amaka")
    expect(site().answers.join()).not.toContain("amaka")
    await button(page, "Remove").click()
    await button(dialog(page), "Remove end user").click()
    expect(site().answers.some((answer) => answer.startsWith("DELETE"))).toBe(false)
    await dialog(page).getByRole("textbox").fill("remove")
    await button(dialog(page), "Remove end user").click()
    await seen(page.getByText("There are 0.")).toBe("There are 0.")
    await page.getByLabel("Identifier").fill(identifier)
    await button(page, "Find").click()
    await seen(page.getByRole("status").filter({ hasText: "No end user" })).toMatch(/No end user has that identifier/)
    expect(await page.getByLabel("Identifier").inputValue()).toBe("")
  })

  it("has a screen for operators only", async () => {
    const page = await openAs("billing", "/end-users")
    await seen(title(page)).toBe("Not found")
  })
})
