/** Streets under the maps of the directory, where the operator has a style. */
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { button, eventually, useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"
import { neighbours, placeOf, rows } from "./PlacesPage.ts"

const { openAs, site } = useConsole({ withStreets: true })
const [here] = neighbours()

let operator: Person
beforeAll(async () => {
  operator = await site().newPerson("Olu", "operator")
})

const frame = (page: Page) => page.locator(".map > iframe")

describe("the map of the directory", () => {
  it("shows the operator's streets under the units, in the scheme of the page, with their attribution", async () => {
    const page = await openAs(operator, placeOf(here), { colorScheme: "dark" })
    await frame(page).and(page.locator(".shown")).waitFor({ timeout: 30_000 })
    await eventually(() => rows(page).count()).toBe(20)
    const link = page.getByRole("link", { name: "Surveyor" })
    expect(await link.getAttribute("href")).toBe("https://surveyor.example/")
    // The grid goes, scale and searched point stay.
    expect(await page.locator(".ground path:not([class])").count()).toBe(0)
    expect(await page.locator(".ground .center").count()).toBe(1)
    const [map, streets] = await Promise.all([page.locator(".map > svg").boundingBox(), frame(page).boundingBox()])
    for (const side of ["x", "y", "width", "height"] as const) expect(streets?.[side]).toBeCloseTo(map?.[side] ?? 0, -1)
    expect(site().answers).toContain("GET /streets/dark.json 200")
  })

  it("follows the map: the middle of both is the same place, at the same scale", async () => {
    const page = await openAs(operator, placeOf(here))
    await frame(page).and(page.locator(".shown")).waitFor({ timeout: 30_000 })
    const moves = () => page.evaluate(() => (window as unknown as { moves: Array<{ zoom: number }> }).moves)
    await page.evaluate(() => {
      const moves: Array<unknown> = []
      Object.assign(window, { moves })
      const frame = document.querySelector<HTMLIFrameElement>(".map > iframe")?.contentWindow
      frame?.addEventListener("message", ({ data }) => data.type === "move" && moves.push(data.view))
    })
    await button(page, "Zoom in").click()
    await eventually(async () => (await moves()).length).toBe(1)
    await button(page, "Zoom out").click()
    await eventually(async () => (await moves()).length).toBe(2)
    const [near, far] = await moves()
    expect((near?.zoom ?? 0) - (far?.zoom ?? 0)).toBeCloseTo(1, 1)
    expect(far).toMatchObject({ lat: expect.closeTo(here.lat, 3), lng: expect.closeTo(here.lon, 3) })
  })

  it("is as it was where the style cannot be loaded, and says why", async () => {
    site().meanwhile = (_, { pathname }) =>
      pathname.startsWith("/streets/") ? new Response("no", { status: 404 }) : undefined
    const page = await openAs(operator, placeOf(here))
    await page
      .getByText("No streets are shown: the style could not be loaded: status 404.")
      .waitFor({ timeout: 30_000 })
    expect(await frame(page).count()).toBe(0)
    expect(await page.locator(".ground path:not([class])").count()).toBeGreaterThan(0)
  })
})
