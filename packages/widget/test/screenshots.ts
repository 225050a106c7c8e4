/**
 * Pictures of every state of the picker, at 360 and 1,280 pixels, in light and dark, for people to look at:
 *
 *     node --conditions=@postcode/source packages/widget/test/screenshots.ts FOLDER
 */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { launchBrowser } from "./Browser.ts"
import { knownIdentifier, openTestSite, pickerHtml, type TestSite } from "./picker/TestSite.ts"

const folder = process.argv[2]
if (folder === undefined) throw new Error("usage: screenshots.ts FOLDER")
await mkdir(folder, { recursive: true })
const browser = await launchBrowser()
const site = await openTestSite()

const box = (page: Page) => page.getByRole("combobox")
const skip = (page: Page) => page.getByRole("button", { name: "Skip" }).click()
const identify = async (page: Page, identifier: string) => {
  await page.getByLabel("NIN or email").fill(identifier)
  await page.getByRole("button", { name: "Continue" }).click()
}
const search = async (page: Page, text: string) => {
  await skip(page)
  await box(page).fill(text)
  await page.waitForTimeout(600)
}

interface State {
  readonly name: string
  readonly attributes?: string
  readonly prepare?: (site: TestSite) => unknown
  readonly act?: (page: Page) => Promise<unknown>
}

const states: ReadonlyArray<State> = [
  { name: "01-identify" },
  { name: "02-bad-identifier", act: (page) => identify(page, "ada") },
  {
    name: "03-bookmarks",
    act: async (page) => {
      await identify(page, knownIdentifier)
      await page.getByRole("option").first().waitFor()
      await page.keyboard.press("ArrowDown")
    }
  },
  { name: "04-no-bookmarks", act: (page) => identify(page, "12345678901") },
  { name: "05-search", act: skip },
  { name: "06-names", act: (page) => search(page, "la i") },
  { name: "07-segments", act: (page) => search(page, "LA 11 B03") },
  { name: "08-nothing", act: (page) => search(page, "zzz") },
  {
    name: "09-selected",
    act: async (page) => {
      await search(page, "la11b03pd01")
      await page.keyboard.press("Enter")
    }
  },
  {
    name: "10-located",
    act: async (page) => {
      await skip(page)
      await page.getByRole("button", { name: "Use my location" }).click()
    }
  },
  {
    name: "11-busy",
    prepare: ({ service }) => service.away.add("directory"),
    act: (page) => search(page, "la")
  },
  {
    name: "12-no-credits",
    prepare: async (site) => {
      site.key = await site.service.newKey({ environment: "live", origins: [site.origin] })
    },
    act: (page) => identify(page, knownIdentifier)
  },
  {
    name: "13-required",
    attributes: "required",
    act: async (page) => {
      await skip(page)
      await page.locator("postcode-picker").evaluate((picker) => (picker as HTMLInputElement).checkValidity())
    }
  },
  { name: "14-disabled", attributes: 'disabled value="LA11B03PD01"' },
  { name: "15-right-to-left", attributes: 'dir="rtl"', act: (page) => search(page, "la i") },
  { name: "16-yoruba", attributes: 'lang="yo"' },
  { name: "17-did-you-mean", act: (page) => search(page, "LA-11-B03-RD-2B") },
  {
    name: "18-address",
    prepare: async (site) => {
      site.key = await site.service.newKey({ origins: [site.origin], max_level: 2 })
    },
    act: (page) => search(page, "12 Allen Avenue, Ikeja")
  },
  {
    name: "19-address-perhaps",
    prepare: async (site) => {
      site.key = await site.service.newKey({ origins: [site.origin], max_level: 2 })
    },
    act: (page) => search(page, "12 Market Road")
  }
]

for (const width of [360, 1280]) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const { act, attributes = "", name, prepare } of states) {
      await site.reset()
      await prepare?.(site)
      site.body = pickerHtml(site, attributes)
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: width === 360 ? 560 : 520 },
        permissions: ["geolocation"],
        geolocation: { ...site.service.point, accuracy: 12 }
      })
      const page = await context.newPage()
      await page.goto(site.origin)
      await act?.(page)
      await page.waitForTimeout(250)
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`) })
      await context.close()
    }
  }
}
await browser.close()
await site.close()
