/** What a selection has with a key of level 5, by the way that led to it: the table of docs/selection.md. */
import { readFileSync } from "node:fs"
import type { Postcode } from "@postcode/core/Postcode"
import type { PostcodeSelection } from "@postcode/core/Selection"
import type { Page } from "playwright-core"
import { describe, expect, it } from "vitest"
import { testDirectory } from "../service/TestDirectory.ts"
import { combobox, eventually, heard, identify, options, usePickers } from "./PickerPage.ts"
import { pickerHtml } from "./TestSite.ts"

const { open, service, site } = usePickers()

/** Where a unit with a known address is. */
const { directory } = testDirectory()
const { lat: latitude, lon: longitude } = directory.coordinateAt(directory.find("LA-11-B03-QD-10" as Postcode))

const ways: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  "types a code": async (page) => {
    await combobox(page).fill(service().postcodes[0])
    await page.keyboard.press("Enter")
  },
  "chooses an address": async (page) => {
    await combobox(page).fill("12 Allen Avenue, Ikeja")
    await options(page).filter({ hasText: "12 Allen Avenue" }).click()
  },
  "chooses on the map": async (page) => {
    await page.getByRole("button", { name: "Use my location" }).click()
    await page.getByRole("button", { name: "Use this postcode" }).click()
  },
  "chooses a bookmark": async (page) => {
    await identify(page)
    await options(page).first().click()
  }
}

const document = readFileSync(new URL("../../../../docs/selection.md", import.meta.url), "utf8")

/** The row of a way in the document. */
const documented = (way: string): ReadonlyArray<string> => {
  const row = document.split("\n").find((line) => line.startsWith(`| ${way} `)) ?? ""
  return row
    .split("|")
    .slice(2, -1)
    .map((cell) => cell.trim())
}

const found = ({ address, label, latitude, names, source }: PostcodeSelection): ReadonlyArray<string> => [
  names.state && names.lga ? "yes" : "no",
  address ? "yes" : label ? "no, a `label` instead" : "no",
  latitude === undefined ? "no" : "yes",
  `\`${source}\``
]

describe("with a key of level 5, a user who", () => {
  it.for(Object.entries(ways))("%s gets what the document says", async ([way, choose]) => {
    site().key = await service().newKey({ origins: [site().origin], max_level: 5 })
    site().body = pickerHtml(site(), "discover")
    const page = await open({ permissions: ["geolocation"], geolocation: { latitude, longitude, accuracy: 20 } })
    await choose(page)
    await eventually(() => heard(page)).toHaveLength(1)
    const [selection] = await heard(page)
    expect(found(selection as PostcodeSelection)).toEqual(documented(way))
  })
})
