/** The directory: what is in it, where its units are; and the end users. */
import { demoUnits } from "@postcode/demo"
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { continued } from "../../src/screens/directory/continued.ts"
import { placeLabels } from "../../src/screens/directory/labels.ts"
import { directionOf, movedBy, offsetBy } from "../../src/screens/directory/place.ts"
import { degreesText, multiples, niceStep } from "../../src/screens/directory/scale.ts"
import { expectNothing, narrow } from "../Axe.ts"
import { button, dialog, eventually, focused, seen, title, useConsole } from "../ConsolePage.ts"
import type { Person } from "../ConsoleSite.ts"
import { everythingIn } from "../Recorder.ts"

const { openAs, site } = useConsole()
const withAxe = { withAxe: true } as const
const identifier = "amaka@example.com"
let operator: Person
let billing: Person
/** Two units next to each other, as the directory of the site has them. */
let units: ReadonlyArray<{ readonly lat: number; readonly lon: number }>

beforeAll(async () => {
  const { manage, newOrganization, newPerson } = site()
  const id = await newOrganization("Shop")
  operator = await newPerson("Ngozi Eze", "operator")
  billing = await newPerson("Chi Ude", "billing", id)
  const bookmarks = [{ postcode: "LA-11-B03-PD-01", label: "Home" }]
  await manage("PUT", "/end-users", { identifiers: [identifier, "61029384756"], bookmarks })
  const [chunk] = demoUnits({ units: 20_000 })
  if (chunk === undefined) throw new Error("there are no units")
  const active = [...chunk.active.keys()].filter((at) => chunk.active[at] === 1).slice(0, 2)
  units = active.map((at) => ({ lat: (chunk.lat_e7[at] ?? 0) / 1e7, lon: (chunk.lon_e7[at] ?? 0) / 1e7 }))
})

const rows = (page: Page) => page.getByRole("table", { name: "Units found, nearest first" }).getByRole("rowheader")
const points = (page: Page) => page.getByRole("group", { name: /^Map of/ }).getByRole("button")
const placeOf = (at: number, more = "") => {
  const { lat, lon } = units[at] ?? { lat: 0, lon: 0 }
  return `/directory?tab=place&lat=${lat}&lon=${lon}${more}`
}

describe("places", () => {
  it("are told by distances from three points", () => {
    const from = (east: number, north: number) => Math.hypot(30 - east, -40 - north)
    const { east_m, north_m } = offsetBy(from(0, 0), from(25, 0), from(0, 25), 25)
    expect([east_m, north_m].map(Math.round)).toEqual([30, -40])
    expect(offsetBy(0, 25, 25, 25)).toEqual({ east_m: 0, north_m: 0 })
  })

  it.each([
    [0, 10, "north"],
    [10, 10, "north-east"],
    [10, -1, "east"],
    [0, -5, "south"],
    [-7, -7, "south-west"],
    [-3, 9, "north"],
    [-9, 1, "west"]
  ])("%d m east and %d m north are in the %s", (east_m, north_m, direction) => {
    expect(directionOf({ east_m, north_m })).toBe(direction)
  })

  it("have scales of 1, 2 and 5, and coordinates with as many places as these need", () => {
    expect([0.037, 50, 0.5, 99, 1].map(niceStep)).toEqual([0.02, 50, 0.5, 50, 1])
    expect(multiples(5, -7, 11)).toEqual([-5, 0, 5, 10])
    expect(degreesText(-6.5985, 0.0005, ["N", "S"])).toBe("6.5985° S")
    expect(degreesText(3, 0.5, ["E", "W"])).toBe("3.0° E")
  })

  it("have labels that lie on nothing, but for the first one, which is always there", () => {
    const frame = { x: 0, y: 0, width: 200, height: 60 }
    const crowd = Array.from({ length: 6 }, (_, at) => ({ x: 100 + at, y: 30, text: "LA 11 B05" }))
    const [first, ...others] = placeLabels(crowd, frame, [frame])
    expect(first).toBeDefined()
    expect(others.filter(Boolean)).toEqual([])
    const boxes = placeLabels(crowd, frame, []).flatMap((box) => box ?? [])
    expect(boxes.length).toBeGreaterThan(1)
    expect(new Set(boxes.map(({ x, y }) => `${x} ${y}`)).size).toBe(boxes.length)
  })

  it("of codes continue what was typed, and take the place of names", () => {
    expect(continued("la 1", "lga", "11")).toBe("LA-11")
    expect(continued("la ike", "lga", "11")).toBe("LA-11")
    expect(continued("lag", "state", "LA")).toBe("LA")
    expect(continued("LA11b03RD28", "unit", "28")).toBe("LA-11-B03-RD-28")
  })
})

