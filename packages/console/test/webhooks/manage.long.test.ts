/** Webhooks: secrets that are shown once, what was sent, and who may do what about it. */
import type { Page } from "playwright-core"
import { beforeEach, expect, it } from "vitest"
import { button, dialog, eventually, seen, title } from "../ConsolePage.ts"
import { everythingIn } from "../Recorder.ts"
import { useShop } from "../ShopScene.ts"

const { openAs, organization, site } = useShop()
let webhook: string

beforeEach(async () => {
  const path = `/organizations/${organization()}/webhooks`
  const { webhooks } = await site().manage<{ readonly webhooks: ReadonlyArray<{ readonly id: string }> }>("GET", path)
  for (const { id } of webhooks) await site().manage("DELETE", `/webhooks/${id}`)
  webhook = (await site().manage<{ readonly id: string }>("POST", path, { url: "https://example.com/hooks" })).id
})

const list = () => `/organizations/${organization()}/webhooks`
const detail = () => `${list()}/${webhook}`
const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText())
const clipboard = { permissions: ["clipboard-read", "clipboard-write"] }

it("an endpoint is added with a secret that is shown once", async () => {
  const page = await openAs("owner", list(), clipboard)
  await button(page, "Add a webhook").click()
  await dialog(page).getByLabel("Address").fill("http://example.com/hooks")
  await button(dialog(page), "Add").click()
  await seen(dialog(page).locator(".error")).toMatch(/https:\/\//)
  await dialog(page).getByLabel("Address").fill("https://example.com/more")
  await dialog(page).getByLabel("Description").fill("Finance")
  await button(dialog(page), "Add").click()
  await button(page, "Copy the secret").waitFor()
  const [asked] = await Promise.all([page.waitForEvent("dialog"), page.close({ runBeforeUnload: true })])
  expect(asked.type()).toBe("beforeunload")
  await asked.dismiss()
  await button(page, "Copy the secret").click()
  const secret = await copied(page)
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(await everythingIn(page)).toContain(secret)
  await button(page, "Copy the example").click()
  expect(await copied(page)).toMatch(/new Webhook\(process\.env\.WEBHOOK_SECRET\)/)
  await button(dialog(page), "I have stored it").click()
  await seen(page.getByRole("row").filter({ hasText: "Finance" })).toMatch(/https:\/\/example\.com\/more/)
  expect(await everythingIn(page)).not.toContain(secret)
  await page.reload()
  await page.getByText("Finance").waitFor()
  expect(await everythingIn(page)).not.toContain(secret)
})

it("a secret is replaced by one that is shown once, and the previous one signs as well", async () => {
  const page = await openAs("owner", detail(), clipboard)
  await button(page, "Rotate secret").click()
  await button(dialog(page), "Create a new secret").click()
  await button(page, "Copy the secret").click()
  const secret = await copied(page)
  await seen(dialog(page)).toMatch(/both secrets sign/)
  await button(dialog(page), "I have stored it").click()
  await seen(page.getByRole("main")).toMatch(/The old secret also signsuntil tomorrow/)
  expect(await everythingIn(page)).not.toContain(secret)
})

it("a secret needs a confirmation to be closed without a copy, and Escape does not close it", async () => {
  const page = await openAs("owner", detail())
  await button(page, "Rotate secret").click()
  await button(dialog(page), "Create a new secret").click()
  await button(dialog(page), "I have stored it").waitFor()
  for (let i = 0; i < 3; i++) await page.keyboard.press("Escape")
  expect(await everythingIn(page)).toMatch(/whsec_/)
  await button(dialog(page), "I have stored it").click()
  await seen(dialog(page).getByRole("alert")).toMatch(/Nothing was copied/)
  await button(dialog(page), "Close without a copy").click()
  await seen(page.getByRole("main")).toMatch(/The old secret also signs/)
  expect(await everythingIn(page)).not.toMatch(/whsec_/)
})

it("a test event is sent, and a failed delivery is sent again", async () => {
  const page = await openAs("owner", detail())
  await seen(page.getByRole("main")).toMatch(/No deliveries yet/)
  await button(page, "Send a test").click()
  const row = page.getByRole("row").filter({ hasText: "webhook.test" })
  await seen(row).toMatch(/Pending/)
  site().answers.length = 0
  await button(row, /^Send now/).click()
  await eventually(() => site().answers.join()).toMatch(/POST \/v1\/admin\/webhook-deliveries\/\w+\/retry 200/)
})

it("a delivery has the status that the service reports", async () => {
  const delivery = {
    event: "credits.low",
    created_at: new Date().toISOString(),
    last_attempt_at: new Date().toISOString()
  }
  const deliveries = [
    { ...delivery, id: "dlv_2", event_id: "msg_2", status: "failed", attempts: 9, fault: "the connection was refused" },
    { ...delivery, id: "dlv_1", event_id: "msg_1", status: "delivered", attempts: 1, last_status: 204 }
  ]
  site().meanwhile = (_, { pathname }) =>
    pathname.endsWith("/deliveries") ? Response.json({ data: { deliveries, next_cursor: null } }) : undefined
  const page = await openAs("owner", detail())
  await seen(page.getByRole("row").filter({ hasText: "msg_2" })).toMatch(/Failed9 attemptsthe connection was refused/)
  await seen(page.getByRole("row").filter({ hasText: "msg_1" })).toMatch(/Delivered1 attemptStatus 204/)
  expect(await button(page, /^Send now/).allTextContents()).toEqual(["Send now"])
})

it("a removed endpoint is not listed, and its page reports that", async () => {
  const page = await openAs("owner", detail())
  await button(page, "Remove").click()
  await button(dialog(page), "Remove webhook").click()
  await seen(title(page)).toBe("Webhooks")
  await seen(page.getByRole("main")).toMatch(/No endpoints yet/)
  await page.goBack()
  await seen(page.getByRole("main")).toMatch(/Not found/)
})

it("billing sees only the hosts of endpoints, and no button that changes them", async () => {
  const page = await openAs("billing", list())
  await page.getByRole("link", { name: "example.com", exact: true }).waitFor()
  expect(await everythingIn(page)).not.toContain("https://example.com/hooks")
  await page.getByRole("link", { name: "example.com", exact: true }).click()
  await seen(title(page)).toBe("example.com")
  await seen(page.getByRole("main")).toMatch(/No deliveries yet/)
  const buttons = page.getByRole("main").getByRole("button")
  expect(await buttons.evaluateAll((all) => all.map((one) => one.ariaLabel ?? one.textContent))).toEqual(["Refresh"])
  expect(await everythingIn(page)).not.toContain("https://example.com/hooks")
})
