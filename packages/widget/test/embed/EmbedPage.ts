/** The hosted page in a real browser, and the ways to find one's way in it. */
import type { Browser, BrowserContextOptions, FrameLocator, Locator, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest"
import { sharedBrowser } from "../Browser.ts"
import { type EmbedSite, openEmbedSite } from "./EmbedSite.ts"

/** A site for the tests of a file, and the browser. After each test every page is closed, and none may have complained. */
export const useEmbed = () => {
  let browser: Browser
  let site: EmbedSite
  const complaints: Array<string> = []

  beforeAll(async () => {
    browser = await sharedBrowser()
    site = await openEmbedSite()
  })
  afterAll(() => site?.close())
  beforeEach(() => {
    site.answers.length = 0
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
  })

  const newPage = async (options: BrowserContextOptions = {}): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage()
    page.on("pageerror", (error) => complaints.push(String(error)))
    page.on("console", (message) => {
      const isAnswer = message.text().startsWith("Failed to load resource")
      if (message.type() === "error" && !isAnswer) complaints.push(message.text())
    })
    return page
  }
  const address = (options: Readonly<Record<string, string>>, host = site.service): string =>
    `${host}/v1/widget/embed#${new URLSearchParams({ ...(options["publishable-key"] && { saved: "true" }), ...options })}`
  const pick = async (page: Page | FrameLocator): Promise<void> => {
    await page.getByRole("combobox").fill(site.postcode)
    await page.getByRole("combobox").press("Enter")
  }
  const selection = (expected: object = {}) => ({
    version: 1,
    type: "select",
    selection: expect.objectContaining({ version: 1, formatted: site.postcode, source: "search", ...expected })
  })
  const named = () =>
    selection({ names: expect.objectContaining({ state: expect.any(String), lga: expect.any(String) }) })
  return { address, complaints, named, newPage, pick, selection, site: () => site }
}

export const eventually = <A>(value: () => A) => expect.poll(value, { interval: 20 })
export const status = (page: Page | FrameLocator): Locator => page.getByRole("status")

export const told = (page: Page) => page.evaluate(() => window.told ?? {})

export const identify = async (page: Page | FrameLocator): Promise<void> => {
  await page.getByRole("button", { name: "Use a saved postcode" }).click()
  await page.getByLabel("NIN or email").fill("ada@example.com")
  await page.getByRole("button", { name: "Show saved postcodes" }).click()
}

export const ready = { version: 1, type: "ready" }

export const problem = (code: string, status: number, message: string) => ({
  version: 1,
  type: "problem",
  status,
  code,
  message: expect.stringContaining(message)
})
