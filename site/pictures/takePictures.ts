/** The pictures of the documentation, of the running product: the service with its demonstration, and the console. */
import { mkdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Browser, BrowserContextOptions, Page } from "playwright-core"
import { runProcess, type Service, startService } from "../../drills/kit/StartCommand.ts"
import { openConsoleSite, password } from "../../packages/console/test/ConsoleSite.ts"
import { daysEarlier, sendTraffic } from "../../packages/console/test/usage/traffic.ts"
import { launchBrowser } from "../../packages/widget/test/Browser.ts"
import { type Command, drawTerminal } from "./Terminal.ts"
import { encodeAnimation, encodeStill, type Frame } from "./webp.ts"

/** The files by their names. */
type Files = Readonly<Record<string, Buffer | string>>

type Scheme = "dark" | "light"

/** Writes all pictures into a folder. Returns their file names. */
export const takePictures = async (folder: string): Promise<ReadonlyArray<string>> => {
  const [browser, service] = await Promise.all([launchBrowser(), startService(["--session-rate-limit", "1000"])])
  try {
    const encoder = await browser.newPage()
    const files: Record<string, Buffer | string> = { "terminal.svg": await showTerminal(service) }
    for (const scheme of ["light", "dark"] as const) {
      const studio = { browser, encoder, scheme, service }
      for (const take of [filmWidget, showMap, showStreets, showDemonstration, showEmbedded, showConsole]) {
        Object.assign(files, await take(studio))
      }
    }
    await mkdir(folder, { recursive: true })
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content)
    return Object.keys(files)
  } finally {
    await Promise.all([browser.close(), service.stop()])
  }
}

interface Studio {
  readonly browser: Browser
  /** A blank page, which encodes pictures. */
  readonly encoder: Page
  readonly scheme: Scheme
  readonly service: Service
}

/** A unit of the demonstration with addresses around it. */
const shop = { address: "12 allen av", code: "LA-11-B03-QD-10" }

/** The field of the demonstration's checkout, from the first key to the filled form. */
const filmWidget = async (studio: Studio): Promise<Files> => {
  const page = await openDemonstration(studio, { width: 520, height: 900 })
  const clip = await areaOf(page, ".where", ".pair")
  const frames: Array<Frame> = []
  const shoot = async (duration_ms: number) => {
    frames.push({ screenshot: await page.screenshot({ clip }), duration_ms })
  }
  const [field, option] = [combobox(page), page.getByRole("option").filter({ hasText: "12 Allen Avenue" }).first()]
  await field.focus()
  await shoot(1_000)
  for (const key of shop.address) {
    await page.keyboard.type(key)
    await shoot(110)
  }
  await option.waitFor()
  await shoot(1_800)
  const suggestions = frames.length - 1
  await page.keyboard.press("ArrowDown")
  await shoot(700)
  await page.keyboard.press("Enter")
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#lga")?.value !== "")
  await page.keyboard.press("Escape")
  await shoot(4_000)
  return {
    [`widget-${studio.scheme}.webp`]: await encodeAnimation(studio.encoder, frames),
    [`widget-still-${studio.scheme}.webp`]: await encodeStill(
      studio.encoder,
      frames[suggestions]?.screenshot ?? Buffer.alloc(0)
    )
  }
}

/** The map of the surroundings, with a key that is served the points of units. */
const showMap = async (studio: Studio): Promise<Files> => {
  const { service } = studio
  const secret = await makeMapKey(service)
  const page = await openDemonstration(studio, { width: 520, height: 1_300 })
  await page.locator("#where").evaluate((picker, secret) => {
    picker.setAttribute("publishable-key", secret)
    picker.setAttribute("map-style", "")
  }, secret)
  await page.getByRole("button", { name: "Use my location" }).first().click()
  await page.locator("[part~=unit]").first().waitFor()
  return await still(studio, "discover", page, await areaOf(page, ".where", "#where [part=close]"))
}

/** The same map with streets: those of the demonstration. */
const showStreets = async (studio: Studio): Promise<Files> => {
  const page = await openDemonstration(studio, { width: 520, height: 1_300 })
  await page.getByRole("button", { name: "Use my location" }).first().click()
  await page.locator("[part~=unit]").first().waitFor()
  await page.locator("[part=streets].shown").waitFor({ timeout: 60_000 })
  // All tiles, and their names.
  await page.waitForLoadState("networkidle")
  await page.waitForTimeout(1_000)
  return await still(studio, "streets", page, await areaOf(page, ".where", "#where [part=close]"))
}

/** The demonstration page with an order. */
const showDemonstration = async (studio: Studio): Promise<Files> => {
  const page = await openDemonstration(studio, { width: 1_120, height: 1_000 })
  await page.getByLabel("Name").first().fill("Amaka Obi")
  await combobox(page).fill(shop.address)
  await page.getByRole("option").filter({ hasText: "12 Allen Avenue" }).first().click()
  await page.waitForFunction(() => document.querySelector<HTMLInputElement>("#lga")?.value !== "")
  await page.getByRole("button", { name: "Place order" }).click()
  await page.getByText("Order placed").waitFor()
  await page.locator("#map circle").first().waitFor()
  return await still(studio, "demonstration", page)
}

/** The widget as a page for apps. */
const showEmbedded = async (studio: Studio): Promise<Files> => {
  const { key } = (await (await fetch(`${studio.service.url}/demo/settings.json`)).json()) as { readonly key: string }
  const page = await openPage(studio, { width: 390, height: 280 })
  await page.goto(`${studio.service.url}/v1/widget/embed#${new URLSearchParams({ "publishable-key": key })}`)
  await combobox(page, "postcode-picker").pressSequentially(shop.address)
  await page.getByRole("option").filter({ hasText: "12 Allen Avenue" }).first().waitFor()
  return await still(studio, "embed", page)
}

