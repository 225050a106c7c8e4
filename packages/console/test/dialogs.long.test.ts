/** Dialogs: opened and closed by keyboard, and what axe says of them. Other tests ask it of those that they open. */
import { it } from "vitest"
import { expectNothing, wide } from "./Axe.ts"
import { button, dialog, eventually } from "./ConsolePage.ts"
import { makeKey } from "./keys/ApiKeys.ts"
import { useShop } from "./ShopScene.ts"

const { openAs, organization, site } = useShop({ granted_level: 3, kyb_status: "verified", review_note: "papers seen" })

const dialogs = [
  ["owner", "organizations/…", ["Rename"]],
  ["operator", "organizations", ["Create organization"]],
  ["owner", "organizations/…/credits", ["Threshold of live credits"]],
  ["owner", "organizations/…/webhooks", ["Add a webhook"]],
  ["owner", "organizations/…/keys/…", ["Rotate", "Change", "Revoke"]],
  ["operator", "directory/units/LA11B03RD28", ["Move", "Edit attributes", "Retire", "Replace"]]
] as const

it.for(dialogs)(
  "of the %s at %s open, take the focus, return it, and axe has nothing to complain about",
  async ([role, place, names]) => {
    const { id } = await makeKey(site(), organization(), { name: "back office" })
    const path = place.replace("…", organization()).replace("…", id)
    const page = await openAs(role, `/${path}`, { withAxe: true })
    for (const name of names) {
      const opener = button(page, name).first()
      await opener.waitFor()
      await page.setViewportSize(wide)
      await opener.focus()
      await page.keyboard.press("Enter")
      await dialog(page).waitFor()
      await eventually(() => page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true)
      await expectNothing(page, name)
      await page.keyboard.press("Escape")
      await dialog(page).waitFor({ state: "detached" })
      await eventually(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
    }
  }
)
