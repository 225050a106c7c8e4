/**
 * The way of somebody who runs the service, and of somebody who buys from it, by the console of the real command on both
 * stores: by mouse, and by keyboard alone. Then where the secrets of that way are, and what other sites, forged, used and
 * expired credentials can do.
 */
import { accountAttempts_per_minute } from "@postcode/gateway/accounts/Account"
import type { Browser, BrowserContext, Page } from "playwright-core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { temporaryFolder, writeFiles } from "../../../../drills/kit/TemporaryFolder.ts"
import { axe } from "../../../widget/test/Axe.ts"
import { sharedBrowser } from "../../../widget/test/Browser.ts"
import { expectNothing } from "../Axe.ts"
import { button, dialog, signIn, title, watch } from "../ConsolePage.ts"
import { operatorToken, password } from "../ConsoleSite.ts"
import { byKeyboard, byMouse, type Hands } from "../Hands.ts"
import { makeRecorder } from "../Recorder.ts"
import { curlSettings } from "./Curl.ts"
import { attack, sendForm, startOtherSite } from "./OtherSite.ts"
import { type ServedConsole, type StoreName, serveConsole } from "./ServedConsole.ts"
import { isAt, join, type Look, type Secret, shows, walk } from "./Walk.ts"

const hour_s = 3_600

const ways: ReadonlyArray<[name: string, hands: (page: Page) => Hands]> = [
  ["by mouse", byMouse],
  ["by keyboard alone", byKeyboard]
]
const stores: ReadonlyArray<[store: StoreName, claimedBy: (page: Page) => Hands]> = [
  ["memory", byKeyboard],
  ["postgres", byMouse]
]

