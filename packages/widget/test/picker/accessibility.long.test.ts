/** What axe says of every state that the picker can be in, in light and in dark. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { violations } from "../Axe.ts"
import { makeHeld } from "../Held.ts"
import { combobox, eventually, identify, options, saved, seen, status, usePickers } from "./PickerPage.ts"
import { pickerHtml } from "./TestSite.ts"

const { open, service, site } = usePickers()

describe.for(["light", "dark"] as const)("axe has nothing to complain about, in %s:", (colorScheme) => {
  it("with bookmarks", async () => {
    site().body = pickerHtml(site(), "required")
    const { expectNothing, page } = await openForAxe()
    await expectNothing("the search")
    await saved(page).click()
    await page.getByLabel("NIN or email").waitFor()
    await expectNothing("identification")
    await identify(page, "ada")
    await expectNothing("an identifier that is none")
    const answer = hold()
    await identify(page)
    await expectNothing("waiting for the bookmarks")
    answer()
    await eventually(() => options(page).count()).toBe(2)
    await expectNothing("bookmarks")
    await page.keyboard.press("ArrowDown")
    await expectNothing("a bookmark that is active")
    await page.keyboard.press("Enter")
    await seen(status(page)).toMatch(/^Selected/)
    await expectNothing("a bookmark that is picked")
  })

  it("while searching", async () => {
    site().key = await service().newKey({ origins: [site().origin], max_level: 2 })
    site().body = pickerHtml(site(), "required")
    const { expectNothing, page } = await openForAxe()
    await expectNothing("the search")
    const answer = hold()
    await combobox(page).fill("la")
    await expectNothing("searching")
    answer()
    await eventually(() => options(page).count()).toBeGreaterThan(2)
    await expectNothing("suggestions")
    await page.keyboard.press("ArrowUp")
    await expectNothing("a suggestion that is active")
    const nextAnswer = hold()
    await page.keyboard.press("Enter")
    await seen(status(page)).toMatch(/has several parts. Choose yours, or type your street/)
    await expectNothing("the next part")
    nextAnswer()
    await seen(status(page)).toMatch(/suggestions$/)
    await page.keyboard.press("Escape")
    await checkValidity(page)
    await seen(status(page)).toBe("Please choose a suggestion, or “My address is not listed”.")
    await expectNothing("a postcode that is not complete")
    await combobox(page).fill("zzz")
    await seen(status(page)).toMatch(/^Nothing found/)
    await expectNothing("nothing found")
    await combobox(page).fill("12 Market Road")
    await seen(status(page)).toBe("1 suggestion")
    await page.keyboard.press("ArrowDown")
    await expectNothing("an address")
    await combobox(page).fill("la12a03bg07")
    await seen(status(page)).toMatch(/^This postcode is not in the directory/)
    await expectNothing("a postcode that is not in the directory")
    await combobox(page).fill("LA-11-B03-RD-2B")
    await options(page).filter({ hasText: "Did you mean LA 11 B03 RD 28 (Ikeja, Lagos), not 2B?" }).waitFor()
    await expectNothing("a postcode with a typing error")
    await page.locator("postcode-picker").evaluate((picker) => picker.setAttribute("disabled", ""))
    await expectNothing("disabled")
  })

  it("while locating", async () => {
    const { expectNothing, page } = await openForAxe()
    const locate = () => page.getByRole("button", { name: "Use my location" }).click()
    await locate()
    await seen(status(page)).toMatch(/^Your location is not available/)
    await expectNothing("a location that may not be known")
    await page.context().grantPermissions(["geolocation"])
    await page.context().setGeolocation({ ...service().point, accuracy: 900 })
    await locate()
    await seen(status(page)).toMatch(/^Your location is only accurate to/)
    await expectNothing("a location that is too rough")
    await page.context().setGeolocation({ latitude: 0, longitude: 0, accuracy: 10 })
    await locate()
    await seen(status(page)).toMatch(/^No postcode within/)
    await expectNothing("a location with nothing near")
    await page.context().setGeolocation({ ...service().point, accuracy: 10 })
    await locate()
    await eventually(() => options(page).count()).toBe(1)
    await expectNothing("the postcode of the location")
  })

  it("after a failure", async () => {
    await service().revoke(site().key)
    site().body = pickerHtml(site(), "required")
    const { expectNothing, page } = await openForAxe()
    await checkValidity(page)
    await seen(status(page)).toBe("Please choose a postcode.")
    await expectNothing("a postcode that is required, before anything is used")
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    await expectNothing("bookmarks that are not available")
    await checkValidity(page)
    await seen(status(page)).toBe("Please choose a postcode.")
    await expectNothing("a postcode that is required")
    service().unavailable.add("directory")
    await combobox(page).fill("la")
    await seen(status(page)).toMatch(/^Suggestions are not available now/)
    await expectNothing("suggestions that are not available")
    await page.context().setOffline(true)
    await combobox(page).fill("lag")
    await seen(status(page)).toMatch(/^No connection/)
    await expectNothing("no connection")
  })

  const openForAxe = async () => {
    const page = await open({ colorScheme }, "/with-axe")
    // axe takes a page without a background for a white one.
    await page.evaluate(() => document.documentElement.style.setProperty("background", "Canvas"))
    const expectNothing = async (state: string) =>
      expect([state, ...(await violations(page))], "what axe found in a state").toEqual([state])
    return { page, expectNothing }
  }
})

describe("a screen reader finds:", () => {
  const treeOf = async (page: Page) => (await page.locator("postcode-picker").ariaSnapshot()).split("\n")
  const [label, box] = ["- text: Address or postcode", '- combobox "Address or postcode"']
  const [locate, open_] = ['- button "Use my location"', '- button "Use a saved postcode"']
  const unlisted = '- button "My address is not listed"'
  const hint = "- status: Type an address, a place or a postcode."

  it("the field at first, with suggestions, and after a selection", async () => {
    site().key = await service().newKey({ origins: [site().origin], max_level: 2 })
    site().body = pickerHtml(site())
    const page = await open()
    const text = "12 Allen Avenue, Ikeja"
    expect(await treeOf(page)).toEqual([label, box, locate, open_, unlisted, hint])
    await combobox(page).fill(text)
    await seen(status(page)).toBe("2 suggestions")
    expect(await treeOf(page)).toEqual([
      label,
      `${box} [expanded]: ${text}`,
      '- listbox "Suggestions":',
      '  - option "12 Allen Avenue, Ikeja, Lagos LA 11 B03 QD 10"',
      '  - option "Ikeja, Lagos LA 11"',
      locate,
      open_,
      unlisted,
      "- status: 2 suggestions"
    ])
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await seen(status(page)).toMatch(/^Selected/)
    expect(await treeOf(page)).toEqual([
      label,
      `${box}: LA 11 B03 QD 10`,
      "- text: 12 Allen Avenue, Ikeja, Lagos",
      '- button "Change"',
      '- status: "Selected: 12 Allen Avenue, Ikeja, Lagos, LA 11 B03 QD 10"'
    ])
  })

  it("the form for an identifier", async () => {
    const page = await open()
    await saved(page).click()
    await page.getByLabel("NIN or email").waitFor()
    expect(await treeOf(page)).toEqual([
      label,
      box,
      "- text: Use a saved postcode NIN or email",
      expect.stringMatching(/^- paragraph: Your NIN or email finds .* not to this site, .* in unreadable form\.$/),
      '- textbox "NIN or email"',
      "- alert",
      '- button "Show saved postcodes"',
      '- button "Search instead"',
      hint
    ])
  })

  it("only the label of the page, if there is one", async () => {
    site().body = `<label for="where">Where to</label>${pickerHtml(site(), 'id="where"', "none")}`
    const page = await open()
    expect(await treeOf(page)).toEqual(['- combobox "Where to"', locate, unlisted, hint])
  })
})

const checkValidity = (page: Page) =>
  page.locator("postcode-picker").evaluate((picker) => (picker as HTMLInputElement).checkValidity())

/** The service waits with its answers until the function is called. */
const hold = (): (() => void) => {
  const { release, released } = makeHeld()
  service().meanwhile = () => released
  return release
}
