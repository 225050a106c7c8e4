/** Accounts in a real browser: what it does with the cookie, with passkeys, and with pages of others. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { type Service, serveSmallDirectory } from "@postcode/drills/StartCommand"
import type { BrowserContext, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { sharedBrowser } from "../../../widget/test/Browser.ts"

const password = "harmattan over kano"

/** What a page of the console would do. */
const script = `
  const send = (path, body) =>
    fetch("/v1/admin/account" + path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body)
    })
  const post = async (path, body) => (await send(path, body)).status
  const optionsOf = async (answer) => (await answer.json()).data.options
  const makeAndUse = async (present_password) => {
    const start = await optionsOf(await send("/passkey-start", { present_password }))
    const creation = PublicKeyCredential.parseCreationOptionsFromJSON(start)
    const made = await navigator.credentials.create({ publicKey: creation })
    const added = await post("/passkeys", { name: "Virtual", credential: made.toJSON() })
    const out = await post("/sign-out", {})
    const challenge = await optionsOf(await send("/passkey-challenge", {}))
    const request = PublicKeyCredential.parseRequestOptionsFromJSON(challenge)
    const used = await navigator.credentials.get({ publicKey: request })
    return [added, out, await post("/passkey-sign-in", { credential: used.toJSON() })]
  }
  Object.assign(globalThis, { post, makeAndUse })
`

/** Values as they stand in a script, between the brackets of a call. */
const args = (...values: ReadonlyArray<unknown>): string => values.map((value) => JSON.stringify(value)).join(", ")

describe("in Chromium", () => {
  let service: Service
  let elsewhere: Server
  let context: BrowserContext
  let page: Page
  const own = (host: string) => `http://${host}:${new URL(service.url).port}`
  /** A page that may ask its own service: what is data may not, not even where a browser shows it. */
  const ownPage = (host: string) => `${own(host)}/v1/docs`
  const other = () => `http://localhost:${(elsewhere.address() as AddressInfo).port}/`

  beforeAll(async () => {
    service = await serveSmallDirectory(["--host", "0.0.0.0"])
    elsewhere = createServer((_, response) => response.end("<p>another site</p>"))
    await new Promise<void>((resolve) => elsewhere.listen(0, resolve))
    context = await (await sharedBrowser()).newContext()
    page = await context.newPage()
    await page.addInitScript(script)
    await page.goto(ownPage("localhost"))
    const token = /#join=(\w+)/.exec(service.stderr())?.[1]
    const person = { email: "ada@people.example", name: "Ada", password }
    expect(await post("/accept", { token, ...person })).toBe(201)
  })
  afterAll(async () => {
    await context.close()
    elsewhere.close()
    await service.stop()
  })

  const post = async (path: string, body: object): Promise<number> => await page.evaluate(`post(${args(path, body)})`)
  const who = async (): Promise<number> =>
    await page.evaluate("fetch('/v1/admin/account').then((answer) => answer.status)")

  it("a session works on http://localhost and on http://127.0.0.1, and no script sees its cookie", async () => {
    for (const host of ["127.0.0.1", "localhost"]) {
      await page.goto(ownPage(host))
      expect(await post("/sign-in", { email: "ada@people.example", password })).toBe(200)
      expect(await who(), host).toBe(200)
      expect(await page.evaluate("document.cookie")).toBe("")
    }
  })

  it("a passkey is created and used with the browser's virtual authenticator", async () => {
    const devtools = await context.newCDPSession(page)
    await devtools.send("WebAuthn.enable")
    const device = {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true
    } as const
    await devtools.send("WebAuthn.addVirtualAuthenticator", {
      options: { ...device, isUserVerified: true, automaticPresenceSimulation: true }
    })
    const statuses = await page.evaluate(`makeAndUse(${args(password)})`)
    expect(statuses).toEqual([201, 200, 200])
    expect(await who()).toBe(200)
  })

  it("a page on another port of the same host can neither call the API nor end the session with a form", async () => {
    const target = `${own("localhost")}/v1/admin/account/sign-out-everywhere`
    await page.goto(other())
    const asked = page.evaluate(`fetch(${args(target)}, { method: "POST", credentials: "include" })`)
    await expect(asked).rejects.toThrow("Failed to fetch")
    await page.setContent(`<form method="post" action="${target}"><button>Win</button></form>`)
    const [answer] = await Promise.all([page.waitForNavigation(), page.click("button")])
    expect(answer?.status()).toBe(403)
    await page.goto(ownPage("localhost"))
    expect(await who()).toBe(200)
  })
})
