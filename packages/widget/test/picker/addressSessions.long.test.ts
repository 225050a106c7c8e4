/** Addresses in the search field: when they are searched for, in whose session, and what is offered. */
import { describe, expect, it } from "vitest"
import { holdBack } from "../failures/describeLateAnswers.ts"
import { address, found, place, useAddresses } from "./AddressPage.ts"
import {
  combobox,
  eventually,
  heard,
  identify,
  options,
  seen,
  selectionOf,
  settled,
  status,
  usePickers
} from "./PickerPage.ts"

const pickers = usePickers()
const { open, service, site } = pickers
const { asked, expectOptions, openSearch, useKey } = useAddresses(pickers)

describe("the first text that is neither a code nor a place starts a session without an identifier:", () => {
  it("codes, places and corrections do not, an address does, and later searches use the same session", async () => {
    const page = await openSearch()
    await expectOptions(page, "Ikeja", [place])
    await expectOptions(page, "Abuja", ["Federal Capital Territory FC"])
    await expectOptions(page, "Lagos State, Ikeja LGA", [place])
    await expectOptions(page, "LA-11-B03-RD-2B", [
      "Did you mean LA 11 B03 RD 28 (Ikeja, Lagos), not 2B? Or keep typing. Use this postcode"
    ])
    await combobox(page).fill("LA-11-B03-PD-0I")
    await seen(status(page)).toBe("This postcode is not in the directory. Please check it.")
    await expectOptions(page, "Portharcourt", ["Port Harcourt, Rivers RI 22"])
    expect(asked()).toEqual([])
    const body = page.waitForRequest(/session$/).then((request) => request.postData())
    await expectOptions(page, address, [found, place])
    expect(await body).toBe("{}")
    await expectOptions(page, "victoria island", ["Victoria Island, Eti-Osa, Lagos LA 08 A04"])
    expect(asked()).toEqual(["widget.session 200", "widget.address 200", "widget.address 200"])
    expect(await heard(page)).toEqual([])
  })

  it("an identified user's session is used instead", async () => {
    const page = await open()
    await identify(page)
    await eventually(() => options(page).count()).toBe(2)
    await expectOptions(page, address, [found, place])
    await options(page).filter({ hasText: "12 Allen Avenue" }).click()
    await eventually(() => service().recorded(site().key)).toEqual(["LA-11-B03-QD-10"])
    expect(asked().filter((answer) => answer === "widget.session 200")).toHaveLength(1)
  })
})

it("a found address is listed before the places, and the active option stays active", async () => {
  const { held, release } = holdBack(service(), "address?")
  const page = await openSearch()
  await combobox(page).fill(address)
  await eventually(held).toBe(1)
  await seen(status(page)).toBe("1 suggestion")
  await page.keyboard.press("ArrowDown")
  release()
  await seen(status(page)).toBe("2 suggestions")
  expect(await options(page).allTextContents()).toEqual([found, place])
  expect(await page.getByRole("option", { selected: true }).textContent()).toBe(place)
  expect(await combobox(page).getAttribute("aria-activedescendant")).toBe("option-1")
  await page.keyboard.press("ArrowUp")
  await page.keyboard.press("Enter")
  await eventually(() => heard(page)).toEqual([
    { ...selectionOf("LA-11-B03-QD-10", "search"), address: "12 Allen Avenue, Ikeja, Lagos" }
  ])
})

it("with a key of level 1 only the places are shown, without a message", async () => {
  await useKey({ max_level: 1 })
  const page = await openSearch()
  await combobox(page).fill(address)
  await eventually(asked).toEqual(["widget.session 200", "widget.address 200"])
  await settled(page)
  expect(await options(page).allTextContents()).toEqual([place])
  expect(await status(page).textContent()).toBe("1 suggestion")
  expect(await heard(page)).toEqual([])
})
