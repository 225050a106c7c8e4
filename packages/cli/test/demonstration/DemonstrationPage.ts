/** The page of the demonstration in a browser, from a service of its own. */

import { type Service, startService } from "@postcode/drills/StartCommand"
import { afterAll, afterEach, beforeAll, expect } from "vitest"
import { sharedBrowser } from "../../../widget/test/Browser.ts"

type Browser = Awaited<ReturnType<typeof sharedBrowser>>
type ContextOptions = Parameters<Browser["newContext"]>[0]

export type Page = Awaited<ReturnType<Browser["newPage"]>>
export type Route = Parameters<Parameters<Page["route"]>[1]>[0]

/** Starts the service for the tests of a file. Each test fails if a page of it complained. */
export const useDemonstration = () => {
  let browser: Browser
  let service: Service
  const contexts: Array<Awaited<ReturnType<Browser["newContext"]>>> = []
  const complaints: Array<string> = []

  beforeAll(async () => {
    // All pages here come from one address.
    ;[browser, service] = await Promise.all([sharedBrowser(), startService(["--session-rate-limit", "1000"])])
  })
  afterAll(() => service.stop())
  afterEach(async () => {
    await Promise.all(contexts.splice(0).map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
  })

  const open = async (options: ContextOptions = {}, url = service.url): Promise<Page> => {
    const context = await browser.newContext(options)
    contexts.push(context)
    const page = await context.newPage()
    page.on("pageerror", (error) => complaints.push(String(error)))
    page.on("console", (message) => {
      const isAnswer = message.text().startsWith("Failed to load resource")
      if (["error", "warning"].includes(message.type()) && !isAnswer) complaints.push(message.text())
    })
    await page.goto(url)
    await page.locator("#where").getByRole("button", { name: "Use a saved postcode" }).waitFor()
    return page
  }
  return { open, service: () => service }
}

export const combobox = (page: Page) => page.locator("#where").getByRole("combobox")

export const pickBySearch = async (page: Page): Promise<void> => {
  await combobox(page).fill("la11b03pd01")
  await page.locator("#where").getByRole("option").first().click()
  await expectText(page, "#sends", /^postcode=LA-11-B03-PD-01/)
}

/** Opens the drawer and chooses a failure. */
export const simulateFailure = async (page: Page, name: string): Promise<void> => {
  await page.getByRole("button", { name: "Simulate failures" }).click()
  await page.getByRole("dialog").getByRole("button", { name }).click()
}

export const expectText = (page: Page, selector: string, expected: RegExp) =>
  expect.poll(() => page.locator(selector).textContent()).toMatch(expected)
