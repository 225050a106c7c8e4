/** The page of a unit: what operators change, and what the directory answers afterwards. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { button, dialog, eventually, section, seen, title } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"

const { openAs, site } = useShop()

const open = (postcode: string) => openAs("operator", `/directory/units/${postcode.replaceAll("-", "")}`)

const confirm = async (page: Page, name: string, reason: string): Promise<void> => {
  await dialog(page).getByLabel("Reason").fill(reason)
  await button(dialog(page), name).click()
}

const lookup = async (code: string): Promise<unknown> => {
  const response = await fetch(`${site().origin}/v1/lookup?code=${code}`)
  return ((await response.json()) as { readonly data: unknown }).data
}

describe("the page of a unit", () => {
  it("is reached from the search, and shows the unit among its neighbours", async () => {
    const page = await openAs("operator", "/directory?q=LA-11-B03-RD-2")
    await page.getByRole("link", { name: "Open LA-11-B03-RD-28" }).click()
    await seen(title(page)).toBe("LA-11-B03-RD-28")
    await seen(section(page, "Current state")).toMatch(/StatusActive.*Coordinate.*Locality/)
    await seen(section(page, "Map").getByRole("status")).toMatch("LA 11 B03 RD 28: this unit")
    await seen(section(page, "History")).toMatch("No changes since the edition.")
  })

  it("moves a unit and edits its attributes, and keeps both in the history", async () => {
    const page = await open("LA-11-B03-RD-28")
    await button(page, "Move").click()
    await dialog(page).getByLabel("Latitude").fill("north")
    await confirm(page, "Move unit", "surveyed again")
    await seen(dialog(page).locator(".error, .notice").first()).toMatch(/lat/)
    await dialog(page).getByLabel("Latitude").fill("6.6123")
    await dialog(page).getByLabel("Longitude").fill("3.3456")
    await button(dialog(page), "Move unit").click()
    await seen(section(page, "Current state")).toMatch("6.6123, 3.3456")
    await button(page, "Edit attributes").click()
    await dialog(page).getByLabel("Owner").fill("Lagos State")
    await confirm(page, "Save attributes", "sold")
    await seen(section(page, "Current state")).toMatch(/OwnerLagos State/)
    await seen(section(page, "History")).toMatch(/Attributes set.*sold.*Moved.*active, at 6.6123, 3.3456surveyed again/)
    await seen(section(page, "History")).toMatch(/\(you\)/)
    await seen(section(page, "History")).not.toMatch(/acc_/)
  })

  it("retires a unit after a confirmation, names a successor, and reactivates it", async () => {
    const page = await open("LA-11-B03-RD-28")
    await button(page, "Retire").click()
    await seen(dialog(page)).toMatch(/Searches no longer find the unit/)
    await confirm(page, "Retire unit", "demolished")
    await seen(section(page, "Current state")).toMatch(/StatusRetired/)
    await eventually(() => page.locator("[data-postcode='LA-11-B03-RD-28']").count()).toBe(0)
    expect(await lookup("LA-11-B03-RD-28")).toMatchObject({ valid: false, status: "retired" })
    await button(page, "Reactivate").click()
    await confirm(page, "Reactivate unit", "it stands after all")
    await seen(section(page, "Current state")).toMatch(/StatusActive/)
    await button(page, "Replace").click()
    await dialog(page).getByLabel("Successor").fill("LA-11-B03-QD-31")
    await confirm(page, "Replace unit", "rebuilt")
    await seen(section(page, "Current state")).toMatch(/StatusRetired.*SuccessorLA-11-B03-QD-31/)
    expect(await lookup("LA-11-B03-RD-28")).toMatchObject({ status: "retired", replaced_by: "LA-11-B03-QD-31" })
  })

  it("adds a unit that the directory does not have", async () => {
    const page = await open("LA-11-B03-RD-98")
    await seen(page.getByText("The directory has no unit with this postcode")).toMatch(/no unit/)
    await button(page, "Add unit").click()
    await dialog(page).getByLabel("Latitude").fill("6.6124")
    await dialog(page).getByLabel("Longitude").fill("3.3457")
    await dialog(page).getByLabel("Address").fill("98 New Road")
    await confirm(page, "Add unit", "built")
    await seen(section(page, "Current state")).toMatch(/StatusActive.*6.6124, 3.3457.*Address98 New Road/)
    expect(await lookup("LA-11-B03-RD-98")).toMatchObject({ valid: true, status: "valid" })
  })

  it("is for operators only", async () => {
    const page = await openAs("owner", "/directory/units/LA11B03RD28")
    await seen(title(page)).toBe("Not found")
  })
})
