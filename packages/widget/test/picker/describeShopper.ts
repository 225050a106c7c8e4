/** Eight texts of a shopper, from the first key to the filled form: what is typed, and how many keys and clicks it takes. */
import { likelyCorrection } from "@postcode/core/Corrections"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { testDirectory } from "../service/TestDirectory.ts"
import { phone } from "./Hands.ts"
import { combobox, eventually, heard, options, settled, type usePickers, valueIn } from "./PickerPage.ts"
import { pickerHtml, type TestSite } from "./TestSite.ts"

type Pickers = ReturnType<typeof usePickers>

/** A unit of Ikeja with the letter I for the digit 1. */
const mistyped = (): string => {
  const { directory } = testDirectory()
  for (let id = 0; id < directory.size; id++) {
    const code = directory.postcodeAt(id)
    const typed = `${code.slice(0, 14)}I`
    if (code.startsWith("LA-11-") && code.endsWith("01") && likelyCorrection(directory, typed) === code) return typed
  }
  throw new Error("no unit of the directory has this correction")
}

interface Want {
  readonly text: string
  /** The suggestion that the shopper looks for. */
  readonly wanted: string | RegExp
  /** At most; an address is searched for after a pause, so it may come later. */
  readonly keys: number
  /** At most. */
  readonly clicks: number
  readonly filled: Readonly<Record<"lga" | "state", string | RegExp>> & { readonly street?: string }
}

const ikeja = { lga: "Ikeja", state: "Lagos" }

const wants: ReadonlyArray<Want> = [
  { text: "Ikeja", wanted: /^Ikeja, Lagos/, keys: 3, clicks: 4, filled: ikeja },
  { text: "Lagos Ikeja", wanted: /^Ikeja, Lagos/, keys: 7, clicks: 4, filled: ikeja },
  { text: "Surulere", wanted: /^Surulere, Lagos/, keys: 3, clicks: 4, filled: { lga: "Surulere", state: "Lagos" } },
  {
    text: "victoria island",
    wanted: /^Victoria Island, Eti-Osa, Lagos/,
    keys: 15,
    clicks: 3,
    filled: { lga: "Eti-Osa", state: "Lagos" }
  },
  {
    text: "Portharcourt",
    wanted: /^Port Harcourt, Rivers/,
    keys: 3,
    clicks: 4,
    filled: { lga: "Port Harcourt", state: "Rivers" }
  },
  {
    text: "12 allen avenue ikeja",
    wanted: /^12 Allen Avenue, Ikeja, Lagos/,
    keys: 21,
    clicks: 1,
    filled: { ...ikeja, street: "12 Allen Avenue" }
  },
  { text: mistyped(), wanted: /^Did you mean .+, not .+\?/, keys: 15, clicks: 1, filled: ikeja },
  {
    text: "Abuja",
    wanted: /^Federal Capital Territory/,
    keys: 3,
    clicks: 5,
    filled: { lga: /./, state: "Federal Capital Territory" }
  }
]

/** The page's fields that a selection fills. */
export const fill = "address:#street lga:#lga state:#state"

/** A checkout as HTML. */
export const checkoutHtml = (site: TestSite): string => {
  const fields = ["street", "lga", "state"].map((id) => `<label for="${id}">${id}</label><input id="${id}">`)
  return `<form>${pickerHtml(site, `name="postcode" fill="${fill}"`)}${fields.join("")}</form>`
}

/** A page in which the shopper orders. */
export interface Checkout {
  readonly name: string
  /** Sets the page's body and scripts; by default the body is the checkout alone. */
  readonly build?: (site: TestSite) => unknown
  /** Prepares the page that was opened. */
  readonly prepare?: (page: Page) => Promise<unknown>
  /** After the order. */
  readonly check?: (page: Page) => Promise<unknown>
}

const openCheckout = async ({ open, service, site }: Pickers, { build, prepare }: Checkout): Promise<Page> => {
  site().key = await service().newKey({ origins: [site().origin], max_level: 2 })
  site().body = checkoutHtml(site())
  await build?.(site())
  const page = await open(phone)
  await prepare?.(page)
  return page
}

/** Types until the suggestion is among the six that a phone shows. Returns the number of keys. */
const typeUntil = async (page: Page, text: string, wanted: RegExp | string): Promise<number> => {
  const isThere = async () => (await options(page).allTextContents()).slice(0, 6).some((label) => label.match(wanted))
  await combobox(page).tap()
  for (let keys = 1; keys <= text.length; keys++) {
    const query = new URLSearchParams({ q: text.slice(0, keys) })
    const answered = page.waitForResponse((response) => response.url().includes(`autocomplete?${query}&`))
    await page.keyboard.type(text.charAt(keys - 1))
    await answered
    await settled(page)
    if (keys === text.length) await eventually(isThere).toBe(true)
    if (await isThere()) return keys
  }
  throw new Error(`${text} does not lead to ${wanted}`)
}

/** Taps the suggestion, then the first one of each part below. Returns the number of taps. */
const tapToUnit = async (page: Page, wanted: RegExp | string): Promise<number> => {
  await options(page).filter({ hasText: wanted }).first().tap()
  for (let taps = 1; ; taps++) {
    if ((await valueIn(page)) !== "") return taps
    expect(taps).toBeLessThan(6)
    const depth = await codeLength(page)
    await eventually(async () => (await codeLength(page)) > depth || (await options(page).count()) > 0).toBe(true)
    await settled(page)
    // Every part begins with the chosen code, so no characters are marked as a match.
    expect(await page.locator("[part=match]").count()).toBe(0)
    await options(page).first().tap()
  }
}

const codeLength = async (page: Page): Promise<number> =>
  (await page.locator("[part~=code]").allTextContents())[0]?.length ?? 0

export const describeShopper = (pickers: Pickers, checkout: Checkout): void => {
  describe(`from the first key to the filled form, ${checkout.name}:`, () => {
    it.for(wants)("$text", async ({ clicks, filled, keys, text, wanted }) => {
      const page = await openCheckout(pickers, checkout)
      const typed = await typeUntil(page, text, wanted)
      const tapped = await tapToUnit(page, wanted)
      await eventually(() => heard(page)).toHaveLength(1)
      const { street = "", ...names } = filled
      for (const [id, expected] of Object.entries({ ...names, street })) {
        await eventually(() => page.locator(`#${id}`).inputValue()).toEqual(
          typeof expected === "string" ? expected : expect.stringMatching(expected)
        )
      }
      expect(await page.locator("[part=place]").textContent()).not.toBe("")
      expect(await page.getByRole("button", { name: "Change" }).isVisible()).toBe(true)
      expect(typed).toBeLessThanOrEqual(keys)
      expect(tapped).toBeLessThanOrEqual(clicks)
      await checkout.check?.(page)
    })
  })
}
