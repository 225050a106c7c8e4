/**
 * Pictures of the main pages of the site, at 360 and 1,280 pixels, in light and dark, for people to look at:
 *
 *     node --conditions=@postcode/source site/test/screenshots.ts FOLDER [PATTERN OF NAMES]
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { launchBrowser } from "../../packages/widget/test/Browser.ts"
import { buildSite, serveSite, siteOrigin } from "./BuiltSite.ts"

const [, , folder, part = ""] = process.argv
if (folder === undefined) throw new Error("usage: screenshots.ts FOLDER [PATTERN OF NAMES]")

interface Picture {
  readonly name: string
  /** A page of the site. */
  readonly path: string
  readonly act?: (page: Page) => Promise<unknown>
  /** All of it, not only what a window shows at first. */
  readonly whole?: boolean
}

const search = async (page: Page) => {
  await page.getByRole("button", { name: "Search" }).click()
  await page.getByRole("dialog").getByRole("textbox").fill("idempotency")
  await page.locator(".pagefind-ui__result").first().waitFor()
}

const pictures: ReadonlyArray<Picture> = [
  { name: "01-front", path: "", whole: true },
  { name: "02-start", path: "start/", whole: true },
  { name: "03-guide", path: "offline/", whole: true },
  { name: "04-http", path: "http/lookup/" },
  { name: "05-errors", path: "reference/errors/" },
  { name: "06-decision", path: "adr/0016-snapshot/", whole: true },
  { name: "07-benchmarks", path: "bench/", whole: true },
  { name: "08-architecture", path: "architecture/", whole: true },
  { name: "09-contents", path: "contents/", whole: true },
  { name: "10-search", path: "offline/", act: search },
  {
    name: "11-navigation",
    path: "offline/",
    act: async (page) => {
      if (page.viewportSize()?.width === 360) await page.getByRole("button", { name: "Menu" }).click()
    }
  },
  { name: "12-not-found", path: "404.html" }
]

const site = { folder: await mkdtemp(join(tmpdir(), "site-")), base: "/postcode/" }
await buildSite(site)
await mkdir(folder, { recursive: true })
const browser = await launchBrowser()
for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [360, 1280]) {
    const context = await browser.newContext({ colorScheme, viewport: { width, height: width === 360 ? 740 : 800 } })
    await serveSite(context, site)
    for (const { act, name, path, whole = false } of pictures.filter(({ name }) => new RegExp(part).test(name))) {
      const page = await context.newPage()
      await page.goto(`${siteOrigin}${site.base}${path}`)
      await act?.(page)
      await page.screenshot({ path: join(folder, `${name}-${width}-${colorScheme}.png`), fullPage: whole })
      await page.close()
    }
    await context.close()
  }
}
await browser.close()
await rm(site.folder, { recursive: true })
