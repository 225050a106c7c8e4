/** The service fails for real, and each failure ends in a picker that can be used: a postcode is picked and delivered. */
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { makeHeld } from "../Held.ts"
import type { TestKey } from "../service/Management.ts"
import { searches_per_minute } from "../service/TestService.ts"
import {
  combobox,
  eventually,
  heard,
  identify,
  options,
  seen,
  selectionOf,
  settled,
  skip,
  status,
  typeWhole,
  usePickers,
  valueIn
} from "./PickerPage.ts"
import { knownIdentifier, pickerHtml } from "./TestSite.ts"

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

describe("once the key may pay for no more sessions, the picker goes on without them:", () => {
  const start = async (identifier: string) => {
    const headers = { "x-api-key": site().key.secret, "content-type": "application/json" }
    const init = { method: "POST", headers, body: JSON.stringify({ identifier }) }
    return (await fetch(`${service().platform}/v1/widget/session`, init)).status
  }
  /** A key of which one session may still be paid. */
  const endings: Readonly<Record<string, () => Promise<TestKey>>> = {
    "429 rate_limit_exceeded": () => service().newKey({ daily_credit_limit: 1, origins: [site().origin] }),
    "402 insufficient_credits": async () => {
      const key = await service().newKey({ environment: "live", origins: [site().origin] })
      await service().grant(key, 1)
      return key
    }
  }

  it.for(Object.entries(endings))("%s before a session", async ([refusal, newKey]) => {
    site().key = await newKey()
    site().body = pickerHtml(site(), `level="2"`)
    expect(await start("somebody@example.com")).toBe(200)
    const page = await open({ permissions: ["geolocation"], geolocation: { ...service().point, accuracy: 10 } })
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    const [code, name] = refusal.split(" ")
    expect(await heard(page)).toEqual([{ status: Number(code), code: name }])
    // A note, not an error, and no way back to what cannot be had.
    expect(await status(page).and(page.locator(".error")).count()).toBe(0)
    expect(await page.getByRole("button", { name: "Saved postcodes" }).count()).toBe(0)
    await combobox(page).fill("lag")
    await options(page).filter({ hasText: "Lagos" }).click()
    await eventually(() => options(page).count()).toBeGreaterThan(3)
    await page.getByRole("button", { name: "Use my location" }).click()
    await eventually(() => options(page).count()).toBe(1)
    await options(page).first().click()
    await eventually(() => heard(page)).toHaveLength(2)
    expect((await heard(page)).at(-1)).toMatchObject({
      source: "search",
      level: 5,
      names: { state: expect.any(String) }
    })
    expect(service().answers.filter((answer) => answer.startsWith("widget."))).toEqual([
      "widget.session 200",
      `widget.session ${code}`
    ])
  })

  it.for(Object.entries(endings))("%s where a session is to be renewed", async ([refusal, newKey]) => {
    site().key = await newKey()
    site().body = pickerHtml(site())
    const page = await open()
    await showBookmarks(page)
    service().pass_s(901)
    await options(page).first().click()
    const [code, name] = refusal.split(" ")
    await eventually(() => heard(page)).toEqual([
      selectionOf(service().postcodes[0], "bookmark", "Home"),
      { status: Number(code), code: name }
    ])
    await seen(status(page)).toMatch(/^Selected: /)
    // The bookmarks are there already, and can still be picked.
    await page.getByRole("button", { name: "Saved postcodes" }).click()
    await eventually(() => options(page).count()).toBe(2)
    await page.keyboard.press("Escape")
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

describe("a late answer never overwrites a newer one:", () => {
  /** Requests whose address holds this wait until they are released. Answers how many do, and how many have. */
  const holdBack = (part: string) => {
    let held = 0
    let passed = 0
    const { release, released } = makeHeld()
    service().meanwhile = async ({ href }) => {
      if (!href.includes(part)) return
      held++
      await released
      passed++
    }
    return { held: () => held, passed: () => passed, release }
  }

  const located = () => ({ permissions: ["geolocation"], geolocation: { ...service().point, accuracy: 10 } })
  /** `answers` is 0 where the widget breaks a question off for a newer one: the service does not begin it then. */
  type Question = readonly [part: string, answers: 0 | 1, ask: (page: Page) => Promise<void>]
  const questions: Readonly<Record<string, Question>> = {
    "of a search": ["q=la", 0, (page) => skip(page).then(() => combobox(page).fill("la"))],
    "of where the user is": [
      "reverse",
      0,
      (page) => skip(page).then(() => page.getByRole("button", { name: "Use my location" }).click())
    ],
    "of a session": ["session", 1, (page) => identify(page)],
    "of bookmarks": ["bookmarks", 0, (page) => identify(page)]
  }

  for (const fails of [false, true]) {
    it.for(Object.entries(questions))(`%s${fails ? " that fails" : ""}`, async ([, [part, answers, ask]]) => {
      const { held, passed, release } = holdBack(part)
      const page = await open(located())
      await ask(page)
      await eventually(held).toBe(1)
      if (await page.getByLabel("NIN or email").isVisible()) await skip(page)
      await combobox(page).fill("kan")
      await seen(options(page)).toContain("Kano")
      const before = service().answers.length
      if (fails) for (const part of ["directory", "keys", "endUsers"] as const) service().away.add(part)
      release()
      await eventually(passed).toBe(1)
      await eventually(() => service().answers.length).toBe(before + answers)
      await settled(page)
      const late = service().answers.slice(before)
      expect(late).toEqual(new Array(answers).fill(expect.stringMatching(fails ? / 50[03]$/ : / 200$/)))
      expect(await options(page).allTextContents()).toEqual([expect.stringContaining("Kano")])
      await seen(status(page)).toBe("1 suggestions")
      expect(await heard(page)).toEqual([])
    })
  }

  it("of a session that was asked for before its form was reset", async () => {
    site().body = `<form>${pickerHtml(site())}<button type="reset">Reset</button></form>`
    const { held, release } = holdBack("session")
    const page = await open()
    await identify(page)
    await eventually(held).toBe(1)
    await page.getByRole("button", { name: "Reset" }).click()
    release()
    await eventually(() => service().answers).toEqual(["widget.session 200"])
    await settled(page)
    expect(await page.getByLabel("NIN or email").isVisible()).toBe(true)
  })

  /** With a postcode picked whose names are asked for, so that it is not delivered yet. */
  const pickHeld = async () => {
    site().body = pickerHtml(site(), `level="2"`)
    const { held, release } = holdBack("q=L&")
    const page = await open()
    await skip(page)
    const pick = async (asked: number) => {
      await combobox(page).fill("la12a03bg07")
      await page.keyboard.press("Enter")
      await eventually(held).toBe(asked)
    }
    await pick(1)
    return { page, pick, release }
  }

  it("of the names of what was picked, once the text is another one", async () => {
    const { page, release } = await pickHeld()
    await combobox(page).fill("la12")
    const last = page.waitForResponse(/q=LA-1&/)
    release()
    await last
    await settled(page)
    expect(await valueIn(page)).toBe("")
    expect(await heard(page)).toEqual([])
  })

  it("of the names of what was picked, and picked again meanwhile: it is told once", async () => {
    const { page, pick, release } = await pickHeld()
    await combobox(page).fill("la12")
    await pick(2)
    release()
    await eventually(() => heard(page)).toMatchObject([{ formatted: "LA-12-A03-BG-07", names: { state: "Lagos" } }])
    await settled(page)
    expect(await heard(page)).toHaveLength(1)
  })

  it("of the names of what was picked before", async () => {
    site().body = pickerHtml(site(), `level="2"`)
    const { held, release } = holdBack("q=L&")
    const page = await open()
    await skip(page)
    await combobox(page).fill("la12a03bg07")
    await page.keyboard.press("Enter")
    await eventually(held).toBe(1)
    await combobox(page).fill("kn01a01aa01")
    await page.keyboard.press("Enter")
    await eventually(() => heard(page)).toMatchObject([{ formatted: "KN-01-A01-AA-01" }])
    release()
    await settled(page)
    expect(await heard(page)).toHaveLength(1)
    expect(await valueIn(page)).toBe("KN-01-A01-AA-01")
  })
})
