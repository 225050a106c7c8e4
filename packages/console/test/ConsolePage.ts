/** The console in a real browser, and the ways to find one's way in it. */
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest"
import { axe } from "../../widget/test/Axe.ts"
import { sharedBrowser } from "../../widget/test/Browser.ts"
import { type ConsoleSite, openConsoleSite, type Person, password } from "./ConsoleSite.ts"
import { streetFiles, streetStyle } from "./StreetFiles.ts"

export interface OpenOptions extends BrowserContextOptions {
  /** Whether axe is there. */
  readonly withAxe?: boolean
}

export interface ConsoleOptions {
  readonly withMail?: boolean
  /** Whether the operator has a style for maps. */
  readonly withStreets?: boolean
}

/**
 * A site for the tests of a file, and the browser. For both it is noon in UTC when they begin, so that no day ends meanwhile.
 * After each test every page is closed, and none may have complained on its console, broken its policy, or asked anybody
 * but the service.
 */
export const useConsole = ({ withMail = false, withStreets = false }: ConsoleOptions = {}) => {
  let browser: Browser
  let site: ConsoleSite
  const complaints: Array<string> = []
  const ahead_ms = untilNoon_ms()
  beforeAll(async () => {
    site = await openConsoleSite(withStreets ? streetFiles : undefined, withMail, withStreets ? streetStyle : undefined)
    site.pass_s(ahead_ms / 1000)
    browser = await sharedBrowser()
  })
  afterAll(() => site?.close())
  beforeEach(() => {
    site.meanwhile = () => undefined
    site.pass_s(61)
    site.answers.length = 0
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
  })
  const newContext = async ({ withAxe = false, ...options }: OpenOptions): Promise<BrowserContext> => {
    const context = await browser.newContext({ reducedMotion: "reduce", ...options })
    await watch(context, site.origin, complaints)
    await context.addInitScript(keepAnnouncements)
    await context.addInitScript((ahead_ms) => {
      const now_ms = Date.now
      Date.now = () => now_ms() + ahead_ms
    }, ahead_ms)
    if (withAxe) await context.addInitScript({ content: axe })
    return context
  }
  const openIn = async (context: BrowserContext, place: string): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(`${site.origin}/console/#${place}`)
    await title(page).waitFor()
    return page
  }
  /** @param place behind the `#` */
  const open = async (place = "/", options: OpenOptions = {}): Promise<Page> => openIn(await newContext(options), place)
  /** Opens a place as somebody who has signed in: without the form, which takes longer than many a test. */
  const openAs = async (person: Person, place = "/", options: OpenOptions = {}): Promise<Page> => {
    const context = await newContext(options)
    const signedIn = await context.request.post(`${site.origin}/v1/admin/account/sign-in`, {
      headers: { origin: site.origin },
      data: { email: person.email, password }
    })
    expect(signedIn.status()).toBe(200)
    const page = await openIn(context, place)
    // On a narrow screen it is there, and not seen.
    await page.locator("a.person").waitFor({ state: "attached" })
    return page
  }
  return { open, openAs, site: () => site, complaints: () => complaints, now_ms: () => Date.now() + ahead_ms }
}

/** Back, where it is past noon. */
const untilNoon_ms = (): number => 43_200_000 - (Date.now() % 86_400_000)

/** Writes down what a page may not do: complain, break its policy, ask anybody but the service. */
export const watch = async (context: BrowserContext, origin: string, complaints: Array<string>): Promise<void> => {
  context.on("request", (request) => {
    if (!request.url().startsWith(`${origin}/`)) complaints.push(`asked ${request.url()}`)
  })
  context.on("weberror", (error) => complaints.push(String(error.error())))
  context.on("console", (message) => {
    const isAnswer = message.text().startsWith("Failed to load resource")
    if (message.type() === "error" && !isAnswer) complaints.push(message.text())
  })
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => {
      reportError(new Error(`policy: ${violatedDirective}`))
    })
  })
}

/** Runs in each page: keeps what is announced, as it is shown for seconds only. Behind an open dialog nothing is heard. */
const keepAnnouncements = () => {
  const announced: Array<string> = []
  Object.assign(window, { announced })
  let last = ""
  new MutationObserver(() => {
    const inDialogs = document.querySelectorAll("dialog[open] .announcement[role=status]")
    const heard = inDialogs[inDialogs.length - 1] ?? document.querySelector(".announcement[role=status]")
    const text = heard?.textContent ?? ""
    if (text !== "" && text !== last) announced.push(text)
    last = text
  }).observe(document, { childList: true, characterData: true, subtree: true })
}

/** All that was announced on a page since it was loaded. */
export const announced = (page: Page): Promise<ReadonlyArray<string>> =>
  page.evaluate(() => (window as unknown as { announced: ReadonlyArray<string> }).announced)

/** Moves the clock of a page on. Its timers go on as ever. */
export const passOn = (page: Page, seconds: number): Promise<void> =>
  page.evaluate((ms) => {
    const now_ms = Date.now
    Date.now = () => now_ms() + ms
  }, seconds * 1000)

export const signIn = async (page: Page, email: string, typed = password): Promise<void> => {
  await page.getByLabel("Email").fill(email)
  await page.getByLabel("Password").fill(typed)
  await button(page, "Sign in").click()
}

export const title = (page: Page): Locator => page.getByRole("heading", { level: 1 })
export const dialog = (page: Page): Locator => page.getByRole("dialog")
/** A part of a screen, by the title of its frame: the same words can be in several parts, as where each failed. */
export const section = (page: Page, name: string): Locator => page.getByRole("region", { name, exact: true })
export const button = (page: Locator | Page, name: string | RegExp): Locator =>
  page.getByRole("button", { name, exact: typeof name === "string" })
export const seen = (locator: Locator) => eventually(() => locator.textContent())
export const eventually = <A>(actual: () => A) => expect.poll(actual, { interval: 20 })

/** Waits until nothing of a screen is on its way any more: what is not there by then is not going to come. */
export const loaded = (page: Page): PromiseLike<void> =>
  eventually(() => page.locator("main").locator(".loading, [aria-busy=true]").count()).toBe(0)

/** What has the focus: its name, or its words. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const { activeElement: element } = document
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
    const label = isField ? element.labels?.[0]?.textContent : undefined
    return element?.getAttribute("aria-label") ?? label ?? element?.textContent ?? ""
  })
