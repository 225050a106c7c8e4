/** Pages with pickers in a real browser, and the ways to find one's way in them. */
import type { PostcodeSelection } from "@postcode/core/Selection"
import type { Browser, BrowserContextOptions, Locator, Page, Request } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest"
import { sharedBrowser } from "../Browser.ts"
import { knownIdentifier, openTestSite, type TestSite } from "./TestSite.ts"

/**
 * A site for the tests of a file, and the browser. After each test every page is closed, and none may have complained on
 * its console, but for answers that are errors themselves.
 */
export const usePickers = () => {
  let browser: Browser
  let site: TestSite
  const written: Array<string> = []
  const complaints: Array<string> = []
  beforeAll(async () => {
    site = await openTestSite()
    browser = await sharedBrowser()
  })
  afterAll(() => site?.close())
  beforeEach(async () => {
    await site.reset()
    written.length = 0
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
  })
  /** @param hold prepares a page whose script may not be loaded yet */
  const open = async (
    options: BrowserContextOptions = {},
    path = "/",
    hold?: (page: Page) => Promise<unknown>
  ): Promise<Page> => {
    const page = await (await browser.newContext(options)).newPage()
    noteRequests(page)
    page.on("pageerror", (error) => complaints.push(String(error)))
    page.on("console", (message) => {
      written.push(message.text())
      const isAnswer = message.text().startsWith("Failed to load resource")
      if (message.type() === "error" && !isAnswer) complaints.push(message.text())
    })
    await page.addInitScript(listen)
    await hold?.(page)
    await page.goto(site.origin + path, hold ? { waitUntil: "commit" } : {})
    if (hold) return page
    await page.waitForFunction(() => customElements.get("postcode-picker"))
    return page
  }
  return {
    open,
    site: () => site,
    service: () => site.service,
    /** All that pages wrote on their consoles. */
    written: (): ReadonlyArray<string> => written,
    /** What they complained of; who provokes a complaint takes it away. */
    complaints: () => complaints
  }
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

/** The requests of a page that have no answer yet. */
const unanswered = new WeakMap<Page, Set<Request>>()

const noteRequests = (page: Page): void => {
  const requests = new Set<Request>()
  unanswered.set(page, requests)
  page.on("request", (request) => requests.add(request))
  page.on("requestfinished", (request) => requests.delete(request))
  page.on("requestfailed", (request) => requests.delete(request))
}

/** Waits until a page has done all that follows from what it has asked for so far: what did not happen by then will not. */
export const settled = async (page: Page): Promise<void> => {
  await expect.poll(() => unanswered.get(page)?.size).toBe(0)
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve))))
  )
}

export const heard = (page: Page) => page.evaluate(() => (window as unknown as { heard: Array<Heard> }).heard)
export const combobox = (page: Page): Locator => page.getByRole("combobox")
export const options = (page: Page): Locator => page.getByRole("option")
export const status = (page: Page): Locator => page.getByRole("status")
export const seen = (locator: Locator) => eventually(() => locator.textContent())
export const eventually = <A>(actual: () => A) => expect.poll(actual, { interval: 20 })

/** What a selection says of a whole postcode. Its names are null without a connection. */
export const selectionOf = (postcode: string, source: "bookmark" | "search", label?: string): PostcodeSelection => {
  const [state = null, lga = null, district = null, area = null, unit = null] = postcode.split("-")
  return {
    version: 1,
    postcode: postcode.replaceAll("-", ""),
    formatted: postcode,
    level: 5,
    segments: { state, lga, district, area, unit },
    names: { state: maybeName, lga: maybeName, district: null, area: null },
    source,
    ...(label !== undefined && { label })
  }
}

const maybeName = expect.toSatisfy((name: unknown) => name === null || typeof name === "string")

export const valueIn = (page: Page) =>
  page
    .locator("postcode-picker")
    .first()
    .evaluate((picker) => (picker as HTMLInputElement).value)

/** The button that opens saved postcodes, or the form for an identifier. */
export const saved = (page: Page | Locator): Locator => page.getByRole("button", { name: "Use a saved postcode" })

/** Goes back from a selection to the search. */
export const change = (page: Page): Promise<void> => page.getByRole("button", { name: "Change" }).click()

export const identify = async (page: Page | Locator, identifier = knownIdentifier) => {
  if (await saved(page).isVisible()) await saved(page).click()
  await page.getByLabel("NIN or email").fill(identifier)
  await page.getByRole("button", { name: "Show saved postcodes" }).click()
}

/** That a postcode can be picked whatever happened: it is delivered, and is the value. */
export const typeWhole = async (page: Page, lastOf = (events: ReadonlyArray<Heard>) => events.at(-1)) => {
  await combobox(page).fill("la-12-a03-bg-07")
  await page.keyboard.press("Enter")
  await eventually(async () => lastOf(await heard(page))).toEqual(selectionOf("LA-12-A03-BG-07", "search"))
  expect(await valueIn(page)).toBe("LA-12-A03-BG-07")
}
