/** Streets under the map of "Use my location", from servers that work, and from those that do not. */
import type { BrowserContextOptions, Page } from "playwright-core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { eventually, settled, usePickers, valueIn } from "../picker/PickerPage.ts"
import { pickerHtml } from "../picker/TestSite.ts"
import { openTileServer, type TileServer } from "./TileServer.ts"

const { complaints, open, service, site } = usePickers()

let server: TileServer

beforeAll(async () => {
  server = await openTileServer()
})
afterAll(() => server?.close())

const useStyle = async (style = `${server.origin}/style.json`, max_level: 2 | 5 = 5) => {
  site().key = await service().newKey({ origins: [site().origin], max_level })
  site().body = pickerHtml(site(), `discover map-style="${style}"`)
  site().policy = `frame-src ${service().platform}`
}

beforeEach(async () => {
  server.tiles = "fine"
  server.archive = "missing"
  server.ranges.length = 0
  server.style = undefined
  server.asked.length = 0
  await useStyle()
})

const map = (page: Page) => page.getByRole("application")
const streets = (page: Page) => page.locator("iframe[part=streets]")
const chosen = (page: Page) => page.locator("label:has(:checked)")
const confirm = (page: Page) => page.getByRole("button", { name: "Use this postcode" })

const openMap = async (options: BrowserContextOptions = {}, prepare: (page: Page) => unknown = () => undefined) => {
  const geolocation = { ...service().point, accuracy: 20 }
  const page = await open({ permissions: ["geolocation"], geolocation, ...options })
  await page.evaluate(() => {
    const problems: Array<string> = []
    Object.assign(window, { problems })
    document.body.addEventListener("postcode-problem", ({ detail }) => problems.push(JSON.stringify(detail)))
  })
  await prepare(page)
  await page.getByRole("button", { name: "Use my location" }).click()
  await map(page).waitFor()
  await chosen(page).waitFor()
  return page
}

const problems = (page: Page) => page.evaluate(() => (window as unknown as { problems: Array<string> }).problems)
const shown = (page: Page) => page.locator("iframe[part=streets].shown").waitFor({ timeout: 30_000 })

/** The map without streets: all that it had before, and one event with the reason. */
const expectFallback = async (page: Page, reason: RegExp) => {
  await eventually(() => problems(page)).toHaveLength(1)
  const [problem = "{}"] = await problems(page)
  expect(JSON.parse(problem)).toEqual({ status: 0, code: "map_unavailable", message: expect.stringMatching(reason) })
  expect(await streets(page).count()).toBe(0)
  expect(await page.locator("[part=circle]").count()).toBeGreaterThan(0)
  await page.getByText("No streets are shown: find your address in the list.").waitFor()
  await confirm(page).click()
  await eventually(() => valueIn(page)).toBe(service().postcodes[0])
  expect(await problems(page)).toHaveLength(1)
}

const styleOfArchive = JSON.stringify({
  version: 8,
  sources: { streets: { type: "vector", url: "pmtiles://streets.pmtiles" } },
  layers: [{ id: "all", type: "line", source: "streets", "source-layer": "streets" }]
})

