/** The shopper in checkouts with the styles of common shop themes: keys and taps, and how the picker fits. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { describeShopper, fill } from "../picker/describeShopper.ts"
import { phone } from "../picker/Hands.ts"
import { combobox, options, usePickers } from "../picker/PickerPage.ts"
import { pickerHtml, type TestSite } from "../picker/TestSite.ts"
import { stylesOf, type Theme, themes } from "./themes.ts"

const pickers = usePickers()
const { open, site } = pickers

const build = (theme: Theme) => (site: TestSite) => {
  site.body = theme.html(pickerHtml(site, `name="postcode" fill="${fill}"`))
}

const style = (page: Page, theme: Theme) =>
  page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
  }, stylesOf(theme))

for (const theme of themes) {
  describeShopper(pickers, {
    name: `in a shop with the theme ${theme.name}`,
    build: build(theme),
    prepare: (page) => style(page, theme)
  })
}

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).first().boundingBox()
  if (box === null) throw new Error(`${selector} is not shown`)
  return box
}

describe.for([...themes])("in a shop with the theme $name, the picker", (theme) => {
  it.for([
    ["on a phone", phone],
    ["on a desk", { viewport: { width: 1280, height: 720 } }]
  ] as const)(
    "%s is as wide as the street, and its open list is in sight, in front of everything",
    async ([, context]) => {
      build(theme)(site())
      const page = await open(context)
      await style(page, theme)
      const [input, street] = [await boxOf(page, "[part=input]"), await boxOf(page, "#street")]
      expect(input.x).toBeCloseTo(street.x, -0.7)
      expect(input.width).toBeCloseTo(street.width, -0.7)
      await combobox(page).pressSequentially("sur")
      await options(page).first().waitFor()
      const list = await boxOf(page, "[part=list]")
      const { height, width } = page.viewportSize() ?? { height: 0, width: 0 }
      expect(list.y).toBeGreaterThanOrEqual(0)
      expect(list.y + list.height).toBeLessThanOrEqual(height)
      expect(list.x + list.width).toBeLessThanOrEqual(width)
      const last = await options(page).last().boundingBox()
      const isInFront = await page.evaluate(
        ([x, y]) => document.elementFromPoint(x ?? 0, y ?? 0)?.localName,
        [list.x + list.width / 2, Math.min((last?.y ?? 0) + 20, list.y + list.height - 10)]
      )
      expect(isInFront).toBe("postcode-picker")
    }
  )
})

describe("a label that floats in the field", () => {
  it.for(["", "LA-11-B03-QD-10"])("covers no text of it, with the value %j", async (value) => {
    const dawn = themes.find(({ name }) => name === "Dawn") as Theme
    build(dawn)(site())
    site().body = site().body.replace("<postcode-picker", `$& value="${value}"`)
    const page = await open(phone)
    await style(page, dawn)
    const [input, label] = [await boxOf(page, "[part=input]"), await boxOf(page, "label[for=where]")]
    expect(label.y).toBeGreaterThanOrEqual(input.y)
    const padding = await combobox(page).evaluate((node) => Number.parseFloat(getComputedStyle(node).paddingBlockStart))
    expect(label.y + label.height).toBeLessThanOrEqual(input.y + padding + 4)
    await page.getByText("Postcode", { exact: true }).first().waitFor()
    expect(await combobox(page).getAttribute("aria-label")).toBe("Postcode")
  })
})
