/** The service fails for real, and each failure ends in a picker that can be used: a postcode is picked and delivered. */
import { type SandboxKeyName, sandboxKeys } from "@postcode/demo/sandbox"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import {
  change,
  combobox,
  eventually,
  heard,
  identify,
  options,
  saved,
  seen,
  selectionOf,
  status,
  typeWhole,
  usePickers
} from "../picker/PickerPage.ts"
import { pickerHtml } from "../picker/TestSite.ts"
import { searches_per_minute } from "../service/TestService.ts"

const { open, service, site } = usePickers()

const showBookmarks = async (page: Page) => {
  await identify(page)
  await eventually(() => options(page).count()).toBe(2)
}

/** The answer to a session with each reserved key of the sandbox. */
const refusals = {
  browserRevoked: "401 invalid_api_key",
  browserNoCredits: "402 insufficient_credits",
  browserSuspended: "403 organization_suspended",
  otherOrigin: "403 origin_not_allowed",
  browserLimited: "429 rate_limit_exceeded",
  browserUnavailable: "503 service_unavailable",
  // Secret keys start no session.
  revoked: "401 invalid_api_key",
  expired: "401 invalid_api_key",
  level1: "403 key_type_not_allowed",
  level2: "403 key_type_not_allowed",
  level3: "403 key_type_not_allowed",
  level4: "403 key_type_not_allowed",
  level5: "403 key_type_not_allowed",
  noCredits: "403 key_type_not_allowed",
  noScope: "403 key_type_not_allowed",
  notVerified: "403 kyb_required",
  otherAddress: "403 address_not_allowed",
  suspended: "403 organization_suspended",
  limited: "429 rate_limit_exceeded",
  unavailable: "403 key_type_not_allowed"
} as const satisfies Record<Exclude<SandboxKeyName, "browser" | "expiredSessions">, string>

/** A page whose picker has a reserved key. */
const openWith = async (name: SandboxKeyName) => {
  const { key, record } = sandboxKeys[name]
  site().key = { id: record.id, secret: key, organization_id: record.organization_id }
  site().body = pickerHtml(site())
  return open()
}

describe("with the sandbox a session is refused, and the search works:", () => {
  it.for(Object.entries(refusals) as ReadonlyArray<[keyof typeof refusals, string]>)(
    "%s: %s",
    async ([name, refusal]) => {
      const page = await openWith(name)
      await identify(page)
      await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
      const [code, error] = refusal.split(" ")
      expect(await heard(page)).toEqual([{ status: Number(code), code: error }])
      expect(service().answers.at(-1)).toBe(`widget.session ${code}`)
      await combobox(page).fill("lag")
      await options(page).filter({ hasText: "Lagos" }).click()
      await eventually(() => options(page).count()).toBeGreaterThan(3)
      await typeWhole(page)
    }
  )

  it("expiredSessions: the session has expired at once, and is renewed once", async () => {
    const page = await openWith("expiredSessions")
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    const [session, bookmarks] = ["widget.session 200", "widget.bookmarks 401"]
    expect(service().answers).toEqual([session, bookmarks, session, bookmarks])
    expect(await heard(page)).toEqual([{ status: 401, code: "invalid_token" }])
    await typeWhole(page)
  })

  it("browser: the session works", async () => {
    const page = await openWith("browser")
    await identify(page)
    // Those of real end users are not for reserved keys.
    await eventually(() => service().answers).toEqual(["widget.session 200", "widget.bookmarks 200"])
    expect(await heard(page)).toEqual([])
    await typeWhole(page)
  })
})

describe("a session cannot be requested, and the search works:", () => {
  it("offline", async () => {
    const page = await open()
    const loaded = page.waitForResponse(/Session-/)
    await saved(page).click()
    await loaded
    await page.context().setOffline(true)
    await identify(page)
    await seen(status(page)).toMatch(/^No connection/)
    expect(await heard(page)).toEqual([{ status: 0, code: "offline" }])
    await typeWhole(page)
    await page.context().setOffline(false)
    await change(page)
    await showBookmarks(page)
  })

  it("offline before the code for sessions was loaded", async () => {
    const page = await open()
    await page.context().setOffline(true)
    await saved(page).click()
    await seen(status(page)).toMatch(/^No connection/)
    expect(await heard(page)).toEqual([{ status: 0, code: "offline" }])
    await typeWhole(page)
  })
})

describe("an existing session", () => {
  it("that has expired is renewed once, and the selection is recorded", async () => {
    const page = await open()
    await showBookmarks(page)
    service().pass_s(901)
    await options(page).first().click()
    await eventually(() => service().recorded(site().key)).toEqual([service().postcodes[0]])
    const renewed = ["widget.selected 401", "widget.session 200", "widget.selected 200"]
    await eventually(() => service().answers.slice(2)).toEqual(renewed)
    expect(await heard(page)).toHaveLength(1)
  })

  it("ends with its key: selections are not recorded, and postcodes can still be picked", async () => {
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

  it("requests failed bookmarks again, without another session", async () => {
    service().unavailable.add("endUsers")
    const page = await open()
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    expect(await heard(page)).toEqual([{ status: 503, code: "service_unavailable" }])
    service().unavailable.clear()
    await saved(page).click()
    await eventually(() => options(page).count()).toBe(2)
    expect(service().answers).toEqual(["widget.session 200", "widget.bookmarks 503", "widget.bookmarks 200"])
  })

  it("sends the event of a selection that could not be recorded, and reports the failure to the page", async () => {
    service().unavailable.add("selections")
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
describe("if the search fails, a typed postcode is checked locally:", () => {
  it.for([
    ["429 rate_limit_exceeded", useUpSearches],
    ["500 internal_error", () => service().unavailable.add("directory")]
  ] as const)("%s", async ([failure, fail]) => {
    const page = await open()
    await fail()
    await combobox(page).fill("lag")
    await seen(status(page)).toMatch(/^Suggestions are not available now/)
    const [code, name] = failure.split(" ")
    expect(await heard(page)).toEqual([{ status: Number(code), code: name }])
    await typeWhole(page)
  })

  it("offline", async () => {
    const page = await open()
    await page.context().setOffline(true)
    await combobox(page).fill("lag")
    await seen(status(page)).toMatch(/^No connection/)
    await typeWhole(page)
    await page.context().setOffline(false)
    await combobox(page).fill("lag")
    await eventually(() => options(page).count()).toBe(1)
  })
})

it("no search is sent before the time of Retry-After", async () => {
  const page = await open()
  await page.clock.install()
  await useUpSearches()
  await combobox(page).fill("l")
  await page.clock.runFor(200)
  await seen(status(page)).toMatch(/^Suggestions are not/)
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