describe("a map with streets", () => {
  it("shows the style in a frame of the service under pins and list, with its attribution", async () => {
    const page = await openMap()
    await shown(page)
    expect(await page.locator("[part=circle]").count()).toBe(0)
    expect(await page.getByText("No streets are shown").count()).toBe(0)
    const attribution = page.locator("[part=attribution]")
    expect(await attribution.textContent()).toBe("© The surveyor alert(1)")
    const link = page.getByRole("link", { name: "The surveyor" })
    expect(await link.getAttribute("href")).toBe("https://surveyor.example/about")
    expect(await link.getAttribute("rel")).toBe("noopener noreferrer")
    expect(server.asked.every((path) => /^\/(style\.json|tiles\/\d+\/\d+\/\d+\.png)$/.test(path))).toBe(true)
    await confirm(page).click()
    await eventually(() => valueIn(page)).toBe(service().postcodes[0])
    expect(await streets(page).count()).toBe(0)
    expect(await problems(page)).toEqual([])
  })

  it("asks the frame for nothing but the scripts, and the frame sends no cookie", async () => {
    const requests: Array<string> = []
    const page = await openMap({}, (page) => {
      page.on("request", (request) => requests.push(new URL(request.url()).href))
    })
    await shown(page)
    const frames = requests.filter((url) => url.startsWith(`${service().platform}/v1/widget/map`))
    expect(frames.map((url) => new URL(url).pathname)).toEqual([
      "/v1/widget/map",
      expect.stringMatching(/^\/v1\/widget\/map\/[0-9a-f]{16}\/map\.js$/),
      expect.stringMatching(/^\/v1\/widget\/map\/[0-9a-f]{16}\/worker\.js$/)
    ])
  })

  it("follows the map: where it is moved and zoomed, other tiles are drawn", async () => {
    const page = await openMap()
    await shown(page)
    const zooms = () => [...new Set(server.asked.map((path) => /^\/tiles\/(\d+)/.exec(path)?.[1]))].filter(Boolean)
    const before = zooms()
    await map(page).focus()
    await page.keyboard.press("-")
    await page.keyboard.press("-")
    await eventually(() => zooms().length).toBeGreaterThan(before.length)
    const known = server.asked.length
    for (let step = 0; step < 12; step++) await page.keyboard.press("Shift+ArrowRight")
    await eventually(() => server.asked.length).toBeGreaterThan(known)
  })

  it("by keyboard: the arrow keys move the pin, Page Down goes to the next unit, and Enter chooses it", async () => {
    const page = await openMap()
    await shown(page)
    await map(page).focus()
    await page.keyboard.press("PageDown")
    await page.keyboard.press("PageDown")
    await page.keyboard.press("PageUp")
    const code = await chosen(page).locator("[part=code]").textContent()
    expect(await page.getByRole("radio").nth(1).isChecked()).toBe(true)
    expect(await page.locator("[part=heard]").textContent()).toContain(code)
    await page.keyboard.press("Enter")
    await eventually(() => valueIn(page)).toBe(code?.replaceAll(" ", "-"))
  })

  it("a tapped place snaps the pin to the nearest unit whose point is served, and shows both", async () => {
    const page = await openMap()
    await shown(page)
    const second = page.locator("[part~=unit]").nth(1)
    const [x, y] = [Number(await second.getAttribute("cx")), Number(await second.getAttribute("cy"))]
    await map(page).click({ position: { x: x + 4, y: y + 24 } })
    await eventually(() => page.locator("[part=tapped]").count()).toBe(1)
    const tip = await page.locator("[part=marker]").getAttribute("transform")
    const unit = page.locator("[part~=chosen]")
    expect(tip).toBe(`translate(${await unit.getAttribute("cx")} ${await unit.getAttribute("cy")})`)
    await useStyle(undefined, 2)
    const coarse = await openMap()
    await shown(coarse)
    await map(coarse).click({ position: { x: x + 4, y: y + 24 } })
    await settled(coarse)
    expect(await coarse.locator("[part=tapped]").count()).toBe(0)
  })

  it("asks for the style of the page's scheme, and again when the page changes it", async () => {
    await useStyle(`${server.origin}/{scheme}.json`)
    const page = await openMap({ colorScheme: "dark" })
    await shown(page)
    expect(server.asked).toContain("/dark.json")
    expect(server.asked).not.toContain("/light.json")
    await page.emulateMedia({ colorScheme: "light" })
    await eventually(() => server.asked).toContain("/light.json")
    await settled(page)
    expect(await problems(page)).toEqual([])
  })

  it("an archive of tiles is read in ranges: its beginning first, then the tiles of the place", async () => {
    server.archive = "fine"
    server.style = styleOfArchive
    const page = await openMap()
    await shown(page)
    expect(await page.locator("[part=attribution]").textContent()).toBe("Invented streets")
    const [first, ...others] = server.ranges
    expect(first).toBe("bytes=0-16383")
    expect(others.length).toBeGreaterThan(0)
    const lengths = server.ranges.map((range) => range.match(/\d+/g)?.map(Number) ?? [0, Number.POSITIVE_INFINITY])
    for (const [from = 0, to = 0] of lengths) expect(to - from).toBeLessThan(100_000)
    const before = server.ranges.length
    await page.evaluate(() => document.querySelector("postcode-picker")?.scrollIntoView())
    for (let steps = 0; steps < 40; steps++) await page.getByRole("application").press("Shift+ArrowLeft")
    await eventually(() => server.ranges.length).toBeGreaterThan(before)
    expect(new Set(server.ranges).size).toBeGreaterThan(2)
    expect(await problems(page)).toEqual([])
  })

  it("without the attribute, or with an empty one, no frame is opened", async () => {
    await useStyle("")
    const page = await openMap()
    await settled(page)
    expect(await streets(page).count()).toBe(0)
    await page.getByText("No streets are shown").waitFor()
    expect(await problems(page)).toEqual([])
  })
})

