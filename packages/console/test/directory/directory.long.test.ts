/** The map of the directory beside its table, and what axe says of the directory and of the end users. */
import { describe, expect, it } from "vitest"
import { expectNothing, narrow } from "../Axe.ts"
import { button, eventually, focused, section, seen, title } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"
import { neighbours, pixelsOf, placeOf, points, rows } from "./PlacesPage.ts"

const { openAs, site } = useShop()
const [here] = neighbours()

describe("the directory", () => {
  it("has the same selection in the map and in the table, also by keyboard", async () => {
    const page = await openAs("billing", placeOf(here))
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

  it("zooms to the selected unit, and back", async () => {
    const page = await openAs("billing", placeOf(here))
    await eventually(() => rows(page).count()).toBe(20)
    const before = await pixelsOf(page, 3)
    await rows(page).nth(3).getByRole("button").click()
    await button(page, "Zoom in").click()
    const [, , width] = ((await page.locator(".map > svg").getAttribute("viewBox")) ?? "").split(" ").map(Number)
    await eventually(async () => Math.round((await pixelsOf(page, 3)).x)).toBe(Math.round((width ?? 0) / 2))
    await button(page, "Fit").click()
    await eventually(() => pixelsOf(page, 3)).toEqual(before)
    await page.locator(".point[tabindex='0']").focus()
    await page.keyboard.press("+")
    await eventually(() => pixelsOf(page, 3)).not.toEqual(before)
    await page.keyboard.press("-")
    await eventually(() => pixelsOf(page, 3)).toEqual(before)
    await page.locator(".map > svg").hover()
    await page.keyboard.down("Control")
    await page.mouse.wheel(0, -100)
    await page.keyboard.up("Control")
    await eventually(() => pixelsOf(page, 3)).not.toEqual(before)
  })

  it("moves by mouse and keyboard, and a drag does not select a unit", async () => {
    const page = await openAs("billing", placeOf(here))
    await eventually(() => rows(page).count()).toBe(20)
    // The last one lies above the others.
    const last = points(page).last()
    const before = await pixelsOf(page, 19)
    const [, , width = 0, height = 0] = ((await page.locator(".map > svg").getAttribute("viewBox")) ?? "")
      .split(" ")
      .map(Number)
    const moved = (x: number, y: number) => ({ x: expect.closeTo(before.x + x, 0), y: expect.closeTo(before.y + y, 0) })
    const circle = await last.locator("circle").last().boundingBox()
    const [x, y] = [(circle?.x ?? 0) + 4, (circle?.y ?? 0) + 4]
    // Towards the middle, so that it stays on the map.
    const [right, down] = [before.x < width / 2 ? 40 : -40, before.y < height / 2 ? 25 : -25]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + right, y + down, { steps: 4 })
    await page.mouse.up()
    await eventually(() => pixelsOf(page, 19)).toEqual(moved(right, down))
    expect(await last.getAttribute("aria-pressed")).toBe("false")
    await page.mouse.click(x + right, y + down)
    await eventually(() => last.getAttribute("aria-pressed")).toBe("true")
    await page.keyboard.press("Shift+ArrowRight")
    await eventually(() => pixelsOf(page, 19)).toEqual(moved(right - 60, down))
    await page.keyboard.press("Shift+ArrowUp")
    await eventually(() => pixelsOf(page, 19)).toEqual(moved(right - 60, down + 60))
    for (let i = 0; i < 20; i++) await page.keyboard.press("Shift+ArrowDown")
    await page.keyboard.press("ArrowLeft")
    const middle = { x: expect.closeTo(width / 2, 0), y: expect.closeTo(height / 2, 0) }
    await eventually(() => pixelsOf(page, 18)).toEqual(middle)
    await button(page, "Fit").click()
    await eventually(() => pixelsOf(page, 19)).toEqual(before)
  })

  it("moves and zooms by fingers", async () => {
    const page = await openAs("billing", placeOf(here), { hasTouch: true })
    await eventually(() => rows(page).count()).toBe(20)
    await page.locator(".map > svg").scrollIntoViewIfNeeded()
    const before = await pixelsOf(page, 5)
    const frame = await page.locator(".map > svg").boundingBox()
    const [left, top] = [(frame?.x ?? 0) + 120, (frame?.y ?? 0) + 150]
    const session = await page.context().newCDPSession(page)
    const touch = (
      type: "touchEnd" | "touchMove" | "touchStart",
      ...places: ReadonlyArray<readonly [number, number]>
    ) =>
      session.send("Input.dispatchTouchEvent", {
        type,
        touchPoints: places.map(([x, y], id) => ({ id, x: left + x, y: top + y }))
      })
    await touch("touchStart", [0, 0])
    await touch("touchMove", [20, 10])
    await touch("touchMove", [50, 30])
    await touch("touchEnd")
    await eventually(() => pixelsOf(page, 5)).toEqual({
      x: expect.closeTo(before.x + 50, 0),
      y: expect.closeTo(before.y + 30, 0)
    })
    const distance = async () => {
      const [a, b] = [await pixelsOf(page, 0), await pixelsOf(page, 5)]
      return Math.hypot(a.x - b.x, a.y - b.y)
    }
    const apart = await distance()
    await touch("touchStart", [0, 0], [40, 0])
    await touch("touchMove", [0, 0], [60, 0])
    await touch("touchMove", [0, 0], [80, 0])
    await touch("touchEnd")
    await eventually(distance).toBeCloseTo(apart * 2, 0)
  })
})

describe("the warnings of the edition", () => {
  it("are shown to operators by kind, with the first rows, and lead to the units", async () => {
    const page = await openAs("operator", "/directory")
    const warnings = section(page, "Warnings")
    await seen(warnings).toMatch(/Latitude and longitude are exchanged.*338.*Show the first 20/)
    const row = warnings.getByRole("row", { name: /exchanged/ })
    await row.locator("summary").click()
    await eventually(() => row.getByRole("listitem").count()).toBe(20)
    await row.getByRole("link", { name: "LA-11-B03-PD-02" }).click()
    await seen(title(page)).toMatch(/LA-11-B03-PD-02/)
  })

  it("are not shown to members", async () => {
    const page = await openAs("owner", "/directory")
    await section(page, "Current data").getByText("Active units").waitFor()
    expect(await section(page, "Warnings").count()).toBe(0)
  })
})

describe("axe has nothing to complain about:", () => {
  it("the directory", async () => {
    const page = await openAs("billing", "/directory?q=LA", { withAxe: true })
    await button(page, /^LA-11\s*Ikeja/).waitFor()
    await expectNothing(page, "codes", [narrow])
    await page.getByRole("tab", { name: "By coordinates" }).click()
    await button(page, "Search").click()
    await rows(page).first().waitFor()
    await expectNothing(page, "a map")
  })

  it("the warnings, opened", async () => {
    const page = await openAs("operator", "/directory", { withAxe: true })
    for (const summary of await section(page, "Warnings").locator("summary").all()) await summary.click()
    await expectNothing(page, "warnings", [narrow])
  })

  it("end users", async () => {
    const page = await openAs("operator", "/end-users", { withAxe: true })
    await page.getByText(/^There (is|are)/).waitFor()
    await expectNothing(page, "end users")
  })
})
