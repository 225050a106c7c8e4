/** The map of "Use my location" in a browser, by finger, mouse and keyboard. */
import type { Postcode } from "@postcode/core/Postcode"
import type { BrowserContextOptions, Page } from "playwright-core"
import { beforeEach, describe, expect, it } from "vitest"
import { violations } from "../Axe.ts"
import { eventually, heard, seen, settled, usePickers, valueIn } from "../picker/PickerPage.ts"
import { pickerHtml } from "../picker/TestSite.ts"
import { testDirectory } from "../service/TestDirectory.ts"

const { open, service, site } = usePickers()

const useKey = async (max_level: 2 | 5, attributes = "discover") => {
  site().key = await service().newKey({ origins: [site().origin], max_level })
  site().body = pickerHtml(site(), attributes)
}

beforeEach(() => useKey(5))

const map = (page: Page) => page.getByRole("application")
const units = (page: Page) => page.getByRole("radio")
const chosen = (page: Page) => page.locator("label:has(:checked)")
const confirm = (page: Page) => page.getByRole("button", { name: "Use this postcode" })
const asked = (operation: string) => service().answers.filter((answer) => answer === `widget.${operation} 200`).length

const openMap = async (options: BrowserContextOptions = {}, path = "/", accuracy = 20) => {
  const geolocation = { ...service().point, accuracy }
  const page = await open({ permissions: ["geolocation"], geolocation, ...options }, path)
  await page.getByRole("button", { name: "Use my location" }).click()
  await map(page).waitFor()
  await chosen(page).waitFor()
  return page
}

/** Where the pin has been put, which its tip leaves for the nearest unit. */
const tappedIn = async (page: Page) => {
  const circle = page.locator("[part=tapped]")
  return { x: Number(await circle.getAttribute("cx")), y: Number(await circle.getAttribute("cy")) }
}

/** Where the pin's tip is on the map. */
const pinOf = async (page: Page) => {
  const transform = await page.locator("[part=marker]").getAttribute("transform")
  const [x = 0, y = 0] = (transform?.match(/-?[\d.]+/g) ?? []).map(Number)
  return { x, y }
}

const boxOf = async (page: Page) => {
  const box = await map(page).boundingBox()
  if (box === null) throw new Error("the map is not shown")
  return box
}