describe("the directory", () => {
  it("says its version and how much it holds, to everybody who is signed in", async () => {
    const page = await openAs(billing, "/directory")
    const part = page.getByRole("region", { name: "Data in force" })
    await seen(part).toMatch(/demo-20000-1.*Active units19,608.*Retired units392.*States37/)
    expect(await page.getByRole("link", { name: "Documentation" }).getAttribute("href")).toBe("/v1/docs")
  })

  it("is gone through segment by segment, to the unit", async () => {
    const page = await openAs(billing, "/directory")
    await page.getByRole("searchbox").fill("lag")
    await button(page, /^LA\s*Lagos$/).click()
    await button(page, /^LA-11\s*Ikeja/).click()
    await button(page, "LA-11-B03").click()
    await button(page, "LA-11-B03-RD").click()
    await seen(page.getByText("LA-11-B03-RD-28", { exact: true })).toBe("LA-11-B03-RD-28")
    await page.goto(`${site().origin}/console/#/directory?q=OG`)
    await eventually(() => page.getByRole("searchbox").inputValue()).toBe("OG")
    await page.getByRole("searchbox").fill("zz")
    await seen(page.getByText("No active unit continues this.")).toMatch(/No active/)
  })

  it("shows units where they are, as far and in the direction that they truly are", async () => {
    const page = await openAs(billing, placeOf(0))
    await eventually(() => rows(page).count()).toBe(20)
    expect(await points(page).count()).toBe(20)
    const here = await pixelsOf(page, 0)
    const [from, to] = units
    if (from === undefined || to === undefined) throw new Error("there are no units")
    const postcode = await postcodeAt(to)
    const named = await pixelsOf(page, (await rows(page).allTextContents()).indexOf(postcode))
    const degree = movedBy(from, { east_m: 1, north_m: 1 })
    const east_m = (to.lon - from.lon) / (degree.lon - from.lon)
    const north_m = (to.lat - from.lat) / (degree.lat - from.lat)
    const drawn = Math.atan2(named.x - here.x, here.y - named.y)
    expect(Math.abs(drawn - Math.atan2(east_m, north_m))).toBeLessThan(0.05)
  })

  it("has one choice in the map and in the table, by keyboard as well", async () => {
    const page = await openAs(billing, placeOf(0))
    await eventually(() => rows(page).count()).toBe(20)
    const names = await rows(page).allTextContents()
    await rows(page).nth(2).getByRole("button").click()
    await seen(page.locator(".point[aria-pressed=true]")).toMatch(names[2]?.slice(-2) ?? "")
    await points(page).nth(2).focus()
    await page.keyboard.press("ArrowRight")
    expect(await focused(page)).toContain(names[3])
    await page.keyboard.press("End")
    await page.keyboard.press("ArrowDown")
    await eventually(() => rows(page).getByRole("button", { pressed: true }).allTextContents()).toEqual([names[19]])
    expect(await page.locator(".point[tabindex='0']").count()).toBe(1)
    expect(site().answers.filter((answer) => answer.includes("/v1/search/nearby")).length).toBe(3)
  })

  it("goes closer to what is chosen, and back", async () => {
    const page = await openAs(billing, placeOf(0))
    await eventually(() => rows(page).count()).toBe(20)
    const before = await pixelsOf(page, 3)
    await rows(page).nth(3).getByRole("button").click()
    await button(page, "Closer").click()
    const [, , width] = ((await page.locator(".map > svg").getAttribute("viewBox")) ?? "").split(" ").map(Number)
    await eventually(async () => Math.round((await pixelsOf(page, 3)).x)).toBe(Math.round((width ?? 0) / 2))
    await button(page, "Fit").click()
    await eventually(() => pixelsOf(page, 3)).toEqual(before)
  })

  it("says what is wrong with a place at its field, and what to do where nothing is", async () => {
    const page = await openAs(billing, "/directory?tab=place")
    await page.getByLabel("Latitude").fill("north")
    await button(page, "Search").click()
    await seen(page.locator(".error")).toMatch(/expected a latitude/)
    await page.getByLabel("Latitude").fill("5.01, 1.02")
    await button(page, "Search").click()
    await seen(page.getByText(/No active unit lies within 250 m/)).toMatch(/larger radius/)
    expect(page.url()).toMatch(/lat=5.01&lon=1.02/)
    await page.getByLabel("Radius").selectOption("500")
    await page.getByLabel("Find").selectOption("nearest")
    await button(page, "Search").click()
    await seen(page.getByText(/goes 250 m far at most/)).toMatch(/250/)
  })

  const pixelsOf = async (page: Page, at: number) => {
    const circle = points(page).nth(at).locator("circle").last()
    return { x: Number(await circle.getAttribute("cx")), y: Number(await circle.getAttribute("cy")) }
  }

  const postcodeAt = async ({ lat, lon }: { readonly lat: number; readonly lon: number }): Promise<string> => {
    const response = await fetch(`${site().origin}/v1/search/reverse?lat=${lat}&lon=${lon}`)
    const { data } = (await response.json()) as { readonly data: { readonly unit: { readonly display: string } } }
    return data.unit.display
  }
})

