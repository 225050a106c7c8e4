/**
 * Pictures of every state of the picker, at 360 and 1,280 pixels, in light and dark, for people to look at:
 *
 *     node --conditions=@postcode/source packages/widget/test/screenshots.ts FOLDER [PATTERN OF NAMES]
 */
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import type { Postcode } from "@postcode/core/Postcode"
import { streetStyle } from "@postcode/demo/streets"
import type { BrowserContextOptions, Page } from "playwright-core"
import { launchBrowser } from "./Browser.ts"
import { openTileServer } from "./discover/TileServer.ts"
import { knownIdentifier, openTestSite, pickerHtml, type TestSite } from "./picker/TestSite.ts"
import { testDirectory } from "./service/TestDirectory.ts"

const [, , folder, part = ""] = process.argv
if (folder === undefined) throw new Error("usage: screenshots.ts FOLDER [PATTERN OF NAMES]")
await mkdir(folder, { recursive: true })
const browser = await launchBrowser()
const site = await openTestSite()
const tiles = await openTileServer()
tiles.archive = "fine"
const { directory } = testDirectory()
/** Where a unit with an address is, 12 Allen Avenue in Ikeja. */
const here = directory.coordinateAt(directory.find("LA-11-B03-QD-10" as Postcode))

const allen = "12 Allen Avenue"
const box = (page: Page) => page.getByRole("combobox")
const openSaved = async (page: Page) => {
  await page.getByRole("button", { name: "Use a saved postcode" }).click()
  await page.getByLabel("NIN or email").waitFor()
}
const identify = async (page: Page, identifier: string) => {
  await openSaved(page)
  await page.getByLabel("NIN or email").fill(identifier)
  await page.getByRole("button", { name: "Show saved postcodes" }).click()
}
/** Types, and waits for this option, by default for any. */
const search = async (page: Page, text: string, option: string | RegExp = /./) => {
  await box(page).fill(text)
  await page.getByRole("option").filter({ hasText: option }).first().waitFor()
}
/** Types, and waits for what is said in place of options. */
const searchInVain = async (page: Page, text: string, said: RegExp) => {
  await box(page).fill(text)
  await page.getByRole("status").filter({ hasText: said }).waitFor()
}
/** A line above the places says that addresses are not found. */
const searchWithoutAddresses = async (page: Page) => {
  await search(page, "12 Allen Avenue, Ikeja")
  await page.locator("[part=list]:not([data-heading=''])").waitFor()
}
const choose = async (page: Page, text: string) => {
  await page.getByRole("option").filter({ hasText: text }).first().click()
  await page.locator("[part=done]:visible, [part=list]:not([data-heading=''])").first().waitFor()
}
const typeWhole = async (page: Page, text: string) => {
  await box(page).fill(text)
  await page.keyboard.press("Enter")
  await page.locator("[part=done]").waitFor()
}
const useLevel = (max_level: 2 | 5) => async (site: TestSite) => {
  site.key = await site.service.newKey({ origins: [site.origin], max_level })
}
const withoutCredits = async (site: TestSite) => {
  site.key = await site.service.newKey({ environment: "live", origins: [site.origin] })
}
const openUnlisted = (page: Page) => page.getByRole("button", { name: "My address is not listed" }).click()
const useLevel2 = useLevel(2)
const useLocation = (page: Page) => page.getByRole("button", { name: "Use my location" }).click()
const openMap = async (page: Page) => {
  await useLocation(page)
  await page.getByRole("radio").first().waitFor()
}

interface State {
  readonly name: string
  readonly attributes?: string
  readonly prepare?: (site: TestSite, scheme: "dark" | "light") => unknown
  readonly act?: (page: Page) => Promise<unknown>
  readonly context?: BrowserContextOptions
}

