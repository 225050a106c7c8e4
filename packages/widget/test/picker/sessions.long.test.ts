/** Whose session it is: it begins with an identified end user, belongs to one account, and does not outlive a reset. */
import type { Page } from "playwright-core"
import { describe, expect, it, vi } from "vitest"
import { makeHeld } from "../Held.ts"
import {
  change,
  combobox,
  eventually,
  heard,
  identify,
  options,
  saved,
  seen,
  settled,
  status,
  typeWhole,
  usePickers
} from "./PickerPage.ts"
import { knownIdentifier, knownNin, pickerHtml } from "./TestSite.ts"

const { open, service, site } = usePickers()

const field = (page: Page) => page.getByLabel("NIN or email")
const reset = (page: Page) => page.getByRole("button", { name: "Reset" }).click()

const openForm = (): Promise<Page> => {
  site().body = `<form>${pickerHtml(site())}<button type="reset">Reset</button></form>`
  return open()
}

const showBookmarks = async (page: Page) => {
  await identify(page)
  await eventually(() => options(page).count()).toBe(2)
}

describe("an identified end user", () => {
  it("again after a reset gets bookmarks, even if the code for sessions is loaded only then", async () => {
    const page = await openForm()
    const { release, released } = makeHeld()
    await page.route(/Session-/, (route) => released.then(() => route.continue()))
    await identify(page)
    await reset(page)
    await identify(page)
    release()
    await eventually(() => options(page).count()).toBe(2)
    expect(service().answers).toEqual(["widget.session 200", "widget.bookmarks 200"])
  })

  it("leaves nothing in the field of its form after a reset or the removal of the picker", async () => {
    const page = await openForm()
    await saved(page).click()
    await field(page).fill(knownNin)
    const typed = await field(page).elementHandle()
    await reset(page)
    expect(await typed?.inputValue().catch(() => "")).toBe("")
    expect(await field(page).count()).toBe(0)
    await identify(page, "8421357960")
    expect(await field(page).getAttribute("aria-invalid")).toBe("true")
    const left = await page.locator("postcode-picker").evaluate((picker) => {
      const { parentElement } = picker
      const identifier = picker.shadowRoot?.querySelector<HTMLInputElement>("#identifier")
      picker.remove()
      const left = [identifier?.value, picker.shadowRoot?.querySelector("#identifier")]
      parentElement?.append(picker)
      return left
    })
    expect(left).toEqual(["", null])
  })

  it("is removed at a reset: the next user sees none of their data, and nothing is recorded for them", async () => {
    const page = await openForm()
    await showBookmarks(page)
    await page.keyboard.press("Escape")
    await reset(page)
    await identify(page, "nobody@example.com")
    await seen(status(page)).toBe("No saved postcodes. Please search.")
    await combobox(page).click()
    await eventually(() => options(page).count()).toBeGreaterThan(2)
    expect(await options(page).filter({ hasText: "Home" }).count()).toBe(0)
    await page.keyboard.press("Escape")
    await reset(page)
    await typeWhole(page)
    expect(service().answers.filter((answer) => answer.startsWith("widget.selected"))).toEqual([])
  })
})

describe("a session ends if the picker gets another account:", () => {
  const set = (page: Page, name: string, text: string, isDetached: boolean) =>
    page.locator("postcode-picker").evaluate(
      (picker, { isDetached, name, text }) => {
        const { parentElement } = picker
        if (isDetached) picker.remove()
        picker.setAttribute(name, text)
        if (isDetached) parentElement?.append(picker)
      },
      { isDetached, name, text }
    )
  const others: Readonly<Record<string, () => Promise<string> | string>> = {
    "publishable-key": async () => (await service().newKey({ origins: [site().origin] })).secret,
    platform: () => `${service().platform}/`,
    gateway: () => `${service().gateway}/`
  }

  for (const isDetached of [false, true]) {
    it.for(Object.entries(others))(
      `another %s${isDetached ? ", set while the picker is in no page" : ""}`,
      async ([name, other]) => {
        const page = await open()
        await showBookmarks(page)
        await set(page, name, await other(), isDetached)
        await saved(page).waitFor()
        await typeWhole(page)
        const asked = service().answers.filter((answer) => answer.startsWith("widget."))
        expect(asked).toEqual(["widget.session 200", "widget.bookmarks 200"])
      }
    )
  }

  it("but not if the same value is set again", async () => {
    const page = await open()
    await showBookmarks(page)
    await set(page, "publishable-key", site().key.secret, false)
    expect(await options(page).count()).toBe(2)
    await options(page).first().click()
    await eventually(() => service().recorded(site().key)).toEqual([service().postcodes[0]])
  })
})

describe("two selections that are refused for the same token are recorded with one new session:", () => {
  const patient = { timeout: 30_000 }
  const count = (answer: string) => service().answers.filter((given) => given === answer).length

  it.for(["both while it is started", "the second once it is there"])("%s", async (order) => {
    const isLate = order.startsWith("the second")
    const page = await open()
    await showBookmarks(page)
    service().pass_s(901)
    service().answers.length = 0
    let selections = 0
    service().meanwhile = ({ pathname }) => {
      if (pathname.endsWith("session")) {
        return vi.waitUntil(() => (isLate ? selections === 2 : count("widget.selected 401") === 2), patient)
      }
      if (!pathname.endsWith("selected")) return undefined
      selections++
      return isLate && selections === 2 && vi.waitUntil(() => count("widget.session 200") === 1, patient)
    }
    await options(page).filter({ hasText: "Home" }).click()
    await change(page)
    await saved(page).click()
    await options(page).filter({ hasText: "Grandmother" }).click()
    await eventually(() => count("widget.selected 200")).toBe(2)
    expect(count("widget.selected 401")).toBe(2)
    expect(count("widget.session 200")).toBe(1)
    expect([...(await service().recorded(site().key))].sort()).toEqual([...service().postcodes].sort())
    expect(await heard(page)).toHaveLength(2)
  })
})

it("bookmarks stay, even if a search was pending", async () => {
  const page = await open()
  await page.clock.install()
  await identify(page, ` ${knownIdentifier}`)
  await eventually(() => options(page).count()).toBe(2)
  await page.locator("postcode-picker").evaluate((picker) => {
    const root = picker.shadowRoot
    const input = root?.querySelector<HTMLInputElement>("[role=combobox]")
    if (input) input.value = "la"
    input?.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true }))
    root?.querySelector<HTMLButtonElement>("[part=saved]")?.click()
  })
  await page.clock.runFor(300)
  await settled(page)
  expect(await options(page).allTextContents()).toEqual([
    expect.stringContaining("Home"),
    expect.stringContaining("Grandmother")
  ])
})
