/** The site as it is built: every page is there, is listed, asks nobody else, and can be read by everybody. */
import { existsSync, globSync, readFileSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Browser, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { expectNothing, narrow, wide } from "../../packages/console/test/Axe.ts"
import { watch } from "../../packages/console/test/ConsolePage.ts"
import { makeScript } from "../../packages/widget/bundle.ts"
import { axe } from "../../packages/widget/test/Axe.ts"
import { sharedBrowser } from "../../packages/widget/test/Browser.ts"
import { root } from "../../scripts/workspace.mjs"
import { type BuiltSite, buildSite, serveSite, siteOrigin } from "./BuiltSite.ts"
import { faultsOf } from "./faults.ts"

let site: BuiltSite
const read = (file: string) => readFileSync(join(site.folder, file), "utf8")

beforeAll(async () => {
  site = { folder: await mkdtemp(join(tmpdir(), "site-")), base: "/postcode/" }
  await buildSite(site)
}, 300_000)

afterAll(() => rm(site.folder, { recursive: true, force: true }))

describe("the site", () => {
  it("has a page for every document of docs and of the repository's root", () => {
    const documents = globSync("docs/**/*.md", { cwd: root }).map((file) =>
      file.replace(/^docs\/(.*?)(\/README)?\.md$/, "$1")
    )
    const wanted = [
      "start",
      "contents",
      "examples",
      "contributing",
      "security",
      "reference/api",
      "reference/api/core",
      "reference/api/postgres",
      ...documents.filter((id) => id !== "README")
    ]
    expect(documents).toContain("adr/0016-snapshot")
    expect(wanted.filter((id) => !existsSync(join(site.folder, id, "index.html")))).toEqual([])
  })

  it("has no broken link, and loads nothing from other hosts", () => {
    expect(faultsOf(site.folder, site.base)).toEqual([])
  })

  it("has a policy in every page that allows only the page's own scripts", () => {
    for (const file of globSync("**/*.html", { cwd: site.folder })) {
      const [, policy = ""] =
        /<head><meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(read(file)) ?? []
      expect(policy, file).toMatch(
        /^default-src 'self'; script-src 'self' 'wasm-unsafe-eval'( 'sha256-[\w+/=]{44}')+; /
      )
    }
  })

  it("links to no repository if none is set", () => {
    const pages = globSync("**/*.html", { cwd: site.folder })
    expect(pages.filter((file) => read(file).includes("Edit page"))).toEqual([])
    expect(read("start/index.html.md")).toMatch(/^MIT \(`LICENSE`\)$/m)
  })

  it("has text files for programs: a list of all pages, each page, and all pages in one file", () => {
    const list = read("llms.txt")
    expect(list).toMatch(/^# Postcode Gateway\n\n> A national postcode system/)
    const listed = [...list.matchAll(/^- \[.*?\]\((.*?)\)/gm)].map(([, address = ""]) =>
      address.slice(site.base.length)
    )
    const pages = globSync("**/index.html", { cwd: site.folder }).map((file) => `${file}.md`)
    expect(listed.sort()).toEqual(
      pages.filter((file) => !["index.html.md", "contents/index.html.md"].includes(file)).sort()
    )
    const whole = read("llms-full.txt")
    for (const page of pages) expect(whole).toContain(read(page))
    expect(read("http/index.html.md")).toContain("](/postcode/reference/errors/)")
  })
})

it("the page of the widget has the hash of its script", async () => {
  const { integrity } = await makeScript()
  expect(read("widget/index.html.md")).toContain(`integrity="${integrity}"`)
  expect(read("widget/index.html")).toContain(integrity)
})

describe("in a browser", () => {
  let browser: Browser
  const complaints: Array<string> = []

  beforeAll(async () => {
    browser = await sharedBrowser()
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()))
    expect(complaints.splice(0)).toEqual([])
  })

  const open = async (path: string): Promise<Page> => {
    const context = await browser.newContext({ reducedMotion: "reduce" })
    await watch(context, siteOrigin, complaints)
    await context.addInitScript({ content: axe })
    await serveSite(context, site)
    const page = await context.newPage()
    await page.goto(`${siteOrigin}${site.base}${path}`)
    return page
  }

  it.for(["", "start/", "offline/", "reference/errors/", "bench/", "adr/0016-snapshot/", "contents/", "404.html"])(
    "axe finds no fault, in light and in dark, narrow and wide: /%s",
    async (path) => {
      const page = await open(path)
      for (const size of [narrow, wide]) {
        await page.setViewportSize(size)
        await page.waitForFunction(canScrollByKeyboard)
        await expectNothing(page, path, [size])
      }
    }
  )

  it("the navigation scrolls to the current page", async () => {
    const page = await open("adr/0030-build-and-release/")
    const link = page.locator(".sidebar-content [aria-current='page']")
    await expect.poll(async () => (await link.boundingBox())?.y).toSatisfy((y) => y > 0 && y < 720)
  })

  it("a button to copy covers no code on a narrow screen", async () => {
    const page = await open("start/")
    await page.setViewportSize({ width: 390, height: 844 })
    const gaps = await page.locator(".expressive-code .frame").evaluateAll((frames) =>
      frames.map((frame) => {
        const [code, button] = ["pre", ".copy button"].map((part) => frame.querySelector(part)?.getBoundingClientRect())
        return (button?.left ?? 0) - (code?.right ?? Number.POSITIVE_INFINITY)
      })
    )
    expect(gaps.length).toBeGreaterThan(2)
    for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(0)
  })

  it("a picture is shown in the chosen color scheme, and without motion if the reader prefers that", async () => {
    const page = await open("start/")
    const shown = () =>
      page.locator(".picture:visible img").evaluateAll((images) => images.map((image) => image.getAttribute("src")))
    for (const scheme of ["dark", "light"]) {
      await page.evaluate((chosen) => {
        document.documentElement.dataset.theme = chosen
      }, scheme)
      expect(await shown()).toEqual([expect.stringContaining(`widget-still-${scheme}`)])
      await page.emulateMedia({ reducedMotion: "no-preference" })
      expect(await shown()).toEqual([expect.stringContaining(`widget-${scheme}`)])
      await page.emulateMedia({ reducedMotion: "reduce" })
    }
  })

  it("the page for unknown addresses links to the front page, and its button opens the search", async () => {
    const page = await open("404.html")
    const main = page.getByRole("main")
    expect(await main.getByRole("link", { name: "front page" }).getAttribute("href")).toBe(site.base)
    await main.getByRole("button", { name: "search the documentation" }).click()
    await page.getByRole("dialog").getByRole("textbox").fill("retry-after")
    await page.getByRole("dialog").getByRole("link", { name: "HTTP interface" }).waitFor()
  })

  it("search works without a server", async () => {
    const page = await open("offline/")
    await page.getByRole("button", { name: "Search" }).click()
    await page.getByRole("dialog").getByRole("textbox").fill("retry-after")
    await page.getByRole("dialog").getByRole("link", { name: "HTTP interface" }).click()
    await page.waitForURL(`${siteOrigin}${site.base}http/**`)
  })
})

/** Whether whatever is wider than its place can be reached by keyboard; scripts see to that, soon after a page changes. */
const canScrollByKeyboard = () =>
  [...document.querySelectorAll<HTMLElement>("pre, table")].every(
    (block) => block.scrollWidth <= block.clientWidth || block.tabIndex === 0
  )