describe.each(stores)("the console of a service on %s", (store, claimedBy) => {
  let served: ServedConsole
  let browser: Browser
  let folder: Awaited<ReturnType<typeof temporaryFolder>>
  /** The email of the winner. */
  let operator: string
  const complaints: Array<string> = []
  const recorder = makeRecorder()
  const secrets: Array<Secret> = []
  /** The values of the cookies that there were. */
  const sessions = new Set<string>()

  beforeAll(async () => {
    ;[served, browser, folder] = await Promise.all([serveConsole(store), sharedBrowser(), temporaryFolder()])
    await writeFiles(folder.path, curlSettings)
  })
  afterAll(async () => {
    await served?.[Symbol.asyncDispose]()
    await folder?.[Symbol.asyncDispose]()
  })
  afterEach(() => expect(complaints.splice(0)).toEqual([]))

  let visitors = 0
  /** Each with an address of its own, since sign-in attempts are limited per address and minute. */
  const newContext = async (): Promise<BrowserContext> => {
    const context = await browser.newContext({
      extraHTTPHeaders: { "x-forwarded-for": `192.0.2.${++visitors}` },
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: "reduce"
    })
    await watch(context, served.origin, complaints)
    await context.addInitScript({ content: axe })
    recorder.watch(context)
    return context
  }
  const open = async (context: BrowserContext, link: string): Promise<Page> => {
    const page = await context.newPage()
    await page.goto(link)
    return page
  }
  /** What a page was answered can be read only as long as the page is there. */
  const close = async (context: BrowserContext): Promise<void> => {
    await recorder.unread()
    await context.close()
  }
  const place = (path: string) => `${served.origin}/console/#${path}`
  const signedIn = async (context: BrowserContext): Promise<Page> => {
    const page = await open(context, place("/"))
    await signIn(page, operator)
    await isAt(page, "Organizations")
    return page
  }
  /** What somebody could have changed: organizations, operators, and who is invited. */
  const standing = () =>
    Promise.all(["/organizations", "/operators", "/operators/invitations"].map((path) => served.manage("GET", path)))
  const auditLog = async (): Promise<string> => {
    interface Log {
      readonly next_cursor?: string
    }
    const pages: Array<Log> = []
    do {
      const cursor = pages.at(-1)?.next_cursor
      pages.push(await served.manage<Log>("GET", `/audit?limit=100${cursor === undefined ? "" : `&cursor=${cursor}`}`))
    } while (pages.at(-1)?.next_cursor)
    return JSON.stringify(pages)
  }

  it("is claimed by the printed link: of two claims at the same time one succeeds, and then the link is invalid", async () => {
    const contexts = [await newContext(), await newContext()]
    const pages = await Promise.all(contexts.map((context) => open(context, served.claimLink)))
    for (const [i, page] of pages.entries()) {
      await isAt(page, "Join as operator")
      await join(claimedBy(page), `Operator ${i}`, true)
    }
    await Promise.all(pages.map((page) => claimedBy(page).press("Create account")))
    const refused = pages.map((page) => page.getByRole("alert").filter({ hasText: "is not valid" }))
    const outcome = async () => [
      await Promise.all(pages.map(async (page) => (await title(page).textContent()) === "Organizations")),
      await Promise.all(refused.map(async (alert) => (await alert.count()) === 1))
    ]
    await expect.poll(async () => (await outcome()).flat().filter(Boolean).length).toBe(2)
    const [won = [], lost = []] = await outcome()
    expect(won.toSorted()).toEqual([false, true])
    expect(lost).toEqual(won.map((has) => !has))
    const winner = won.indexOf(true)
    operator = `operator.${winner}@people.example`

    const late = await open(await newContext(), served.claimLink)
    await shows(late, /is not valid/)
    expect(await late.getByRole("textbox").count()).toBe(0)
    await Promise.all([...contexts, late.context()].map(close))
  })

  it.each(ways)(
    "leads from a new organization to a revoked key, %s",
    async (way, hands) => {
      const [theirs, ours] = [await open(await newContext(), place("/")), await open(await newContext(), place("/"))]
      const look: Look = async (page, state) => {
        // The screens are the same on each store and for each hand.
        if (store === "memory" && hands === byMouse) await expectNothing(page, state)
      }
      secrets.push(...(await walk({ way, hands, theirs, ours, operator, served, folder: folder.path, look })))
      for (const page of [theirs, ours]) {
        for (const { value } of await page.context().cookies()) sessions.add(value)
        await close(page.context())
      }
    },
    300_000
  )

  it("shows each secret in exactly one response, and stores it nowhere", async () => {
    expect(secrets.map(({ name }) => name)).toHaveLength(10)
    expect(await recorder.unread()).toEqual([])
    const held = { log: served.log(), said: recorder.said(), audit: await auditLog(), rows: await served.rows() }
    // They were looked at where there was something to see.
    expect(held.log).toContain("account.acceptInvitation")
    expect(held.audit).toContain("key.rotated")
    expect(held.rows).toContain(store === "postgres" ? "key.rotated" : "")
    for (const { answer, name, requests, value } of secrets) {
      const core = value.slice(-24)
      expect(await recorder.answersWith(core), name).toEqual([expect.stringMatching(answer)])
      expect(await recorder.requestsWith(core), name).toEqual(requests)
      for (const [where, text] of Object.entries(held)) expect(text.includes(core), `${name}: ${where}`).toBe(false)
    }
    // The link that is printed stands in the log, that once.
    const [, claim = ""] = served.claimLink.split("=")
    expect(held.log.split(claim)).toHaveLength(2)
    expect(await recorder.answersWith(claim)).toEqual([])
    for (const text of [held.said, held.audit, held.rows]) expect(text.includes(claim)).toBe(false)
    expect(sessions.size).toBeGreaterThanOrEqual(4)
    for (const session of sessions) {
      expect(await recorder.answersWith(session)).toEqual([])
      expect(await recorder.requestsWith(session)).toEqual([])
      for (const [where, text] of Object.entries(held))
        expect(text.includes(session), `a session: ${where}`).toBe(false)
    }
  })

  it("executes no call for pages of another site or port in the browser of a signed-in account", async () => {
    await using elsewhere = await startOtherSite()
    const context = await browser.newContext()
    const page = await signedIn(context)
    const before = await standing()
    const statuses = new Set<number>()
    for (const from of [elsewhere.otherSite, elsewhere.otherPort]) {
      const stranger = await open(context, from)
      stranger.on("response", (response) => {
        if (response.url().startsWith(`${served.origin}/v1/admin`)) statuses.add(response.status())
      })
      const learned = await attack(stranger, served.origin, { email: operator, password })
      expect(new Set(learned)).toEqual(new Set(["unreadable", "opaque"]))
      const target = `${served.origin}/v1/admin/organizations`
      expect([401, 403]).toContain(await sendForm(stranger, target, '{"name":"Stolen"}'))
      for (const status of statuses) expect([401, 403]).toContain(status)
      await stranger.goto(from)
      await stranger.setContent(`<iframe src="${served.origin}/console/"></iframe>`)
      await expect.poll(() => stranger.frames()[1]?.url()).toBe("chrome-error://chromewebdata/")
    }
    expect(statuses).toContain(403)
    expect(await standing()).toEqual(before)
    await page.reload()
    await isAt(page, "Organizations")
    await context.close()

    // Nor does a page of others sign in a browser in which nobody is.
    const visitor = await browser.newContext()
    await attack(await open(visitor, elsewhere.otherSite), served.origin, { email: operator, password })
    expect(await visitor.cookies()).toEqual([])
    await visitor.close()
  })

  it("refuses forged, ended and expired sessions, and used and expired invitations", async () => {
    const context = await newContext()
    const page = await signedIn(context)
    const [cookie] = await context.cookies()
    if (cookie === undefined) throw new Error("there is no session")
    const come = async (value: string, name: string) => {
      await context.addCookies([{ ...cookie, value }])
      await page.goto("about:blank")
      await page.goto(place("/organizations"))
      await isAt(page, name)
    }
    const forged = cookie.value.endsWith("a") ? "b" : "a"
    await come(`${cookie.value.slice(0, -1)}${forged}`, "Sign in")
    await come("a".repeat(cookie.value.length), "Sign in")
    await come(operatorToken.replaceAll("-", ""), "Sign in")
    await come(cookie.value, "Organizations")
    await page.goto(place("/account"))
    await button(page, "Sign out").click()
    await isAt(page, "Sign in")
    await come(cookie.value, "Sign in")

    const opens = async (token: string) => {
      await page.goto("about:blank")
      await page.goto(`${served.origin}/console/#join=${token}`)
      await shows(page, /is not valid|Create account/)
      return (await button(page, "Create account").count()) > 0
    }
    const invite = async () =>
      (
        await served.manage<{ readonly token: string }>("POST", "/operators/invitations", {
          email: "unused@people.example"
        })
      ).token
    for (const { name, value } of secrets.filter(({ name }) => name.startsWith("invitation")))
      expect(await opens(value), name).toBe(false)
    const unused = await invite()
    expect(await opens(unused)).toBe(true)
    const last = unused.endsWith("a") ? "b" : "a"
    expect(await opens(`${unused.slice(0, -1)}${last}`)).toBe(false)

    const present = await signedIn(context)
    const week_s = 7 * 24 * hour_s
    served.pass_s(week_s)
    await expect.poll(() => opens(unused)).toBe(false)
    await present.goto(place("/operators"))
    await expect.poll(() => dialog(present).getByRole("heading").textContent()).toBe("Your session has ended")
    served.pass_s(-week_s)
    await context.close()
  })

  it("slows a client that guesses a password, and reports when to retry", async () => {
    const context = await newContext()
    const page = await open(context, place("/"))
    await page.getByLabel("Email").fill(operator)
    const guess = async (typed: string) => {
      await page.getByLabel("Password").fill(typed)
      const answered = page.waitForResponse((response) => response.url().endsWith("/sign-in"))
      await page.keyboard.press("Enter")
      const status = (await answered).status()
      // The form ignores another attempt until it has read the answer; its button is then no longer called busy.
      await page.getByRole("button", { name: "Sign in", exact: true }).waitFor()
      return status
    }
    const statuses: Array<number> = []
    while (statuses.at(-1) !== 429 && statuses.length < 15)
      statuses.push(await guess(`a guess, number ${statuses.length}`))
    expect(statuses.length).toBeLessThanOrEqual(accountAttempts_per_minute + 1)
    expect(new Set(statuses)).toEqual(new Set([401, 429]))
    const retry = button(page, /^Try again in \d+ s$/)
    await retry.waitFor()
    expect(await retry.isDisabled()).toBe(true)
    // The right one is none the better for it.
    expect(await guess(password)).toBe(429)
    await retry.waitFor()
    await expectNothing(page, "slowed")
    expect(await context.cookies()).toEqual([])
    await context.close()
  })
})
