/** A workbook with names of its own and bad rows, and GeoJSON, from the console to a service on PostgreSQL. */
import { readFile } from "node:fs/promises"
import { join as joinPath } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, it } from "vitest"
import { temporaryFolder } from "../../../../drills/kit/TemporaryFolder.ts"
import { type WrittenCell, writeWorkbook } from "../../../server/src/workbook/writeWorkbook.ts"
import { sharedBrowser } from "../../../widget/test/Browser.ts"
import { button, section, seen } from "../ConsolePage.ts"
import { byMouse } from "../Hands.ts"
import { type ServedConsole, serveConsole } from "../journey/ServedConsole.ts"
import { isAt, join } from "../journey/Walk.ts"
import { type File, placesFile, unitsFile } from "./ImportFiles.ts"

let served: ServedConsole
let page: Page

beforeAll(async () => {
  const [started, browser] = await Promise.all([serveConsole("postgres"), sharedBrowser()])
  served = started
  page = await browser.newPage()
})
afterAll(async () => {
  await page?.close()
  await served?.[Symbol.asyncDispose]()
})

/** The postcode, the location, the status and the address of 5,000 units. */
const units = unitsFile.buffer
  .toString()
  .split("\n")
  .slice(1, 5_001)
  .map((line) => line.split(","))
  .map(([postcode = "", lat = "", lon = "", status = "", town = ""]) => ({ postcode, lat, lon, status, town }))

/** As somebody keeps it: names of its own, codes with blanks, words for the status, five rows that are no units, ten at 0,0. */
const workbook = async (): Promise<File> => {
  await using folder = await temporaryFolder()
  const path = joinPath(folder.path, "Register of units.xlsx")
  async function* rows(): AsyncGenerator<ReadonlyArray<WrittenCell>> {
    yield ["Register of units, June"]
    yield []
    yield ["Unit ref", "Town", "Latitude", "Longitude", "State of use"]
    for (const [at, { lat, lon, postcode, status, town }] of units.entries()) {
      const isLost = at % 500 === 7
      yield [
        at % 1_000 === 3 ? "to be numbered" : postcode.replaceAll("-", " ").toLowerCase(),
        town,
        isLost ? 0 : Number(lat),
        isLost ? 0 : Number(lon),
        status === "active" ? "Yes" : "No"
      ]
    }
  }
  await writeWorkbook(rows(), path, AbortSignal.timeout(60_000))
  const mimeType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
  return { name: "Register of units.xlsx", mimeType, buffer: await readFile(path) }
}

const geoJson = (): File => {
  const features = units.map(({ lat, lon, postcode, status, town }) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [Number(lon), Number(lat)] },
    properties: { postcode, status, locality_name: town }
  }))
  const text = JSON.stringify({ type: "FeatureCollection", features })
  return { name: "units.geojson", mimeType: "application/geo+json", buffer: Buffer.from(text) }
}

const upload = async (file: File): Promise<void> => {
  await page.goto(`${served.origin}/console/#/directory/import`)
  await page.getByLabel("Places").setInputFiles(placesFile)
  await page.getByLabel("Units", { exact: true }).setInputFiles(file)
  await button(page, "Upload and check").click()
}

/** Permits what would be removed, as it is asked for. */
const importAs = async (name: string): Promise<void> => {
  const permit = page.getByLabel(/^Type [\d,]+ to permit this/)
  if (await permit.count()) {
    const text = (await page.locator("label", { hasText: "to permit this" }).textContent()) ?? ""
    await permit.fill(/[\d,]+/.exec(text)?.[0] ?? "")
  }
  await page.getByLabel("Name of the edition").fill(name)
  await button(page, "Import").click()
  await seen(section(page, "Imported")).toMatch(new RegExp(`${name} is current`))
}

/** The number of units that the service has. */
const total = async (): Promise<number> => {
  const found = await served.manage<Record<"active_units" | "retired_units", number>>("GET", "/directory")
  return found.active_units + found.retired_units
}

const reading = () => section(page, "How the files are read")

it("the first operator joins by the printed link", async () => {
  await page.goto(served.claimLink)
  await isAt(page, "Join as operator")
  await join(byMouse(page), "Ngozi Eze", true)
  await button(page, "Create account").click()
  await isAt(page, "Organizations")
})

it("a workbook of one sheet is mapped, checked and imported, without its bad rows", async () => {
  await upload(await workbook())
  await seen(section(page, "Bad rows")).toMatch(/Register of units.xlsx, line \d+.*no column postcode/)
  await page.getByLabel("postcode", { exact: false }).first().selectOption("Unit ref")
  await page.getByLabel("status", { exact: false }).first().selectOption("State of use")
  await button(page, "Check again").click()
  await seen(reading()).toMatch(/Units4,995, of which 4,\d{3} are active/)
  await seen(section(page, "Bad rows")).toMatch(/5 rows cannot be read.*line 7.*postcode/)
  await seen(section(page, "Warnings")).toMatch(/latitude 0 and longitude 0.*10/i)
  await page.getByLabel(/Leave out 5 bad rows/).check()
  await importAs("workbook")
  expect(await total()).toBe(4_995)
  await button(page, "Import other files").click()
})

it("GeoJSON points are checked and imported", async () => {
  await upload(geoJson())
  await seen(reading()).toMatch(/Units5,000/)
  expect(await section(page, "Bad rows").count()).toBe(0)
  await importAs("points")
  expect(await total()).toBe(5_000)
})
