/** What axe says of webhooks. */
import { it } from "vitest"
import { expectNothing } from "../Axe.ts"
import { button, dialog } from "../ConsolePage.ts"
import { useShop } from "../ShopScene.ts"

const { openAs, organization, site } = useShop()

it("axe has nothing to complain about", async () => {
  const list = `/organizations/${organization()}/webhooks`
  await site().manage("POST", list, { url: "https://example.com/hooks" })
  const page = await openAs("owner", list, { withAxe: true })
  await page.getByRole("link", { name: "https://example.com/hooks" }).waitFor()
  await expectNothing(page, "webhooks")
  await page.getByRole("link", { name: "https://example.com/hooks" }).click()
  await button(page, "Send a test").click()
  await button(page, /^Send now/).waitFor()
  await expectNothing(page, "a webhook")
  await button(page, "Rotate secret").click()
  await button(dialog(page), "Create a new secret").click()
  await button(page, "Copy the secret").waitFor()
  await expectNothing(page, "its secret")
})