/** The home of an organization with requests of 40 days. */
const showConsole = async (studio: Studio): Promise<Files> => {
  const site = await openConsoleSite()
  try {
    const { organization, owner } = await daysEarlier(site, 41, async () => {
      const organization = await site.newOrganization("Harmattan Logistics")
      const review = { granted_level: 3, kyb_status: "verified", review_note: "papers seen" }
      await site.manage("PATCH", `/organizations/${organization}`, review)
      return { organization, owner: await site.newPerson("Ada Obi", "owner", organization) }
    })
    await sendTraffic(site, organization, 40, 6)
    const credits = { environment: "live", amount: 5_000, reference: "INV-2026-118" }
    await site.manage("POST", `/organizations/${organization}/credits`, credits)
    // It has about 160 credits left, which are a week's.
    await site.manage("PUT", `/organizations/${organization}/credits/threshold`, {
      environment: "test",
      threshold: 200
    })
    const page = await openPage(studio, { width: 1_120, height: 1_000 })
    await page.goto(`${site.origin}/console/#/organizations/${organization}`)
    await page.getByLabel("Email").fill(owner.email)
    await page.getByLabel("Password").fill(password)
    await page.getByRole("button", { name: "Sign in" }).first().click()
    await page.getByRole("heading", { level: 1, name: "Harmattan Logistics" }).waitFor()
    await page.waitForLoadState("networkidle")
    return await still(studio, "console", page)
  } finally {
    await site.close()
  }
}

/** What the command prints. It reads the demonstration anew at the first call, and says so. */
const showTerminal = async (service: Service): Promise<string> => {
  const env = { FORCE_COLOR: "1", POSTCODE_URL: service.url, POSTCODE_KEY: service.shown("test key") }
  await runProcess(["find", "Ikeja"], { env })
  const commands: Array<Command> = []
  for (const args of [
    ["find", shop.address, "ikeja"],
    ["lookup", shop.code, "--level", "4"]
  ]) {
    const { stderr, stdout } = await runProcess(args, { env })
    commands.push({ command: ["postcode", ...args].join(" "), output: stdout + stderr })
  }
  const title = `A terminal. "postcode find" returns the postcode ${shop.code} of an address, "postcode lookup" its details.`
  return drawTerminal(title, commands)
}

const openPage = async (
  { browser, scheme }: Studio,
  viewport: { readonly width: number; readonly height: number },
  options: BrowserContextOptions = {}
): Promise<Page> => {
  const looks = { colorScheme: scheme, deviceScaleFactor: 2, reducedMotion: "reduce" } as const
  return await (await browser.newContext({ ...looks, viewport, ...options })).newPage()
}

const openDemonstration = async (
  studio: Studio,
  viewport: { readonly width: number; readonly height: number }
): Promise<Page> => {
  const { service } = studio
  const geolocation = { ...(await placeOf(service, shop.code)), accuracy: 20 }
  const page = await openPage(studio, viewport, { permissions: ["geolocation"], geolocation })
  await page.goto(service.url)
  await combobox(page).waitFor()
  return page
}

const placeOf = async ({ shown, url }: Service, code: string) => {
  const headers = { "x-api-key": shown("test key") }
  const { data } = await answerOf<{
    readonly data: { readonly point_geometry: { readonly coordinates: [number, number] } }
  }>(fetch(`${url}/v1/lookup?code=${code}&level=5`, { headers }))
  const [longitude, latitude] = data.point_geometry.coordinates
  return { latitude, longitude }
}

/** A publishable key of level 5, as the points on the map need. */
const makeMapKey = async ({ shown, stderr, url }: Service): Promise<string> => {
  const [organization = ""] = /org_\w+/.exec(stderr()) ?? []
  const headers = { authorization: `Bearer ${shown("operator")}`, "content-type": "application/json" }
  const kind = { kind: "publishable", environment: "test", scopes: ["search"], max_level: 5 }
  const body = JSON.stringify({ ...kind, name: "map", origins: [url] })
  const { data } = await answerOf<{ readonly data: { readonly secret: string } }>(
    fetch(`${url}/v1/admin/organizations/${organization}/keys`, { method: "POST", headers, body })
  )
  return data.secret
}

const answerOf = async <A>(answering: Promise<Response>): Promise<A> => {
  const response = await answering
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`)
  return (await response.json()) as A
}

const combobox = (page: Page, picker = "#where") => page.locator(picker).getByRole("combobox")

/** The elements with some space around them. */
const areaOf = async (page: Page, ...selectors: ReadonlyArray<string>) => {
  const boxes = await Promise.all(selectors.map((selector) => page.locator(selector).first().boundingBox()))
  const [first, last] = [boxes.at(0), boxes.at(-1)]
  if (!first || !last) throw new Error(`${selectors.join(", ")} are not shown`)
  const space = 16
  const { width, x, y } = first
  return { x: x - space, y: y - space, width: width + 2 * space, height: last.y + last.height - y + 2 * space }
}

const still = async (
  { encoder, scheme }: Studio,
  name: string,
  page: Page,
  clip?: Awaited<ReturnType<typeof areaOf>>
): Promise<Files> => {
  const screenshot = await page.screenshot(clip === undefined ? {} : { clip })
  await page.context().close()
  return { [`${name}-${scheme}.webp`]: await encodeStill(encoder, screenshot) }
}
