/** Pages with pickers in a real browser, and the ways to find one's way in them. */
import type { PostcodeSelection } from "@postcode/core/Selection"
import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest"
import { launchBrowser } from "./Browser.ts"
import { knownIdentifier, openTestSite, type TestSite } from "./TestSite.ts"

/**
 * A browser and a site for the tests of a file. After each test every page is closed, and none may have complained on
 * its console, but for answers that are errors themselves.
 */
export const usePickers = () => {
  let browser: Browser
  let site: TestSite
  const complaints: Array<string> = []
  beforeAll(async () => {
    browser = await launchBrowser()
    site = await openTestSite()
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })
  beforeEach(() => site.reset())
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
  })
  const open = async (options: BrowserContextOptions = {}, path = "/"): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage()
    page.setDefaultTimeout(5_000)
    page.on("pageerror", (error) => complaints.push(String(error)))
    page.on("console", (message) => {
      const isAnswer = message.text().startsWith("Failed to load resource")
      if (message.type() === "error" && !isAnswer) complaints.push(message.text())
    })
    await page.addInitScript(listen)
    await page.goto(site.origin + path)
    await page.waitForFunction(() => customElements.get("postcode-picker"))
    return page
  }
  return { open, site: () => site }
}

export type Heard = PostcodeSelection | { readonly status: number; readonly code: string }

/** Runs in the page: keeps the details of all events of pickers. */
const listen = () => {
  const heard: Array<unknown> = []
  Object.assign(window, { heard })
  for (const name of ["postcode-select", "postcode-problem"]) {
    addEventListener(name, (event) => {
      const { detail } = event as CustomEvent
      heard.push(name === "postcode-select" ? detail : { status: detail.status, code: detail.code })
    })
  }
}

export const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: Array<Heard> }).heard)
export const combobox = (page: Page): Locator => page.getByRole("combobox")
export const options = (page: Page): Locator => page.getByRole("option")
export const status = (page: Page): Locator => page.getByRole("status")
export const seen = (locator: Locator) => expect.poll(() => locator.textContent(), { timeout: 5_000 })

export const valueIn = (page: Page) =>
  page
    .locator("postcode-picker")
    .first()
    .evaluate((picker) => (picker as HTMLInputElement).value)

export const identify = async (page: Page, identifier = knownIdentifier) => {
  await page.getByLabel("NIN or email").fill(identifier)
  await page.getByRole("button", { name: "Continue" }).click()
}

export const skip = (page: Page) => page.getByRole("button", { name: "Skip" }).click()
