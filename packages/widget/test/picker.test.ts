/** The picker in a real Chromium, against the real gateway, under a strict policy. */
import type { PostcodeSelection } from "@postcode/core/Selection"
import type { BrowserContextOptions, Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { combobox, heard, identify, options, seen, skip, status, usePickers, valueIn } from "./PickerPage.ts"
import { knownIdentifier } from "./TestSite.ts"

const { site, open } = usePickers()

const selectionOf = (postcode: string, source: "bookmark" | "search", label?: string): PostcodeSelection => {
  const [state = null, lga = null, district = null, area = null, unit = null] = postcode.split("-")
  return {
    version: 1,
    postcode: postcode.replaceAll("-", ""),
    formatted: postcode,
    level: 5,
    segments: { state, lga, district, area, unit },
    names: { state: null, lga: null, district: null, area: null },
    source,
    ...(label !== undefined && { label })
  }
}

describe("by mouse", () => {
  it("an identified user picks a bookmark: one event, one record, the token renewed for none", async () => {
    const page = await open()
    await identify(page)
    await options(page).filter({ hasText: "Home" }).click()
    expect(await heard(page)).toEqual([selectionOf(site().postcodes[0], "bookmark", "Home")])
    await expect
      .poll(() => site().calls.map(({ path }) => path))
      .toEqual(["/v1/widget/session", "/v1/widget/bookmarks", "/v1/widget/selected"])
    expect(site().calls[2]?.body).toEqual({ postcode: site().postcodes[0] })
    expect(await valueIn(page)).toBe(site().postcodes[0])
    await expect.poll(() => options(page).count()).toBe(0)
    await page.getByRole("heading").click()
    expect(await heard(page)).toHaveLength(1)
  })

  it("a selection is recorded even if the page goes away at once", async () => {
    const page = await open()
    await identify(page)
    await expect.poll(() => options(page).count()).toBe(2)
    await page.evaluate(() => {
      addEventListener("postcode-select", () => location.assign("about:blank"))
    })
    await options(page).first().click()
    await expect
      .poll(() => site().calls.at(-1))
      .toMatchObject({
        path: "/v1/widget/selected",
        body: { postcode: site().postcodes[0] }
      })
    await expect.poll(() => page.url()).toBe("about:blank")
  })

  it("whoever skips starts no session, and searches segment by segment", async () => {
    const page = await open()
    await skip(page)
    await combobox(page).fill("la ike")
    await options(page).filter({ hasText: "Ikeja" }).click()
    for (const width of [9, 12, 15]) {
      await expect.poll(() => options(page).first().locator("[part=code]").textContent()).toHaveLength(width)
      await options(page).first().click()
    }
    const [selection] = await heard(page)
    expect(selection).toMatchObject({ version: 1, level: 5, source: "search" })
    expect(await heard(page)).toHaveLength(1)
    expect(site().calls).toEqual([])
    await seen(status(page)).toMatch(/^Selected: LA 11 /)
  })

  it("shows what was typed as a postcode", async () => {
    const page = await open()
    await skip(page)
    await combobox(page).fill("la-11b0")
    expect(await page.locator("[part=slot]").allTextContents()).toEqual(["LA", "11", "B0", "", ""])
    await combobox(page).fill("lag")
    expect(await page.locator("[part=slot]").allTextContents()).toEqual(["", "", "", "", ""])
  })

  it("an identifier that is none is refused here, and a postcode in its place is taken", async () => {
    const page = await open()
    await identify(page, "ada")
    await seen(status(page)).toBe("Please give an 11-digit NIN or an email address.")
    expect(site().calls).toEqual([])
    await identify(page, "la12a03bg07")
    expect(await heard(page)).toEqual([selectionOf("LA-12-A03-BG-07", "search")])
    expect(site().calls).toEqual([])
  })

  it("an unknown identifier has no bookmarks, and goes on to search", async () => {
    const page = await open()
    await identify(page, "12345678901")
    await seen(status(page)).toBe("No saved postcodes. Please search.")
    expect(await combobox(page).isVisible()).toBe(true)
  })
})

describe("by keyboard alone", () => {
  it("identifies, goes through the bookmarks and picks one", async () => {
    const page = await open()
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    await page.keyboard.type(knownIdentifier)
    await page.keyboard.press("Enter")
    await expect.poll(() => options(page).count()).toBe(2)
    await page.keyboard.press("ArrowUp")
    expect(await active(page)).toContain("Grandmother")
    await page.keyboard.press("ArrowDown")
    expect(await active(page)).toContain("Home")
    await page.keyboard.press("End")
    expect(await active(page)).toContain("Grandmother")
    await page.keyboard.press("Home")
    await page.keyboard.press("Enter")
    expect(await heard(page)).toEqual([selectionOf(site().postcodes[0], "bookmark", "Home")])
  })

  it("Escape closes the list and keeps the text; Down opens it again; Tab leaves and picks nothing", async () => {
    const page = await open()
    await skip(page)
    await page.keyboard.type("lag")
    await expect.poll(() => options(page).count()).toBe(1)
    await page.keyboard.press("Escape")
    expect(await options(page).count()).toBe(0)
    expect(await combobox(page).inputValue()).toBe("lag")
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("ArrowDown")
    expect(await combobox(page).getAttribute("aria-activedescendant")).toBe("option-0")
    await page.keyboard.press("Tab")
    expect(await combobox(page).getAttribute("aria-expanded")).toBe("false")
    expect(await combobox(page).inputValue()).toBe("lag")
    expect(await heard(page)).toEqual([])
    expect(await valueIn(page)).toBe("")
  })

  it("a postcode typed whole counts once it is meant: by Enter, or by leaving; and once only", async () => {
    const page = await open()
    await skip(page)
    await page.keyboard.type("la12a03bg07")
    expect(await valueIn(page)).toBe("LA-12-A03-BG-07")
    expect(await heard(page)).toEqual([])
    await page.keyboard.press("Enter")
    await page.keyboard.press("Enter")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Tab")
    expect(await heard(page)).toEqual([selectionOf("LA-12-A03-BG-07", "search")])
    expect(await combobox(page).inputValue()).toBe("LA 12 A03 BG 07")
  })
})

describe("by touch", () => {
  const phone = { hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } }

  it("options take the real focus, and a tap picks", async () => {
    const page = await open(phone)
    await page.getByLabel("NIN or email").tap()
    await page.getByLabel("NIN or email").fill(knownIdentifier)
    await page.getByRole("button", { name: "Continue" }).tap()
    await expect.poll(() => options(page).count()).toBe(2)
    await page.keyboard.press("ArrowDown")
    expect(await focused(page)).toBe("option-0")
    await page.keyboard.press("ArrowDown")
    expect(await focused(page)).toBe("option-1")
    await options(page).filter({ hasText: "Home" }).tap()
    expect(await heard(page)).toEqual([selectionOf(site().postcodes[0], "bookmark", "Home")])
    expect(await focused(page)).not.toBe("input")
  })

  it("searches segment by segment without the focus leaving the picker", async () => {
    const page = await open(phone)
    await page.getByRole("button", { name: "Skip" }).tap()
    await combobox(page).fill("la")
    for (const width of [5, 9, 12, 15]) {
      await expect.poll(() => options(page).first().locator("[part=code]").textContent()).toHaveLength(width)
      await options(page).first().tap()
      expect(await page.evaluate(() => document.activeElement?.localName)).toBe("postcode-picker")
    }
    expect(await heard(page)).toMatchObject([{ level: 5, source: "search" }])
  })

  it("everything that can be touched is 44 pixels high and wide, and nothing is wider than the screen", async () => {
    const page = await open(phone)
    for (const step of ["identify", "search"]) {
      if (step === "search") {
        await skip(page)
        await combobox(page).fill("la")
        await expect.poll(() => options(page).count()).toBeGreaterThan(3)
      }
      for (const role of ["button", "textbox", "combobox", "option"] as const) {
        for (const control of await page.getByRole(role).all()) {
          const { height = 0, width = 0 } = (await control.boundingBox()) ?? {}
          expect(Math.round(Math.min(height, width))).toBeGreaterThanOrEqual(44)
        }
      }
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    }
  })
})

