/** The screen of credits. */
import { readFile } from "node:fs/promises"
import type { Page } from "playwright-core"
import { beforeAll } from "vitest"
import { button } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"
import { type Keys, sendTraffic } from "../usage/traffic.ts"

/** A shop whose keys have traffic of two days, and the place of its credits. */
export const useCredits = () => {
  const shop = useShop({ granted_level: 3 })
  let keys: Keys
  beforeAll(async () => {
    keys = await sendTraffic(shop.site(), shop.organization(), 2)
  })
  return { ...shop, keys: () => keys, place: () => `/organizations/${shop.organization()}/credits` }
}

export const account = (page: Page, name: "Live" | "Test") => page.getByRole("region", { name, exact: true })
export const ledger = (page: Page) => page.getByRole("table", { name: "Ledger" }).getByRole("rowheader")
/** The lines of the file that a screen gives. */
export const csvOf = async (page: Page): Promise<ReadonlyArray<string>> => {
  const [download] = await Promise.all([page.waitForEvent("download"), button(page, "CSV").click()])
  return (await readFile(await download.path(), "utf8")).trimEnd().split("\r\n")
}
