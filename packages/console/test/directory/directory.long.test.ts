/** The map of the directory beside its table, and what axe says of the directory and of the end users. */
import { describe, expect, it } from "vitest"
import { expectNothing, narrow } from "../Axe.ts"
import { button, eventually, focused, seen } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"
import { neighbours, pixelsOf, placeOf, points, rows } from "./PlacesPage.ts"

const { openAs, site } = useShop()
const [here] = neighbours()

describe("the directory", () => {
  it("has one choice in the map and in the table, by keyboard as well", async () => {
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

  it("goes closer to what is chosen, and back", async () => {
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

  it("end users", async () => {
    const page = await openAs("operator", "/end-users", { withAxe: true })
    await page.getByText(/^There (is|are)/).waitFor()
    await expectNothing(page, "end users")
  })
})
