/** The directory: what is in it, and where its units are. */
import { describe, expect, it } from "vitest"
import { testDirectory } from "../../../widget/test/service/TestDirectory.ts"
import { movedBy } from "../../src/screens/directory/map/place.ts"
import { button, eventually, section, seen } from "../ConsolePage.ts"
import { makeKey } from "../keys/ApiKeys.ts"
import { useShop } from "../ShopScene.ts"
import { neighbours, type Point, pixelsOf, placeOf, points, rows } from "./PlacesPage.ts"

const { openAs, organization, site } = useShop({ granted_level: 2 })
const [here, there] = neighbours()

/** The first house in Ikeja that has a number and a street, as somebody would write its address. */
const houseInIkeja = () => {
  const { attributes, directory } = testDirectory()
  for (let id = 0; id < directory.size; id++) {
    const postcode = directory.postcodeAt(id)
    const { locality_name, recent_address = "" } = postcode.startsWith("LA-11") ? attributes(id) : {}
    const isHouse = directory.isActive(id) && /^\d+ [A-Z]/.test(recent_address)
    if (isHouse) return { postcode, text: `${recent_address}, ${locality_name}, Ikeja` }
  }
  throw new Error("no house in Ikeja has a number")
}

describe("the directory", () => {
  it("shows its version and size to every signed-in account", async () => {
    const page = await openAs("billing", "/directory")
    const part = page.getByRole("region", { name: "Current data" })
    await seen(part).toMatch(/demo-20000-1.*Active units19,608.*Retired units392.*States37/)
    expect(await page.getByRole("link", { name: "Documentation" }).getAttribute("href")).toBe("/v1/docs")
  })

  it("shows operators what the last imports did, and the command that reverts the last one", async () => {
    const { note } = site()
    const counts = { added: 12, moved: 0, retired: 3, reactivated: 0, removed: 0 }
    const first = { version: "2026-1", date: "2026-01-31", units: 19_989, active_units: 19_599 }
    await note("directory.imported", "1", { ...first, ...counts })
    const onlyOne = section(await openAs("operator", "/directory"), "Imports")
    await seen(onlyOne).toMatch(/Import of 2026-1.*19,599.*12 added, 3 retired.*names no earlier edition/)
    expect(await onlyOne.getByText("of all units removed").count()).toBe(0)
    const fates = { contained: 180, kept: 31, dropped: 1, superseded: 2 }
    const second = { version: "2026-2", date: "2026-06-30", units: 8_761, active_units: 8_377 }
    await note("directory.imported", "2", { ...second, ...counts, removed: 11_240, ...fates })
    const page = await openAs("operator", "/directory")
    await seen(section(page, "Imports")).toMatch(
      /11,240 removed 56 % of all units removed or retired180 in the edition, 31 kept, 1 dropped, 2 replaced by it.*makes 2026-1 current again/
    )
    await seen(section(page, "Imports").getByRole("columnheader").last()).toBe("Your own changes")
    await seen(section(page, "Imports").locator(".copyable")).toMatch(/^postcode directory revert/)
    await note("directory.reverted", "1", { version: "2026-1", left_version: "2026-2" })
    const reverted = section(await openAs("operator", "/directory"), "Imports")
    await seen(reverted).toMatch(/Return from 2026-2 to 2026-1.*makes 2026-2 current again/)
    // On narrow screens, empty cells are not shown.
    expect(await reverted.getByRole("row").nth(1).locator("td:empty").count()).toBe(3)
    const member = await openAs("billing", "/directory")
    await section(member, "Current data").getByText("19,608").waitFor()
    expect(await section(member, "Imports").count()).toBe(0)
  })

  it("is browsed segment by segment, down to the unit", async () => {
    const page = await openAs("billing", "/directory")
    await seen(page.locator("label", { hasText: "part of one" })).toBe("Postcode, part of one, or a place name")
    await page.getByRole("searchbox").fill("lag")
    await button(page, /^LA\s*Lagos$/).click()
    await button(page, /^LA-11\s*Ikeja/).click()
    await button(page, "LA-11-B03").click()
    await button(page, "LA-11-B03-RD").click()
    await seen(page.getByText("LA-11-B03-RD-28", { exact: true })).toBe("LA-11-B03-RD-28")
    await page.goto(`${site().origin}/console/#/directory?q=OG`)
    await eventually(() => page.getByRole("searchbox").inputValue()).toBe("OG")
    await page.getByRole("searchbox").fill("zz")
    await seen(page.getByText("No active unit matches this.")).toMatch(/No active/)
    await page.getByRole("searchbox").fill("LA-11-B03-RD-2B")
    await button(page, "Did you mean LA-11-B03-RD-28?").click()
    await eventually(() => page.getByRole("searchbox").inputValue()).toBe("LA-11-B03-RD-28")
    await seen(page.locator(".codes")).toMatch("LA-11-B03-RD-28")
  })

  it("shows that a unit is retired, and links to its successor", async () => {
    const page = await openAs("billing", "/directory?q=la11b03qd32")
    await seen(page.getByText(/is retired/)).toMatch("LA-11-B03-QD-32 is retired.")
    await button(page, "Show its successor, LA-11-B03-QD-31").click()
    await eventually(() => page.getByRole("searchbox").inputValue()).toBe("LA-11-B03-QD-31")
    await seen(page.locator(".codes")).toMatch("LA-11-B03-QD-31")
    await page.getByRole("searchbox").fill("LA-11-B03-QD-99")
    await seen(page.getByText("No active unit matches this.")).toMatch(/No active/)
    expect(await page.getByText(/is retired/).count()).toBe(0)
  })

  it("shows units on the map at their true distance and direction", async () => {
    const page = await openAs("billing", placeOf(here))
    await eventually(() => rows(page).count()).toBe(20)
    expect(await points(page).count()).toBe(20)
    const center = await pixelsOf(page, 0)
    const postcode = await postcodeAt(there)
    const named = await pixelsOf(page, (await rows(page).allTextContents()).indexOf(postcode))
    const degree = movedBy(here, { east_m: 1, north_m: 1 })
    const east_m = (there.lon - here.lon) / (degree.lon - here.lon)
    const north_m = (there.lat - here.lat) / (degree.lat - here.lat)
    const drawn = Math.atan2(named.x - center.x, center.y - named.y)
    expect(Math.abs(drawn - Math.atan2(east_m, north_m))).toBeLessThan(0.05)
  })

  it("shows an invalid place at its field, and a hint if no unit is near", async () => {
    const page = await openAs("billing", "/directory?tab=place")
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
    await seen(page.getByText(/covers at most 250 m/)).toMatch(/250/)
  })

  it("finds an address: its local government area without a key, its unit with a test key", async () => {
    const { secret } = await makeKey(site(), organization(), { name: "addresses", scopes: ["search"] })
    const page = await openAs("owner", "/directory?tab=address")
    const sent: Array<string | undefined> = []
    page.on("request", async (request) => {
      if (request.url().includes("/v1/search/address")) sent.push((await request.allHeaders()).cookie)
    })
    const { postcode, text } = houseInIkeja()
    await page.getByRole("searchbox").fill(text)
    await button(page, "Find").click()
    const found = section(page, "Search")
    await seen(found).toMatch(/PostcodeLA-11PlaceIkeja, LagosPrecisionLGA/)
    await page.getByLabel("Test key").fill(secret)
    await button(page, "Find").click()
    await seen(found).toMatch(new RegExp(`Postcode${postcode}.*Precisionunit.*Confidence.*High`))
    // A fact without a value is left out.
    expect(await found.getByText("Part of the building").count()).toBe(0)
    await eventually(() => sent).toHaveLength(2)
    expect(sent[1]).toBeUndefined()
    expect(page.url()).not.toMatch(/svc_|Ikeja/i)
    await page.getByRole("searchbox").fill("Surulere")
    await button(page, "Find").click()
    await eventually(() =>
      page
        .getByRole("table", { name: /^Candidates/ })
        .getByRole("rowheader")
        .allTextContents()
    ).toEqual(expect.arrayContaining(["LA-20", "OY-33"]))
    await page.getByLabel("Test key").fill("svc_live_1")
    await seen(page.locator(".error")).toMatch(/live key/)
  })

  const postcodeAt = async ({ lat, lon }: Point): Promise<string> => {
    const response = await fetch(`${site().origin}/v1/search/reverse?lat=${lat}&lng=${lon}`)
    const { data } = (await response.json()) as { readonly data: { readonly unit: { readonly display: string } } }
    return data.unit.display
  }
})