const states: ReadonlyArray<State> = [
  { name: "01-start" },
  { name: "02-identify", act: openSaved },
  { name: "03-bad-identifier", act: (page) => identify(page, "ada") },
  {
    name: "04-bookmarks",
    act: async (page) => {
      await identify(page, knownIdentifier)
      await page.getByRole("option").first().waitFor()
      await page.keyboard.press("ArrowDown")
    }
  },
  { name: "05-no-bookmarks", act: (page) => identify(page, "12345678901") },
  { name: "06-names", act: (page) => search(page, "sur") },
  { name: "07-codes", act: (page) => search(page, "LA 11 B03") },
  {
    name: "08-parts",
    act: async (page) => {
      await search(page, "Ikeja")
      await choose(page, "Ikeja")
    }
  },
  { name: "09-nothing", act: (page) => searchInVain(page, "zzz", /^Nothing found/) },
  { name: "10-selected", act: (page) => typeWhole(page, site.service.postcodes[0]) },
  {
    name: "11-located",
    act: async (page) => {
      await useLocation(page)
      await page.getByRole("option").first().waitFor()
    }
  },
  {
    name: "12-busy",
    prepare: ({ service }) => service.unavailable.add("directory"),
    act: (page) => searchInVain(page, "la", /^Suggestions are not available/)
  },
  {
    name: "13-no-credits",
    prepare: withoutCredits,
    act: (page) => identify(page, knownIdentifier)
  },
  {
    name: "14-required",
    attributes: "required",
    act: (page) => page.locator("postcode-picker").evaluate((picker) => (picker as HTMLInputElement).checkValidity())
  },
  { name: "15-disabled", attributes: 'disabled value="LA11B03PD01"' },
  { name: "16-right-to-left", attributes: 'dir="rtl"', act: (page) => search(page, "sur") },
  { name: "17-yoruba", attributes: 'lang="yo"' },
  { name: "18-did-you-mean", act: (page) => search(page, "LA-11-B03-RD-2B") },
  { name: "19-address", prepare: useLevel2, act: (page) => search(page, "12 Allen Avenue, Ikeja", allen) },
  { name: "20-address-perhaps", prepare: useLevel2, act: (page) => search(page, "12 Market Road") },
  {
    name: "21-address-selected",
    prepare: useLevel2,
    act: async (page) => {
      await search(page, "12 Allen Avenue, Ikeja", allen)
      await choose(page, allen)
    }
  },
  {
    name: "22-change",
    act: async (page) => {
      await typeWhole(page, "la11b03pd01")
      await page.getByRole("button", { name: "Change" }).click()
    }
  },
  { name: "23-map", attributes: "discover", prepare: useLevel(5), act: openMap },
  { name: "24-map-without-points", attributes: "discover", prepare: useLevel2, act: openMap },
  { name: "25-no-location", context: { permissions: [] }, act: useLocation },
  {
    name: "26-searching",
    act: async (page) => {
      // Nothing answers.
      await page.route("**/v1/search/**", () => undefined)
      await box(page).fill("sur")
      await page.locator("[part=field].busy").waitFor()
    }
  },
  {
    name: "27-not-in-directory",
    act: (page) => searchInVain(page, "LA-12-A03-BG-07", /^This postcode is not in the directory/)
  },
  {
    name: "28-offline",
    act: async (page) => {
      // What is loaded at the first focus.
      await box(page).focus()
      await page.waitForLoadState("networkidle")
      await page.context().setOffline(true)
      await searchInVain(page, "12 Allen Avenue, Ikeja", /^No connection/)
    }
  },
  { name: "29-not-listed", act: openUnlisted },
  {
    name: "30-not-listed-taken",
    act: async (page) => {
      await openUnlisted(page)
      await page.getByLabel("House number and street").fill("7 Hidden Close")
      await page.getByLabel("State").selectOption("Lagos")
      await page.getByLabel("Local government area").selectOption("Ikeja")
      await page.getByRole("button", { name: "Use this address" }).click()
    }
  },
  {
    name: "31-address-unavailable",
    prepare: withoutCredits,
    act: searchWithoutAddresses
  },
  {
    name: "32-place-taken",
    prepare: withoutCredits,
    act: async (page) => {
      await searchWithoutAddresses(page)
      await choose(page, "Ikeja")
    }
  },
  {
    name: "33-map-with-streets",
    attributes: `discover map-style="${tiles.origin}/style.json"`,
    prepare: async (site, scheme) => {
      await useLevel(5)(site)
      tiles.style = streetStyle(scheme, "streets.pmtiles")
      site.policy = `frame-src ${site.service.platform}`
    },
    act: async (page) => {
      await openMap(page)
      await page.locator("[part=streets].shown").waitFor()
      await page.waitForTimeout(1_500)
    }
  },
  {
    name: "34-in-a-dialog",
    prepare: useLevel2,
    act: async (page) => {
      await page.evaluate(() => {
        const dialog = document.createElement("dialog")
        dialog.append(...document.querySelectorAll("main > *"))
        document.querySelector("main")?.append(dialog)
        dialog.showModal()
      })
      await search(page, "12 Allen Avenue, Ikeja", allen)
    }
  }
]

/** On a machine that is busy with other things, too. */
const timeout_ms = 120_000
const wanted = new RegExp(part)
for (const width of [360, 1280]) {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const { act, attributes = "", context: options, name, prepare } of states.filter(({ name }) =>
      wanted.test(name)
    )) {
      await site.reset()
      await prepare?.(site, colorScheme)
      site.body = pickerHtml(site, attributes)
      const context = await browser.newContext({
        colorScheme,
        viewport: { width, height: width === 360 ? 560 : 520 },
        permissions: ["geolocation"],
        geolocation: { latitude: here.lat, longitude: here.lon, accuracy: 12 },
        ...options
      })
      context.setDefaultTimeout(timeout_ms)
      const page = await context.newPage()
      await page.goto(site.origin)
      await act?.(page)
      await page.waitForTimeout(250)
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: true })
      await context.close()
    }
  }
}
await browser.close()
await tiles.close()
await site.close()
