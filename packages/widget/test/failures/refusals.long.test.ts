/** The service fails for real, and each failure ends in a picker that can be used: a postcode is picked and delivered. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import {
  combobox,
  eventually,
  heard,
  identify,
  options,
  seen,
  selectionOf,
  skip,
  status,
  typeWhole,
  usePickers
} from "../picker/PickerPage.ts"
import { knownIdentifier, pickerHtml } from "../picker/TestSite.ts"
import { searches_per_minute } from "../service/TestService.ts"

const { open, service, site } = usePickers()

const showBookmarks = async (page: Page) => {
  await identify(page)
  await eventually(() => options(page).count()).toBe(2)
}

describe("a session is refused, and the search works:", () => {
  const refusals: Readonly<Record<string, () => unknown>> = {
    "401 invalid_api_key": () => service().revoke(site().key),
    "402 insufficient_credits": async () => {
      site().key = await service().newKey({ environment: "live", origins: [site().origin] })
    },
    "403 origin_not_allowed": async () => {
      site().key = await service().newKey({ origins: ["https://elsewhere.example"] })
    },
    "429 rate_limit_exceeded": async () => {
      const headers = { "x-api-key": site().key.secret, "content-type": "application/json" }
      const init = { method: "POST", headers, body: JSON.stringify({ identifier: knownIdentifier }) }
      for (let i = 0; i < 10; i++) await fetch(`${service().platform}/v1/widget/session`, init)
    },
    "503 service_unavailable": () => service().away.add("keys")
  }

  it.for(Object.entries(refusals))("%s", async ([refusal, refuse]) => {
    await refuse()
    site().body = pickerHtml(site())
    const page = await open()
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    const [code, name] = refusal.split(" ")
    expect(await heard(page)).toEqual([{ status: Number(code), code: name }])
    expect(service().answers.at(-1)).toBe(`widget.session ${code}`)
    await combobox(page).fill("lag")
    await options(page).filter({ hasText: "Lagos" }).click()
    await eventually(() => options(page).count()).toBeGreaterThan(3)
    await typeWhole(page)
  })

  it("offline", async () => {
    const page = await open()
    const loaded = page.waitForResponse(/Session-/)
    await page.getByLabel("NIN or email").focus()
    await loaded
    await page.context().setOffline(true)
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    expect(await heard(page)).toEqual([{ status: 0, code: "offline" }])
    await typeWhole(page)
    await page.context().setOffline(false)
    await page.getByRole("button", { name: "Saved postcodes" }).click()
    await showBookmarks(page)
  })

  it("offline before anything of a session was loaded", async () => {
    const page = await open()
    await page.context().setOffline(true)
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    expect(await heard(page)).toEqual([{ status: 0, code: "offline" }])
    await typeWhole(page)
  })
})

describe("a session that was there", () => {
  it("and has run out is renewed once, and the selection is recorded", async () => {
    const page = await open()
    await showBookmarks(page)
    service().pass_s(901)
    await options(page).first().click()
    await eventually(() => service().recorded(site().key)).toEqual([service().postcodes[0]])
    const renewed = ["widget.selected 401", "widget.session 200", "widget.selected 200"]
    await eventually(() => service().answers.slice(2)).toEqual(renewed)
    expect(await heard(page)).toHaveLength(1)
  })

  it("and is refused again right after is not renewed again", async () => {
    service().meanwhile = ({ pathname }) => pathname.endsWith("bookmarks") && service().pass_s(901)
    const page = await open()
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    const [session, bookmarks] = ["widget.session 200", "widget.bookmarks 401"]
    expect(service().answers).toEqual([session, bookmarks, session, bookmarks])
    expect(await heard(page)).toEqual([{ status: 401, code: "invalid_token" }])
    await typeWhole(page)
  })

  it("ends with its key: nothing is recorded any more, and postcodes are picked all the same", async () => {
    const page = await open()
    await showBookmarks(page)
    await service().revoke(site().key)
    await options(page).first().click()
    await eventually(() => heard(page)).toEqual([
      selectionOf(service().postcodes[0], "bookmark", "Home"),
      { status: 401, code: "invalid_api_key" }
    ])
    expect(service().answers.slice(2)).toEqual(["widget.selected 401", "widget.session 401"])
    await combobox(page).fill("la-12-a03-bg-07")
    await page.keyboard.press("Enter")
    await eventually(() => heard(page)).toHaveLength(4)
    expect(await heard(page)).toContainEqual(selectionOf("LA-12-A03-BG-07", "search"))
    expect(await service().recorded(site().key)).toEqual([])
  })

  it("asks for bookmarks that did not come again, without another session", async () => {
    service().away.add("endUsers")
    const page = await open()
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    expect(await heard(page)).toEqual([{ status: 503, code: "service_unavailable" }])
    service().away.clear()
    await page.getByRole("button", { name: "Saved postcodes" }).click()
    await eventually(() => options(page).count()).toBe(2)
    expect(service().answers).toEqual(["widget.session 200", "widget.bookmarks 503", "widget.bookmarks 200"])
  })

  it("delivers a selection that could not be recorded, and says so to the page", async () => {
    service().away.add("selections")
    const page = await open()
    await showBookmarks(page)
    await options(page).first().click()
    await eventually(() => heard(page)).toEqual([
      selectionOf(service().postcodes[0], "bookmark", "Home"),
      { status: 503, code: "service_unavailable" }
    ])
    await seen(status(page)).toMatch(/^Selected: /)
    await combobox(page).fill("la-12-a03-bg-07")
    await page.keyboard.press("Enter")
    expect(await heard(page)).toContainEqual(selectionOf("LA-12-A03-BG-07", "search"))
  })
})

const useUpSearches = async () => {
  for (let i = 0; i < searches_per_minute; i++) await fetch(`${service().gateway}/v1/search/autocomplete?q=la`)
}

// A search needs no store, so the service never answers it with 503.
describe("a search that fails leaves typing, which is checked here:", () => {
  it.for([
    ["429 rate_limit_exceeded", useUpSearches],
    ["500 internal_error", () => service().away.add("directory")]
  ] as const)("%s", async ([failure, fail]) => {
    const page = await open()
    await skip(page)
    await fail()
    await combobox(page).fill("lag")
    await seen(status(page)).toMatch(/^Suggestions are not available now/)
    const [code, name] = failure.split(" ")
    expect(await heard(page)).toEqual([{ status: Number(code), code: name }])
    await typeWhole(page)
  })

  it("offline", async () => {
    const page = await open()
    await skip(page)
    await page.context().setOffline(true)
    await combobox(page).fill("lag")
    await seen(status(page)).toMatch(/^No connection/)
    await typeWhole(page)
    await page.context().setOffline(false)
    await combobox(page).fill("lag")
    await eventually(() => options(page).count()).toBe(1)
  })
})

it("a service that asks for patience is left alone until then", async () => {
  const page = await open()
  await page.clock.install()
  await skip(page)
  await useUpSearches()
  await combobox(page).fill("l")
  await page.clock.runFor(200)
  await seen(status(page)).toMatch(/^Suggestions/)
  const asked = service().answers.length
  await combobox(page).fill("la")
  await page.clock.runFor(30_000)
  await combobox(page).fill("lag")
  await page.clock.runFor(200)
  expect(service().answers).toHaveLength(asked)
  service().pass_s(60)
  await page.clock.runFor(60_000)
  await combobox(page).fill("lago")
  await page.clock.runFor(200)
  await eventually(() => options(page).count()).toBe(1)
})