const focused = (page: Page) =>
  page.evaluate(() => document.querySelector("postcode-picker")?.shadowRoot?.activeElement?.id)

const located = (accuracy: number): BrowserContextOptions => ({
  permissions: ["geolocation"],
  geolocation: { ...site().point, accuracy }
})
const locate = (page: Page) => page.getByRole("button", { name: "Use my location" }).click()

describe("where the user is", () => {
  it("the nearest unit is offered, and picked only once the user says so", async () => {
    const page = await open(located(10))
    await skip(page)
    await locate(page)
    await seen(options(page)).toContain("0 m away")
    expect(await heard(page)).toEqual([])
    await page.keyboard.press("Enter")
    expect(await heard(page)).toMatchObject([{ formatted: site().postcodes[0], source: "search" }])
  })

  it("a position too rough for a postcode is refused, with the reason", async () => {
    const page = await open(located(251))
    await skip(page)
    await locate(page)
    await seen(status(page)).toMatch(/^Your location is known only to 251 m/)
    expect(await options(page).count()).toBe(0)
  })

  it("nothing near, and no permission, are said", async () => {
    const page = await open({ ...located(100), geolocation: { latitude: 0, longitude: 0, accuracy: 100 } })
    await skip(page)
    await locate(page)
    await seen(status(page)).toBe("No postcode within 100 m of you. Please search instead.")
    const other = await open()
    await skip(other)
    await locate(other)
    await seen(status(other)).toBe("Your location is not available. Please search instead.")
  })
})

