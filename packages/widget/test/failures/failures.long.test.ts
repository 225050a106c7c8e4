/** Keys that may pay for no more sessions: the picker goes on without them. */
import { describe, expect, it } from "vitest"
import {
  change,
  combobox,
  eventually,
  heard,
  identify,
  options,
  saved,
  seen,
  selectionOf,
  status,
  typeWhole,
  usePickers
} from "../picker/PickerPage.ts"
import { pickerHtml } from "../picker/TestSite.ts"
import type { TestKey } from "../service/Management.ts"

const { open, service, site } = usePickers()

describe("when the key cannot pay for more sessions, the picker works without them:", () => {
  const start = async (identifier: string) => {
    const headers = { "x-api-key": site().key.secret, "content-type": "application/json" }
    const init = { method: "POST", headers, body: JSON.stringify({ identifier }) }
    return (await fetch(`${service().platform}/v1/widget/session`, init)).status
  }
  /** A key of which one session may still be paid. */
  const endings: Readonly<Record<string, () => Promise<TestKey>>> = {
    "429 rate_limit_exceeded": () => service().newKey({ daily_credit_limit: 1, origins: [site().origin] }),
    "402 insufficient_credits": async () => {
      const key = await service().newKey({ environment: "live", origins: [site().origin] })
      await service().grant(key, 1)
      return key
    }
  }

  it.for(Object.entries(endings))("%s before a session", async ([refusal, newKey]) => {
    site().key = await newKey()
    site().body = pickerHtml(site())
    expect(await start("somebody@example.com")).toBe(200)
    const page = await open({ permissions: ["geolocation"], geolocation: { ...service().point, accuracy: 10 } })
    await identify(page)
    await seen(status(page)).toMatch(/^Saved postcodes are not available now/)
    const [code, name] = refusal.split(" ")
    expect(await heard(page)).toEqual([{ status: Number(code), code: name }])
    // A note, not an error, and no way back to what cannot be had.
    expect(await status(page).and(page.locator(".error")).count()).toBe(0)
    expect(await saved(page).count()).toBe(0)
    await combobox(page).fill("lag")
    await options(page).filter({ hasText: "Lagos" }).click()
    await eventually(() => options(page).count()).toBeGreaterThan(3)
    await page.keyboard.press("Escape")
    await page.getByRole("button", { name: "Use my location" }).click()
    await eventually(() => options(page).count()).toBe(1)
    await options(page).first().click()
    await eventually(() => heard(page)).toHaveLength(2)
    expect((await heard(page)).at(-1)).toMatchObject({
      source: "search",
      level: 5,
      names: { state: expect.any(String) }
    })
    expect(service().answers.filter((answer) => answer.startsWith("widget."))).toEqual([
      "widget.session 200",
      `widget.session ${code}`
    ])
  })

  it.for(Object.entries(endings))("%s where a session is to be renewed", async ([refusal, newKey]) => {
    site().key = await newKey()
    site().body = pickerHtml(site())
    const page = await open()
    await identify(page)
    await eventually(() => options(page).count()).toBe(2)
    service().pass_s(901)
    await options(page).first().click()
    const [code, name] = refusal.split(" ")
    await eventually(async () => new Set(await heard(page))).toEqual(
      new Set([selectionOf(service().postcodes[0], "bookmark", "Home"), { status: Number(code), code: name }])
    )
    await seen(status(page)).toMatch(/^Selected: /)
    // The bookmarks are there already, and can still be picked.
    await change(page)
    await saved(page).click()
    await eventually(() => options(page).count()).toBe(2)
    await page.keyboard.press("Escape")
    // That the session cannot be renewed may be reported after the selection.
    await typeWhole(page, (events) => events.findLast((event) => "postcode" in event))
  })
})
