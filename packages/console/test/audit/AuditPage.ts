/** The audit log on its screen, and an organization to which several things have happened. */
import type { Page } from "playwright-core"
import type { ConsoleSite } from "../ConsoleSite.ts"
import { makeKey } from "../keys/ApiKeys.ts"

/** A key made and revoked, credits granted, a level and the verification set. Answers the key's id. */
export const letThingsHappen = async (site: ConsoleSite, organization: string): Promise<string> => {
  const { id } = await makeKey(site, organization, { name: "checkout", max_level: 1 })
  await site.manage("POST", `/organizations/${organization}/credits`, {
    environment: "live",
    amount: 1200,
    reference: "INV-7"
  })
  await site.manage("PATCH", `/organizations/${organization}`, {
    granted_level: 2,
    kyb_status: "verified",
    review_note: "seen"
  })
  await site.manage("DELETE", `/keys/${id}`)
  return id
}

export const sentences = (page: Page) => page.getByRole("table", { name: "Events" }).getByRole("rowheader")
export const texts = (page: Page) => sentences(page).allTextContents()
