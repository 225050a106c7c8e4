/** The one script that has all. It shortens names of members, so every part of it is used here. */
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest"
import { makeScript } from "../../bundle.ts"
import { openTileServer } from "../discover/TileServer.ts"
import { describeShopper } from "./describeShopper.ts"
import {
  change,
  combobox,
  eventually,
  heard,
  identify,
  options,
  seen,
  status,
  usePickers,
  valueIn
} from "./PickerPage.ts"
import { pickerHtml, type TestSite } from "./TestSite.ts"

const pickers = usePickers()
const { open, service, site } = pickers

let script = ""

beforeAll(async () => {
  script = (await makeScript()).content
})

const useScript = (site: TestSite) => {
  site.app = script
}

describeShopper(pickers, { name: "with one script", build: useScript })

describe("one script has", () => {
  beforeEach(() => useScript(site()))

  it("saved postcodes, with what is wrong in an identifier, and a postcode in its place", async () => {
    const page = await open()
    await identify(page, "ada")
    await page.getByText("Please enter an 11-digit NIN or an email address.").waitFor()
    await identify(page)
    await options(page).filter({ hasText: "Home" }).click()
    const [home, other] = service().postcodes
    await eventually(() => valueIn(page)).toBe(home)
    await eventually(() => service().recorded(site().key)).toEqual([home])
    await change(page)
    await combobox(page).fill(other)
    await page.keyboard.press("Enter")
    await eventually(() => valueIn(page)).toBe(other)
  })

  it("the form for an address that is not listed, in another language", async () => {
    site().body = `<form>${pickerHtml(site(), 'lang="yo" name="postcode"')}</form>`
    const page = await open()
    await page.getByRole("button", { name: "Àdírẹ́sì mi kò sí nínú àtòkọ" }).click()
    await page.locator("#line").fill("7 Hidden Close")
    await page.locator("#state").selectOption("Lagos")
    await page.locator("#lga").selectOption("Ikeja")
    await page.locator("[part=continue]").click()
    const data = () => page.evaluate(() => Object.fromEntries(new FormData(document.forms[0])))
    await eventually(data).toEqual({
      postcode: "LA-11",
      "postcode-lga": "Ikeja",
      "postcode-state": "Lagos",
      "postcode-status": "unlisted",
      "postcode-text": "7 Hidden Close, Ikeja, Lagos"
    })
  })

  it("the map, with streets", async () => {
    const server = await openTileServer()
    onTestFinished(server.close)
    site().key = await service().newKey({ origins: [site().origin], max_level: 5 })
    site().body = pickerHtml(site(), `discover map-style="${server.origin}/style.json"`)
    site().policy = `frame-src ${service().platform}`
    const geolocation = { ...service().point, accuracy: 20 }
    const page = await open({ permissions: ["geolocation"], geolocation })
    await page.getByRole("button", { name: "Use my location" }).click()
    await page.locator("iframe[part=streets].shown").waitFor({ timeout: 30_000 })
    await page.getByRole("application").focus()
    for (const key of ["ArrowUp", "+", "-", "Home", "PageDown", "PageUp"]) await page.keyboard.press(key)
    await expect.poll(() => page.getByRole("radio").count()).toBeGreaterThan(1)
    await page.getByRole("button", { name: "Zoom in" }).click()
    await page.getByRole("application").click({ position: { x: 60, y: 60 } })
    await page.locator("[part=tapped]").waitFor()
    await page.getByRole("radio").nth(1).check()
    await page.getByRole("button", { name: "Use this postcode" }).click()
    await eventually(() => heard(page)).toMatchObject([{ source: "discover", level: 5 }])
  })

  it("a correction, and the message of a place that is not known", async () => {
    const page = await open()
    await combobox(page).fill("zzzz")
    await seen(status(page)).toMatch(/^Nothing found/)
    await combobox(page).fill("LA-11-B03-RD-2B")
    await eventually(() => page.locator("[part=corrected]").allTextContents()).toEqual(["28"])
  })
})