describe("when the service fails", () => {
  it.for([
    { status: 401, code: "invalid_api_key" },
    { status: 402, code: "insufficient_credits" },
    { status: 403, code: "origin_not_allowed" },
    { status: 429, code: "rate_limit_exceeded", retryAfter_s: 30 },
    { status: 503, code: "service_unavailable", retryAfter_s: 5 }
  ])("a session refused with $status ends in a search that works", async (failure) => {
    site().platformFailures.set("/v1/widget/session", failure)
    const page = await open()
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    expect(await heard(page)).toEqual([{ status: failure.status, code: failure.code }])
    await combobox(page).fill("lag")
    await options(page).filter({ hasText: "Lagos" }).click()
    await expect.poll(() => options(page).count()).toBeGreaterThan(3)
  })

  it.for([
    { status: 429, code: "rate_limit_exceeded", retryAfter_s: 60 },
    { status: 503, code: "service_unavailable", retryAfter_s: 60 },
    { status: 500, code: "internal_error" }
  ])("a search refused with $status leaves typing, which is checked here", async (failure) => {
    site().gatewayFailure = failure
    const page = await open()
    await skip(page)
    await combobox(page).fill("lag")
    await seen(status(page)).toMatch(/^Suggestions are not available now/)
    await typeWhole(page)
  })

  it("a service that asks for patience is left alone until then", async () => {
    site().gatewayFailure = { status: 429, code: "rate_limit_exceeded", retryAfter_s: 1 }
    const page = await open()
    await skip(page)
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    await combobox(page).fill("l")
    await seen(status(page)).toMatch(/^Suggestions/)
    site().gatewayFailure = undefined
    await combobox(page).fill("la")
    await page.waitForTimeout(300)
    expect(asked).toHaveLength(1)
    await page.waitForTimeout(900)
    await combobox(page).fill("lag")
    await expect.poll(() => options(page).count()).toBe(1)
  })

  it("offline, a postcode typed whole still counts", async () => {
    const page = await open()
    await skip(page)
    await page.context().setOffline(true)
    await combobox(page).fill("lag")
    await seen(status(page)).toMatch(/^No connection/)
    await typeWhole(page)
  })

  it("offline, an identification ends in the search", async () => {
    const page = await open()
    await page.context().setOffline(true)
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    await page.context().setOffline(false)
    await combobox(page).fill("lag")
    await expect.poll(() => options(page).count()).toBe(1)
  })

  it("a token that has expired is renewed once, and the selection is recorded", async () => {
    const page = await open()
    await identify(page)
    await expect.poll(() => options(page).count()).toBe(2)
    site().expireTokens()
    await options(page).first().click()
    await expect
      .poll(() => site().calls.map(({ path }) => path.slice(11)))
      .toEqual(["session", "bookmarks", "selected", "session", "selected"])
    expect(site().calls[4]?.authorization).not.toBe(site().calls[2]?.authorization)
  })

  it("bookmarks that did not come are asked for again, without another session", async () => {
    site().platformFailures.set("/v1/widget/bookmarks", { status: 503, code: "service_unavailable" })
    const page = await open()
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    site().platformFailures.clear()
    await page.getByRole("button", { name: "Saved postcodes" }).click()
    await expect.poll(() => options(page).count()).toBe(2)
    expect(site().calls.filter(({ path }) => path.endsWith("session"))).toHaveLength(1)
  })

  it("a token that is refused again is not renewed again", async () => {
    site().platformFailures.set("/v1/widget/bookmarks", { status: 401, code: "invalid_token" })
    const page = await open()
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    expect(site().calls.map(({ path }) => path.slice(11))).toEqual(["session", "bookmarks", "session", "bookmarks"])
  })

  const typeWhole = async (page: Page) => {
    await combobox(page).fill("la-12-a03-bg-07")
    await page.keyboard.press("Enter")
    expect((await heard(page)).at(-1)).toEqual(selectionOf("LA-12-A03-BG-07", "search"))
    expect(await valueIn(page)).toBe("LA-12-A03-BG-07")
  }
})

describe("late answers", () => {
  it("never overwrite newer ones", async () => {
    site().delay_ms = ({ searchParams }) => (searchParams.get("q") === "la" ? 900 : 0)
    const page = await open()
    await skip(page)
    await combobox(page).fill("la")
    await page.waitForTimeout(250)
    await combobox(page).fill("kan")
    await seen(options(page)).toContain("Kano")
    await page.waitForTimeout(1_000)
    expect(await options(page).allTextContents()).toEqual([expect.stringContaining("Kano")])
  })

  it("of a session that was skipped do not pull the user back", async () => {
    const page = await open()
    await page.route("**/v1/widget/bookmarks", async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      await route.continue().catch(() => undefined)
    })
    await identify(page)
    await skip(page)
    await combobox(page).fill("kan")
    await seen(options(page)).toContain("Kano")
    await page.waitForTimeout(600)
    expect(await options(page).count()).toBe(1)
  })
})

const active = (page: Page): Promise<string | null> => page.locator("[role=option][aria-selected=true]").textContent()
