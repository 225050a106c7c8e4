/** Requests that are tried from the console: each operation as it stands, and what axe says of an answer. */
import type { Page } from "playwright-core"
import { describe, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { button, eventually, seen } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"

const { openAs, organization } = useShop({ granted_level: 4 })

const place = () => `/organizations/${organization()}/try`
const code = (page: Page) => page.getByLabel("Postcode")
const answer = (page: Page) => page.getByRole("region", { name: "Response", exact: true })

describe("a request that is tried", () => {
  it("has parameters that work as they stand", async () => {
    const page = await openAs("owner", place())
    await eventually(() => code(page).inputValue()).toMatch(/^AB/)
    for (const [operation, body] of [
      ["autocomplete", /"segment": "(lga|district)"/],
      ["reverse", /"radius_m": 250/],
      ["nearby", /"distance_m"/],
      ["assemble", /"compact": "AB01/],
      ["disassemble", /"state": "AB"/]
    ] as const) {
      await page.getByLabel("Endpoint").selectOption(operation)
      await eventually(() => answer(page).count()).toBe(0)
      await button(page, "Send").click()
      await seen(answer(page)).toMatch(/Status 200/)
      await seen(page.getByRole("region", { name: "Response body" })).toMatch(body)
    }
  })
})

it("axe has nothing to complain about", async () => {
  const page = await openAs("owner", place(), { withAxe: true })
  await button(page, "Create a test key for one hour").click()
  await eventually(() => page.getByRole("textbox", { name: "Key" }).inputValue()).toMatch(/^svc_test_/)
  await page.getByLabel("Level").selectOption("4")
  await eventually(() => code(page).inputValue()).toMatch(/^AB/)
  await button(page, "Send").click()
  await seen(answer(page)).toMatch(/Status 200/)
  await expectNothing(page, "an answer")
})