describe("the map", () => {
  it("selects the nearest unit, and a confirmation needs no further call", async () => {
    const page = await openMap()
    const [home] = service().postcodes
    expect(await chosen(page).textContent()).toContain("Warawa (no address known)")
    expect(await chosen(page).textContent()).toContain(home.replaceAll("-", " "))
    expect(await chosen(page).textContent()).toContain("0 m")
    expect([asked("session"), asked("nearby")]).toEqual([1, 1])
    await confirm(page).click()
    await eventually(() => valueIn(page)).toBe(home)
    expect(await heard(page)).toMatchObject([{ formatted: home, source: "discover" }])
    expect(await map(page).count()).toBe(0)
  })

  it("names a locality and an LGA of the same name once", async () => {
    const { directory } = testDirectory()
    const { lat: latitude, lon: longitude } = directory.coordinateAt(directory.find("LA-11-B03-QD-10" as Postcode))
    const page = await openMap({ geolocation: { latitude, longitude, accuracy: 20 } })
    await confirm(page).click()
    await seen(page.locator("[part=place]")).toBe("12 Allen Avenue, Ikeja, Lagos")
  })

  it("shows units as points, with directions, for a key of level 5 only", async () => {
    const page = await openMap()
    expect(await page.locator("[part~=unit]").count()).toBe(await units(page).count())
    expect(await page.locator("[part=distance]").nth(1).textContent()).toMatch(
      /^\d+ m (north|south|east|west)(-east|-west)?$/
    )
    await useKey(2)
    const coarse = await openMap()
    expect(await units(coarse).count()).toBeGreaterThan(1)
    expect(await coarse.locator("[part~=unit]").count()).toBe(0)
    expect(await coarse.locator("[part=distance]").nth(1).textContent()).toMatch(/^\d+ m$/)
    await coarse.getByText("6 Baobab Street").waitFor()
  })

  it("moves the pin by a click, and requests units when the pin rests", async () => {
    const page = await openMap()
    const { height, width } = await boxOf(page)
    const first = await chosen(page).textContent()
    const at = { x: Math.round(width / 4), y: Math.round(height / 4) }
    await page.locator("[part~=unit]").first().waitFor()
    await map(page).click({ position: { x: 30, y: height - 60 } })
    await map(page).click({ position: at })
    await eventually(() => asked("nearby")).toBe(2)
    await settled(page)
    expect(asked("nearby")).toBe(2)
    expect(await tappedIn(page)).toEqual({ x: expect.closeTo(at.x, 0), y: expect.closeTo(at.y, 0) })
    expect(await chosen(page).textContent()).not.toBe(first)
  })

  it("is moved by mouse, zooms by wheel when it has the focus, and keeps the pin at its place", async () => {
    const page = await openMap()
    const { height, width, x, y } = await boxOf(page)
    const before = await pinOf(page)
    await page.mouse.move(x + 20, y + height - 60)
    await page.mouse.down()
    await page.mouse.move(x + 60, y + height - 90, { steps: 4 })
    await page.mouse.up()
    const moved = await pinOf(page)
    expect(moved).toEqual({ x: expect.closeTo(before.x + 40, 0), y: expect.closeTo(before.y - 30, 0) })
    const scale = page.locator("[part=scale]")
    const length = await scale.textContent()
    await map(page).focus()
    await page.mouse.move(x + width / 2, y + height / 2)
    await page.mouse.wheel(0, 600)
    await eventually(() => scale.textContent()).not.toBe(length)
    await settled(page)
    expect(asked("nearby")).toBe(1)
  })

  it("works by touch: a tap moves the pin, and two fingers zoom", async () => {
    const page = await openMap({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })
    await map(page).scrollIntoViewIfNeeded()
    const { height, width, x, y } = await boxOf(page)
    await page.touchscreen.tap(x + 40, y + height - 60)
    await eventually(() => asked("nearby")).toBe(2)
    await eventually(() => tappedIn(page)).toEqual({ x: expect.closeTo(40, -1), y: expect.closeTo(height - 60, -1) })
    const before = await page.locator("[part=accuracy]").getAttribute("r")
    const client = await page.context().newCDPSession(page)
    const touch = (type: "touchStart" | "touchMove" | "touchEnd", spread: number) =>
      client.send("Input.dispatchTouchEvent", {
        type,
        touchPoints:
          type === "touchEnd"
            ? []
            : [-spread, spread].map((dx, id) => ({ x: x + width / 2 + dx, y: y + height / 2, id }))
      })
    await touch("touchStart", 20)
    await touch("touchMove", 40)
    await touch("touchMove", 60)
    await touch("touchEnd", 0)
    const ratio = async () => Number(await page.locator("[part=accuracy]").getAttribute("r")) / Number(before)
    await eventually(ratio).toBeGreaterThan(1.5)
  })

  it("works by keyboard alone", async () => {
    const page = await openMap()
    const before = await pinOf(page)
    await map(page).focus()
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowRight")
    await page.keyboard.press("ArrowUp")
    expect(await pinOf(page)).toEqual({ x: expect.closeTo(before.x + 32, 0), y: expect.closeTo(before.y - 16, 0) })
    await eventually(() => asked("nearby")).toBe(2)
    await page.keyboard.press("Shift+ArrowRight")
    expect((await pinOf(page)).x).toBeCloseTo(before.x + 32 - 64, 0)
    const length = await page.locator("[part=scale]").textContent()
    await page.keyboard.press("-")
    await page.keyboard.press("-")
    expect(await page.locator("[part=scale]").textContent()).not.toBe(length)
    await page.keyboard.press("Home")
    await eventually(() => asked("nearby")).toBe(3)
    await settled(page)
    await page.keyboard.press("Enter")
    await eventually(() => valueIn(page)).toBe(service().postcodes[0])
  })

  it("has the same units in the list", async () => {
    const page = await openMap()
    await units(page).first().focus()
    await page.keyboard.press("ArrowDown")
    const second = await chosen(page).locator("[part=code]").textContent()
    await confirm(page).focus()
    await page.keyboard.press("Enter")
    await eventually(() => valueIn(page)).toBe(second?.replaceAll(" ", "-"))
  })

  it("reports that no unit is near, and that the session's calls are used up", async () => {
    const page = await open({
      permissions: ["geolocation"],
      geolocation: { latitude: 1, longitude: 1, accuracy: 20 }
    })
    await page.getByRole("button", { name: "Use my location" }).click()
    await map(page).waitFor()
    await eventually(() => page.locator("[part=heard]").textContent()).toMatch(/^No postcode within 300 m/)
    await page.getByText("No postcode within 300 m. Please search instead.").waitFor()
    expect(await confirm(page).isDisabled()).toBe(true)
    await page.context().setGeolocation({ ...service().point, accuracy: 20 })
    await map(page).focus()
    for (let call = 2; call <= 30; call++) {
      await page.keyboard.press("ArrowUp")
      await eventually(() => asked("nearby")).toBe(call)
    }
    await page.keyboard.press("ArrowUp")
    await page.getByText("The map cannot find more now. Choose from the list, or search.").waitFor()
    await page.getByRole("button", { name: "Search instead" }).click()
    expect(await map(page).count()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe("postcode-picker")
  })

  it("without credits, only the nearest unit is shown", async () => {
    await service().revoke(site().key)
    const page = await open({ permissions: ["geolocation"], geolocation: { ...service().point, accuracy: 20 } })
    await page.getByRole("button", { name: "Use my location" }).click()
    await eventually(() => page.getByRole("option").count()).toBe(1)
    expect(await map(page).count()).toBe(0)
  })

  it("requests nothing from other hosts", async () => {
    const requests: Array<string> = []
    const page = await open({ permissions: ["geolocation"], geolocation: { ...service().point, accuracy: 20 } })
    page.on("request", (request) => requests.push(request.url()))
    await page.getByRole("button", { name: "Use my location" }).click()
    await chosen(page).waitFor()
    await settled(page)
    const known = [site().origin, service().gateway, service().platform]
    expect(requests.filter((url) => !known.includes(new URL(url).origin))).toEqual([])
    expect(await page.locator("iframe").count()).toBe(0)
  })
})

it("a screen reader finds the map with its keys, and the units as radio buttons", async () => {
  const page = await openMap()
  const [home] = service().postcodes
  const tree = await page.locator("[part=discover]").ariaSnapshot()
  expect(tree).toMatch(/application "Map: tap where you are, or move the pin"/)
  expect(tree).toMatch(/\n- group "Nearest to the pin \(\d+\)":\n {2}- text: .+\n {2}- radio ".+ 0 m" \[checked\]\n/)
  expect(tree).toContain(`paragraph: ${home.replaceAll("-", " ")}, 0 m`)
  expect(tree).toMatch(/- button "Use this postcode"/)
  expect(await map(page).getAttribute("aria-description")).toMatch(/arrow keys/i)
})

describe.for(["light", "dark"] as const)("in %s", (colorScheme) => {
  it("axe has nothing to complain about, and every control is 44 pixels high", async () => {
    const page = await openMap({ colorScheme }, "/with-axe")
    await page.evaluate(() => document.documentElement.style.setProperty("background", "Canvas"))
    expect(await violations(page)).toEqual([])
    const controls = page.locator("[part=discover]").locator("button, label")
    for (const control of await controls.all()) {
      const { height = 0, width = 0 } = (await control.boundingBox()) ?? {}
      expect([height, width].every((side) => side >= 44)).toBe(true)
    }
  })
})
