/** What axe says of the homes of organizations and of operators. */
import { describe, it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { eventually, seen, useConsole } from "../ConsolePage.ts"
import { makeKey } from "../keys/ApiKeys.ts"

const { openAs, site } = useConsole()
const options = { withAxe: true } as const

describe("axe has nothing to complain about:", () => {
  it("the home of an organization", async () => {
    const { manage, newOrganization, newPerson } = site()
    const organization = await newOrganization("Shop")
    const place = `/organizations/${organization}`
    const page = await openAs(await newPerson("Ada Obi", "owner", organization), place, options)
    const steps = page.getByRole("region", { name: "Setup" }).getByRole("listitem")
    await eventually(() => steps.count()).toBe(6)
    await expectNothing(page, "a new organization")
    await manage("PATCH", place, { granted_level: 2, kyb_status: "verified", review_note: "ok" })
    const { secret } = await makeKey(site(), organization, { name: "till" })
    await fetch(`${site().origin}/v1/lookup?code=AB-01-C04-RF-01&level=2`, { headers: { "x-api-key": secret } })
    await makeKey(site(), organization, { name: "till", environment: "live" })
    await manage("POST", `${place}/credits`, { environment: "live", amount: 5_000, reference: "INV-1" })
    await manage("PUT", `${place}/credits/threshold`, { environment: "live", threshold: 6_000 })
    await page.reload()
    await seen(page.getByRole("region", { name: "Live", exact: true })).toMatch(/^Live5,000 creditsLow/)
    await eventually(() => steps.count()).toBe(0)
    await expectNothing(page, "an organization in service")
  })

  it("the home of operators", async () => {
    const { manage, newOrganization, newPerson } = site()
    const place = `/organizations/${await newOrganization("Delta Water")}`
    await manage("POST", `${place}/kyb`, { business_name: "Shop Ltd", registration_number: "RC 1" })
    await manage("POST", `${place}/access-requests`, { level: 3, reason: "deliveries" })
    const page = await openAs(await newPerson("Ngozi Eze", "operator"), "/instance", options)
    await seen(page.getByRole("region", { name: "Businesses to verify" })).toMatch(/verify1 waiting/)
    await seen(page.getByRole("region", { name: "Directory" })).toMatch(/Versiondemo-20000/)
    await expectNothing(page, "the home of operators")
  })
})
