/** Selections of the widget, counted. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { beforeAll, describe, expect, it } from "vitest"
import { button, eventually, seen } from "../ConsolePage.ts"
import { makeKey } from "../keys/ApiKeys.ts"
import { useShop } from "../ShopScene.ts"

const { openAs, organization, site } = useShop()

beforeAll(async () => {
  const { secret } = await makeKey(site(), organization(), { name: "widget", kind: "publishable", max_level: 1 })
  const post = async (path: string, body: object, headers: object) => {
    const response = await fetch(site().origin + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
    expect(response.status).toBe(200)
    return (await response.json()) as { readonly data: { readonly token: string } }
  }
  const { token } = (await post("/v1/widget/session", {}, { "x-api-key": secret })).data
  const picked = [
    ["LA-11-B03-PD-01", "search", 7],
    ["LA-11-B03-PD-02", "bookmark", 5],
    ["KN-03-B02-AA-01", "search", 4],
    ["OY-33-A01-AA-01", undefined, 5]
  ] as const
  for (const [postcode, source, count] of picked) {
    for (let left = count; left > 0; left--) {
      await post("/v1/widget/selected", { postcode, source }, { authorization: `Bearer ${token}` })
    }
  }
})

const place = () => `/organizations/${organization()}/selections`
const rows = async (page: Page, name: string) => {
  const found = await page.getByRole("table", { name }).locator("tbody tr").allInnerTexts()
  return found.map((text) => text.split(/\t/))
}

describe("selections", () => {
  it("are shown by LGA and by day, without rows of fewer than five selections", async () => {
    const page = await openAs("billing", place())
    await eventually(() => rows(page, "Selections by local government area")).toEqual([
      ["Ikeja (LA-11)", "7", "5", "0", "0", "12"],
      ["Surulere (OY-33)", "0", "0", "0", "5", "5"]
    ])
    expect(await rows(page, "Selections by day")).toEqual([[expect.any(String), "7", "5", "0", "5", "17"]])
  })

  it("are exported as a file", async () => {
    const page = await openAs("owner", place())
    await seen(page.getByRole("table", { name: "Selections by day" })).toMatch(/17/)
    const [download] = await Promise.all([page.waitForEvent("download"), button(page, "CSV").click()])
    const [head, ...lines] = (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")
    expect(head).toBe("date,lga,lga_name,source,selections")
    expect(lines.map((line) => line.slice("2026-01-31,".length))).toEqual([
      "LA-11,Ikeja,bookmark,5",
      "LA-11,Ikeja,search,7",
      "OY-33,Surulere,,5"
    ])
  })

  it("are empty in live, with a reason", async () => {
    const page = await openAs("billing", `${place()}?environment=live`)
    await page.getByRole("heading", { name: "Selections" }).waitFor()
    await page.getByLabel("Days").selectOption("own")
    await page.getByLabel("Last day").fill("2026-01-02")
    await page.getByLabel("First day").fill("2026-01-01")
    await seen(page.getByText(/On no day did an LGA/)).toMatch(/five selections/)
  })
})
