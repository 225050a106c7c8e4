/** An input in the picker: it works where the script does not load, and the picker takes its place where it does. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { combobox, eventually, heard, options, seen, settled, usePickers } from "./PickerPage.ts"
import { pickerHtml } from "./TestSite.ts"

const { open, service, site } = usePickers()

const input = '<input id="where" name="postcode" required autocomplete="shipping postal-code" placeholder="Postcode">'
const useForm = (inner = input, attributes = "") => {
  const picker = pickerHtml(site(), attributes, "none").replace("></", `>${inner}</`)
  site().body = `<form><label for="where">Postcode</label>${picker}<input id="state"><button>Order</button></form>`
}
const sent = (page: Page) =>
  page.locator("form").evaluate((node) => [...new FormData(node as HTMLFormElement)].map((pair) => pair.join("=")))

/** The page before its script is loaded; `load` lets it come. */
const openUnloaded = async () => {
  let load = () => {}
  const loaded = new Promise<void>((resolve) => {
    load = resolve
  })
  const page = await open({}, "/", async (page) => {
    await page.route("**/postcode-picker.js", (route) => loaded.then(() => route.continue()))
  })
  return { page, load }
}

describe("an input in the picker", () => {
  it("is the field of the form where the script does not load", async () => {
    useForm()
    const { page } = await openUnloaded()
    const field = page.getByLabel("Postcode")
    await field.fill("LA-11-B03-PD-01")
    expect(await sent(page)).toEqual(["postcode=LA-11-B03-PD-01"])
    await field.fill("")
    expect(await page.locator("form").evaluate((node) => (node as HTMLFormElement).checkValidity())).toBe(false)
    await page.unrouteAll({ behavior: "ignoreErrors" })
  })

  it("hands its name, label, value, constraints and hints on, and is not sent a second time", async () => {
    const [postcode] = service().postcodes
    useForm(input.replace(">", ` value="${postcode}">`))
    const page = await open()
    const field = page.getByRole("combobox", { name: "Postcode" })
    expect(await field.inputValue()).toBe(postcode.replaceAll("-", " "))
    expect(await field.getAttribute("autocomplete")).toBe("shipping postal-code")
    expect(await field.getAttribute("placeholder")).toBe("Postcode")
    expect(await page.getByLabel("Postcode").count()).toBe(1)
    expect(await sent(page)).toEqual([`postcode=${postcode}`, "postcode-status=selected"])
    await page.getByText("Postcode", { exact: true }).first().click()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("where")
    const isValid = () => page.locator("form").evaluate((node) => (node as HTMLFormElement).checkValidity())
    await field.fill("")
    expect(await isValid()).toBe(false)
    await page.locator("form").evaluate((node) => (node as HTMLFormElement).reset())
    expect(await sent(page)).toEqual([`postcode=${postcode}`, "postcode-status=selected"])
  })

  it("leaves its label to a picker that has an id of its own", async () => {
    useForm(input, 'id="picker"')
    const page = await open()
    await page.getByRole("combobox", { name: "Postcode", exact: true }).waitFor()
    expect(await page.locator("[part=label]").isVisible()).toBe(false)
    await page.getByText("Postcode", { exact: true }).first().click()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("picker")
  })

  it("hands on what was typed before, with the focus, and suggestions follow", async () => {
    useForm()
    const { load, page } = await openUnloaded()
    await page.getByLabel("Postcode").pressSequentially("ike")
    load()
    await page.waitForFunction(() => customElements.get("postcode-picker"))
    await eventually(() => options(page).count()).toBeGreaterThan(0)
    await page.keyboard.type("ja")
    expect(await combobox(page).inputValue()).toBe("ikeja")
    expect(await sent(page)).toEqual(["postcode=", "postcode-status=partial", "postcode-text=ikeja"])
  })

  it("hands on a postcode that was typed and left before: it is a selection", async () => {
    useForm(input, 'fill="state:#state"')
    const { load, page } = await openUnloaded()
    await page.getByLabel("Postcode").fill("la12a03bg07")
    await page.locator("#state").focus()
    load()
    await eventually(() => heard(page)).toMatchObject([{ formatted: "LA-12-A03-BG-07" }])
    await eventually(() => page.locator("#state").inputValue()).toBe("Lagos")
    await seen(page.locator("[part=place]")).toMatch(/Lagos$/)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("state")
    await settled(page)
    expect(await options(page).count()).toBe(0)
  })

  it("is taken over if it comes later than the picker, and once", async () => {
    useForm("")
    const page = await open()
    await page.locator("postcode-picker").evaluate((picker) => {
      const inner = document.createElement("input")
      Object.assign(inner, { id: "where", name: "postcode", value: "typed" })
      picker.append(inner)
      picker.parentElement?.prepend(picker)
    })
    await eventually(() => page.getByRole("combobox", { name: "Postcode" }).inputValue()).toBe("typed")
    await combobox(page).fill("la12a03bg07")
    await page.locator("postcode-picker").evaluate((picker) => picker.parentElement?.append(picker))
    await eventually(() => sent(page)).toEqual(["postcode=LA-12-A03-BG-07", "postcode-status=selected"])
    expect(await combobox(page).inputValue()).toBe("LA 12 A03 BG 07")
  })
})
