/** A postcode with a typing error: the picker suggests what was probably meant, and never takes it by itself. */
import { likelyCorrection } from "@postcode/core/Corrections"
import type { Postcode } from "@postcode/core/Postcode"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { testDirectory } from "../service/TestDirectory.ts"
import { phone } from "./Hands.ts"
import { combobox, heard, options, seen, selectionOf, settled, status, usePickers, valueIn } from "./PickerPage.ts"

const { open } = usePickers()

interface Typo {
  readonly typed: string
  readonly meant: Postcode
}

/** The first unit that is the likely correction of itself with this typing error. */
const typoBy = (err: (postcode: string) => string): Typo => {
  const { directory } = testDirectory()
  for (let id = 0; id < directory.size; id++) {
    const meant = directory.postcodeAt(id)
    const typed = err(meant)
    if (likelyCorrection(directory, typed) === meant) return { typed, meant }
  }
  throw new Error("no unit of the directory has a correction of this kind")
}

const malformed = (): Typo => typoBy((code) => code.slice(0, 14) + (code[14] === "1" ? "I" : code[14]))
const unknown = (): Typo => typoBy((code) => code.slice(0, 10) + code.charAt(11) + code.charAt(10) + code.slice(12))

const spaced = (code: string) => code.replaceAll("-", " ")

const placeOf = (code: Postcode): string => {
  const { lga_name, state_name } = testDirectory().directory.placeNames(code)
  return `${lga_name}, ${state_name}`
}

/** The segment of a postcode that another one lacks. */
const differing = (code: string, other: string) =>
  code
    .split("-")
    .filter((segment, index) => segment !== other.split("-")[index])
    .join(" ")

/** Types it, and waits for the suggestion. */
const type = async (page: Page, { meant, typed }: Typo): Promise<void> => {
  await combobox(page).fill(typed)
  await options(page).filter({ hasText: "Did you mean" }).waitFor()
  await seen(status(page)).toBe("This postcode is not in the directory. Please check it.")
  expect(await options(page).allTextContents()).toEqual([
    `Did you mean ${spaced(meant)} (${placeOf(meant)}), not ${differing(typed, meant)}? Or keep typing. Use this postcode`
  ])
  expect(await options(page).locator("[part=corrected]").allTextContents()).toEqual([differing(meant, typed)])
}

describe("did you mean", () => {
  it("is an option in the list, which a click selects, but not Enter or leaving the field", async () => {
    const typo = malformed()
    const page = await open()
    await type(page, typo)
    await page.keyboard.press("Enter")
    for (let presses = 0; presses < 3; presses++) await page.keyboard.press("Tab")
    await settled(page)
    expect(await heard(page)).toEqual([])
    expect(await valueIn(page)).toBe("")
    expect(await combobox(page).inputValue()).toBe(typo.typed)
    await combobox(page).click()
    await options(page).click()
    expect(await heard(page)).toEqual([selectionOf(typo.meant, "search")])
    expect(await combobox(page).inputValue()).toBe(spaced(typo.meant))
    expect(await valueIn(page)).toBe(typo.meant)
    await seen(status(page)).toBe(`Selected: ${placeOf(typo.meant)}, ${spaced(typo.meant)}`)
    expect(await page.locator("[part=tick]").isVisible()).toBe(true)
  })

  it("is also shown for a well-formed postcode that does not exist, and can be selected by keyboard", async () => {
    const typo = unknown()
    const page = await open()
    await type(page, typo)
    await page.keyboard.press("ArrowDown")
    expect(await heard(page)).toEqual([])
    await page.keyboard.press("Enter")
    expect(await heard(page)).toEqual([selectionOf(typo.meant, "search")])
  })

  it("keeps the typed text if the user ignores the suggestion", async () => {
    const typo = unknown()
    const page = await open()
    await type(page, typo)
    await page.keyboard.press("Tab")
    expect(await heard(page)).toEqual([selectionOf(typo.typed, "search")])
  })

  it("is selected by a tap, large enough to touch, and in the language of the page", async () => {
    const { meant, typed } = unknown()
    const page = await open(phone)
    await page.locator("postcode-picker").evaluate((picker) => picker.setAttribute("lang", "fr"))
    await combobox(page).fill(typed)
    await options(page).filter({ hasText: "Vouliez-vous dire" }).waitFor()
    const { height = 0 } = (await options(page).boundingBox()) ?? {}
    expect(height).toBeGreaterThanOrEqual(44)
    await options(page).tap()
    expect(await heard(page)).toEqual([selectionOf(meant, "search")])
  })
})
