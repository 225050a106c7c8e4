/** How the picker behaves under the hands of its user, in a real browser, against the real service. */
import type { BrowserContextOptions, Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { phone } from "./Hands.ts"
import {
  change,
  combobox,
  eventually,
  heard,
  identify,
  options,
  saved,
  seen,
  selectionOf,
  settled,
  status,
  usePickers,
  valueIn
} from "./PickerPage.ts"
import { knownIdentifier } from "./TestSite.ts"

const { open, service, site } = usePickers()

describe("selections", () => {
  it("a selection is recorded even if the page navigates immediately", async () => {
    const page = await open()
    await identify(page)
    await eventually(() => options(page).count()).toBe(2)
    await page.evaluate(() => {
      addEventListener("postcode-select", () => location.assign("about:blank"))
    })
    await options(page).first().click()
    await eventually(() => service().recorded(site().key)).toEqual([service().postcodes[0]])
    await eventually(() => page.url()).toBe("about:blank")
  })

  it("a selection is recorded even if the page is closed immediately", async () => {
    const page = await open()
    await identify(page)
    await eventually(() => options(page).count()).toBe(2)
    await options(page).last().click()
    await page.close()
    await eventually(() => service().recorded(site().key)).toEqual([service().postcodes[1]])
  })

  it("a unit that is picked again is sent and recorded once, until another one is picked", async () => {
    const page = await open()
    const [home, other] = service().postcodes
    await identify(page)
    const pick = async (label: string, count: number) => {
      await options(page).filter({ hasText: label }).click()
      await eventually(() => heard(page)).toHaveLength(count)
      await change(page)
      await saved(page).click()
    }
    for (const [index, label] of ["Home", "Home", "Grandmother", "Home"].entries()) await pick(label, index || 1)
    expect(await heard(page)).toMatchObject([home, other, home].map((formatted) => ({ formatted })))
    await eventually(() => service().recorded(site().key)).toEqual([home, other, home])
  })

  it("an invalid identifier is refused without a request, and a postcode in its place is selected", async () => {
    const page = await open()
    await identify(page, "ada")
    await seen(page.getByRole("alert")).toBe("Please enter an 11-digit NIN or an email address.")
    expect(service().answers).toEqual([])
    await identify(page, "la12a03bg07")
    await eventually(() => heard(page)).toEqual([selectionOf("LA-12-A03-BG-07", "search")])
    await settled(page)
    expect(service().answers.filter((answer) => answer.startsWith("widget."))).toEqual([])
  })

  it("an unknown identifier has no bookmarks, and leads to the search", async () => {
    const page = await open()
    await identify(page, "12345678901")
    await seen(status(page)).toBe("No saved postcodes. Please search.")
    expect(await combobox(page).isVisible()).toBe(true)
  })
})

describe("by keyboard alone", () => {
  it("identifies the user, moves through the bookmarks and picks one", async () => {
    const page = await open()
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Tab")
    await page.keyboard.press("Enter")
    await page.getByLabel("NIN or email").waitFor()
    await page.keyboard.type(knownIdentifier)
    await page.keyboard.press("Enter")
    await expect.poll(() => options(page).count()).toBe(2)
    await page.keyboard.press("ArrowUp")
    expect(await active(page)).toContain("Grandmother")
    await page.keyboard.press("ArrowDown")
    expect(await active(page)).toContain("Home")
    await page.keyboard.press("End")
    expect(await active(page)).toContain("Grandmother")
    await page.keyboard.press("Home")
    await page.keyboard.press("Enter")
    await eventually(() => heard(page)).toEqual([selectionOf(service().postcodes[0], "bookmark", "Home")])
  })

  it("Escape closes the list and keeps the text; Down opens it again; Tab leaves and picks nothing", async () => {
    const page = await open()
    await page.keyboard.press("Tab")
    await page.keyboard.type("lag")
    await expect.poll(() => options(page).count()).toBe(1)
    expect(await page.getByRole("listbox", { name: "Suggestions" }).isVisible()).toBe(true)
    await page.keyboard.press("Escape")
    expect(await options(page).count()).toBe(0)
    expect(await combobox(page).inputValue()).toBe("lag")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    expect(await combobox(page).getAttribute("aria-activedescendant")).toBe("option-0")
    await page.keyboard.press("Tab")
    expect(await combobox(page).getAttribute("aria-expanded")).toBe("false")
    expect(await combobox(page).inputValue()).toBe("lag")
    expect(await heard(page)).toEqual([])
    expect(await valueIn(page)).toBe("")
  })

  it("a complete postcode is selected once, by Enter or by leaving the field", async () => {
    const page = await open()
    await page.keyboard.press("Tab")
    await page.keyboard.type("la12a03bg07")
    expect(await valueIn(page)).toBe("LA-12-A03-BG-07")
    expect(await heard(page)).toEqual([])
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await eventually(() => heard(page)).toEqual([selectionOf("LA-12-A03-BG-07", "search")])
    expect(await combobox(page).inputValue()).toBe("LA 12 A03 BG 07")
  })
})

describe("by touch", () => {
  it("options take the real focus, and a tap picks", async () => {
    const page = await open(phone)
    await saved(page).tap()
    await page.getByLabel("NIN or email").fill(knownIdentifier)
    await page.getByRole("button", { name: "Show saved postcodes" }).tap()
    await expect.poll(() => options(page).count()).toBe(2)
    await page.keyboard.press("ArrowDown")
    expect(await focused(page)).toBe("option-0")
    await page.keyboard.press("ArrowDown")
    expect(await focused(page)).toBe("option-1")
    await options(page).filter({ hasText: "Home" }).tap()
    await eventually(() => heard(page)).toEqual([selectionOf(service().postcodes[0], "bookmark", "Home")])
    expect(await focused(page)).not.toBe("input")
  })

  it("searches segment by segment without the focus leaving the picker", async () => {
    const page = await open(phone)
    await combobox(page).fill("la")
    for (const width of [5, 9, 12, 15]) {
      await expect.poll(() => options(page).first().locator("[part~=code]").textContent()).toHaveLength(width)
      // An arrow marks a row that opens the list of its parts.
      expect(await options(page).first().locator("[part~=opens]").count()).toBe(width < 15 ? 1 : 0)
      await options(page).first().tap()
      expect(await page.evaluate(() => document.activeElement?.localName)).toBe("postcode-picker")
    }
    expect(await heard(page)).toMatchObject([{ level: 5, source: "search" }])
  })

  it("everything that can be touched is 44 pixels high and wide, and nothing is wider than the screen", async () => {
    const page = await open(phone)
    for (const step of ["start", "identify", "search", "picked"]) {
      if (step === "identify") {
        await saved(page).tap()
        await page.getByLabel("NIN or email").waitFor()
      }
      if (step === "search") {
        await page.getByRole("button", { name: "Search instead" }).tap()
        await combobox(page).fill("la")
        await expect.poll(() => options(page).count()).toBeGreaterThan(3)
      }
      if (step === "picked") {
        await combobox(page).fill("la12a03bg07")
        await page.keyboard.press("Enter")
        await page.getByRole("button", { name: "Change" }).waitFor()
      }
      for (const role of ["button", "textbox", "combobox", "option"] as const) {
        for (const control of await page.getByRole(role).all()) {
          const { height = 0, width = 0 } = (await control.boundingBox()) ?? {}
          expect(Math.round(Math.min(height, width))).toBeGreaterThanOrEqual(44)
        }
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    }
  })
})

const focused = (page: Page) =>
  page.evaluate(() => document.querySelector("postcode-picker")?.shadowRoot?.activeElement?.id)

const located = (accuracy: number): BrowserContextOptions => ({
  permissions: ["geolocation"],
  geolocation: { ...service().point, accuracy }
})
const locate = (page: Page) => page.getByRole("button", { name: "Use my location" }).click()

describe("the user's location", () => {
  it("is refused with the reason if it is too inaccurate", async () => {
    const page = await open(located(251))
    await locate(page)
    await seen(status(page)).toMatch(/^Your location is only accurate to 251 m/)
    expect(await options(page).count()).toBe(0)
  })

  it("is looked up although a search was pending, and is not replaced by it", async () => {
    const page = await open(located(10))
    await page.clock.install()
    await page.locator("postcode-picker").evaluate((picker) => {
      const root = picker.shadowRoot
      const input = root?.querySelector<HTMLInputElement>("[role=combobox]")
      if (input) input.value = "la"
      input?.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }))
      root?.querySelector<HTMLButtonElement>("[part=locate]")?.click()
    })
    await page.clock.runFor(300)
    await seen(options(page)).toContain("0 m away")
    expect(service().answers).toEqual(["search.reverse 200", "search.autocomplete 200"])
  })

  it("is reported if no unit is near or the permission is missing", async () => {
    const page = await open({ ...located(100), geolocation: { latitude: 0, longitude: 0, accuracy: 100 } })
    await locate(page)
    await seen(status(page)).toBe("No postcode within 100 m. Please search instead.")
    const other = await open()
    await locate(other)
    await seen(status(other)).toBe("Your location is not available. Please search instead.")
  })
})

const active = (page: Page): Promise<string | null> => page.locator("[role=option][aria-selected=true]").textContent()
