/** Answers that come late, once the user has gone on to something else. */
import { describe, expect, it } from "vitest"
import {
  combobox,
  eventually,
  heard,
  identify,
  options,
  saved,
  settled,
  usePickers,
  valueIn
} from "../picker/PickerPage.ts"
import { pickerHtml } from "../picker/TestSite.ts"
import { describeLateAnswers, holdBack } from "./describeLateAnswers.ts"

const pickers = usePickers()
const { open, service, site } = pickers

describeLateAnswers(false, pickers)

describe("a late answer never overwrites a newer one:", () => {
  it("for a session that was requested before the form was reset", async () => {
    site().body = `<form>${pickerHtml(site())}<button type="reset">Reset</button></form>`
    const { held, release } = holdBack(service(), "session")
    const page = await open()
    await identify(page)
    await eventually(held).toBe(1)
    await page.getByRole("button", { name: "Reset" }).click()
    release()
    await eventually(() => service().answers).toEqual(["widget.session 200"])
    await settled(page)
    expect(await page.getByLabel("NIN or email").count()).toBe(0)
    expect(await options(page).count()).toBe(0)
    expect(await saved(page).isVisible()).toBe(true)
  })

  /** With a postcode picked whose names are asked for, so that it is not delivered yet. */
  const pickHeld = async () => {
    site().body = pickerHtml(site())
    const { held, release } = holdBack(service(), "q=LA-1&")
    const page = await open()
    const pick = async (asked: number) => {
      await combobox(page).fill("la12a03bg07")
      await page.keyboard.press("Enter")
      await eventually(held).toBe(asked)
    }
    await pick(1)
    return { page, pick, release }
  }

  it("with the names of a selection, after the text has changed", async () => {
    const { page, release } = await pickHeld()
    await combobox(page).fill("la12")
    const last = page.waitForResponse(/q=LA-1&/)
    release()
    await last
    await settled(page)
    expect(await valueIn(page)).toBe("")
    expect(await heard(page)).toEqual([])
  })

  it("with the names of a unit that was picked again meanwhile: one event is sent", async () => {
    const { page, pick, release } = await pickHeld()
    await combobox(page).fill("la12")
    await pick(2)
    release()
    await eventually(() => heard(page)).toMatchObject([{ formatted: "LA-12-A03-BG-07", names: { state: "Lagos" } }])
    await settled(page)
    expect(await heard(page)).toHaveLength(1)
  })

  it("with the names of the previous selection", async () => {
    site().body = pickerHtml(site())
    const { held, release } = holdBack(service(), "q=LA-1&")
    const page = await open()
    await combobox(page).fill("la12a03bg07")
    await page.keyboard.press("Enter")
    await eventually(held).toBe(1)
    await combobox(page).fill("kn01a01aa01")
    await page.keyboard.press("Enter")
    await eventually(() => heard(page)).toMatchObject([{ formatted: "KN-01-A01-AA-01" }])
    release()
    await settled(page)
    expect(await heard(page)).toHaveLength(1)
    expect(await valueIn(page)).toBe("KN-01-A01-AA-01")
  })
})