describe("without streets the map is as it was, and the page gets the reason once", () => {
  const styles: ReadonlyArray<readonly [what: string, style: string | undefined, path: string, reason: RegExp]> = [
    ["that is not there", undefined, "/nothing", /status 404/],
    ["that is not JSON", "<html></html>", "/style.json", /not a MapLibre style/],
    ["of another kind", '{"version":7}', "/style.json", /not a MapLibre style/],
    ["that is null", "null", "/style.json", /not a MapLibre style/],
    [
      "without a layer's source",
      '{"version":8,"sources":{},"layers":[{"id":"a","type":"line","source":"b"}]}',
      "/style.json",
      /source/
    ],
    [
      "of tiles without an address",
      '{"version":8,"sources":{"a":{"type":"vector"}},"layers":[{"id":"a","type":"line","source":"a","source-layer":"x"}]}',
      "/style.json",
      /./
    ]
  ]
  it.each([
    ["missing", /no tile could be loaded: .*404/],
    ["without ranges", /no tile could be loaded: .*Byte Serving/],
    ["not an archive", /no tile could be loaded: .*magic number/]
  ] as const)("an archive of tiles that is %s", async (archive, reason) => {
    server.archive = archive
    server.style = styleOfArchive
    await expectFallback(await openMap(), reason)
  })

  it.each(styles)("a style %s", async (_, style, path, reason) => {
    server.style = style
    await useStyle(`${server.origin}${path}`)
    await expectFallback(await openMap(), reason)
  })

  it("a style of a server that does not exist", async () => {
    await useStyle("http://127.0.0.1:9/style.json")
    await expectFallback(await openMap(), /could not be loaded/)
  })

  it("a style without an address on the web", async () => {
    await useStyle("javascript:alert(1)")
    await expectFallback(await openMap(), /expected an address of http or https/)
  })

  it.each([
    ["missing", /the sources have no tile of this place/],
    ["failing", /500/],
    ["without CORS", /no tile could be loaded/]
  ] as const)("tiles that are %s", async (kind, reason) => {
    server.tiles = kind
    const page = await openMap()
    await expectFallback(page, reason)
    if (kind === "without CORS") complaints().splice(0)
  })

  it("tiles that never come: the map works meanwhile, and stays as it is after 10 s", async () => {
    server.tiles = "never"
    const page = await openMap()
    expect(await page.locator("[part=circle]").count()).toBeGreaterThan(0)
    expect(await problems(page)).toEqual([])
    await page.waitForFunction(() => (window as unknown as { problems: Array<string> }).problems.length > 0)
    await expectFallback(page, /more than 10 s/)
  })

  it("a policy of the page that allows no frame", async () => {
    site().policy = ""
    const page = await openMap()
    await expectFallback(page, new RegExp(`no frame-src ${service().platform}`))
    expect(complaints().splice(0)).toEqual([expect.stringContaining("Content Security Policy")])
  })

  it("a browser without WebGL", async () => {
    const page = await openMap({}, (page) =>
      page.addInitScript(() => {
        HTMLCanvasElement.prototype.getContext = () => null
      })
    )
    await expectFallback(page, /no WebGL 2/)
  })

  it("a service without the frame", async () => {
    service().meanwhile = ({ pathname }) => (pathname.endsWith("/map.js") ? new Promise(() => {}) : undefined)
    const page = await openMap()
    await page.waitForFunction(() => (window as unknown as { problems: Array<string> }).problems.length > 0)
    await expectFallback(page, /more than 10 s/)
  })

  it("graphics that the browser takes away later", async () => {
    const page = await openMap()
    await shown(page)
    const frame = page.frames().find((frame) => frame.url().endsWith("/v1/widget/map"))
    await frame?.evaluate(() => {
      const context = document.querySelector("canvas")?.getContext("webgl2")
      context?.getExtension("WEBGL_lose_context")?.loseContext()
    })
    await expectFallback(page, /graphics context/)
  })
})