describe("an end user", () => {
  it("is found by an identifier that is nowhere afterwards, and removed once that is confirmed", async () => {
    const page = await openAs(operator, "/end-users")
    await seen(page.getByText("There is one.")).toBe("There is one.")
    await page.getByLabel("Identifier").fill(identifier)
    await button(page, "Find").click()
    await seen(page.getByRole("region", { name: "Found" })).toMatch(/2 stored as hashes.*Home.*LA-11-B03-PD-01/)
    expect(await page.getByLabel("Identifier").inputValue()).toBe("")
    expect(await everythingIn(page)).not.toContain("amaka")
    expect(site().answers.join()).not.toContain("amaka")
    await button(page, "Remove").click()
    await button(dialog(page), "Remove end user").click()
    expect(site().answers.some((answer) => answer.startsWith("DELETE"))).toBe(false)
    await dialog(page).getByRole("textbox").fill("remove")
    await button(dialog(page), "Remove end user").click()
    await seen(page.getByText("There are 0.")).toBe("There are 0.")
    await page.getByLabel("Identifier").fill(identifier)
    await button(page, "Find").click()
    await seen(page.getByRole("status").filter({ hasText: "Nobody" })).toMatch(/Nobody is known/)
    expect(await page.getByLabel("Identifier").inputValue()).toBe("")
  })

  it("is for operators alone", async () => {
    const page = await openAs(billing, "/end-users")
    await seen(title(page)).toBe("Not found")
  })
})

describe("axe has nothing to complain about:", () => {
  it("the directory", async () => {
    const page = await openAs(billing, "/directory?q=LA", withAxe)
    await button(page, /^LA-11\s*Ikeja/).waitFor()
    await expectNothing(page, "codes", [narrow])
    await page.getByRole("tab", { name: "By place" }).click()
    await button(page, "Search").click()
    await rows(page).first().waitFor()
    await expectNothing(page, "a map")
  })

  it("end users", async () => {
    const page = await openAs(operator, "/end-users", withAxe)
    await page.getByText(/^There (is|are)/).waitFor()
    await expectNothing(page, "end users")
  })
})
