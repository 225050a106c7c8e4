/**
 * The way of two people through the console, step by step: one runs the service, the other buys from it. It leads from a
 * new organization to keys that work, are paid for, take one another's place and end.
 */
import type { Page } from "playwright-core"
import { expect } from "vitest"
import { dialog, title } from "../ConsolePage.ts"
import { password } from "../ConsoleSite.ts"
import type { Hands } from "../Hands.ts"
import { everythingIn } from "../Recorder.ts"
import { runCurl } from "./Curl.ts"
import type { ServedConsole } from "./ServedConsole.ts"

/** Something that is shown once. */
export interface Secret {
  readonly name: string
  readonly value: string
  /** The one answer that holds it: `POST /v1/admin/organizations/…/keys 201`. */
  readonly answer: RegExp
  /** The requests that hold it. */
  readonly requests: ReadonlyArray<string>
}

/** Looks at a screen on the way. */
export type Look = (page: Page, state: string) => Promise<void>

export interface WalkOptions {
  /** As it is named: `by mouse`. */
  readonly way: string
  readonly hands: (page: Page) => Hands
  /** The page of the operator, and that of the organization's owner. */
  readonly theirs: Page
  readonly ours: Page
  /** The email of the operator. */
  readonly operator: string
  readonly served: ServedConsole
  /** Where curl finds its settings. */
  readonly folder: string
  readonly look: Look
}

/** Goes all of it, and answers what was secret on the way: each was on the page once and is not there any more. */
export const walk = async (options: WalkOptions): Promise<ReadonlyArray<Secret>> => {
  const { hands, ours, theirs } = options
  const secrets: Array<Secret> = []
  const walk: Walk = { ...options, runs: hands(theirs), buys: hands(ours), shop: `Shop ${options.way}`, secrets }
  await signInAndFound(walk)
  await inviteOwner(walk)
  await verify(walk)
  await grant(walk, "2", /Balance2/)
  const key = await makeKey(walk)
  await spend(walk, key)
  await revoke(walk, await replaceLeaked(walk, await rotate(walk, key)))
  await addWebhook(walk)
  return secrets
}

export const isAt = (page: Page, name: string): PromiseLike<void> =>
  expect.poll(() => title(page).textContent()).toBe(name)

export const shows = (page: Page, words: RegExp): PromiseLike<void> =>
  expect.poll(() => page.locator("body").textContent()).toMatch(words)

const emailOf = (name: string): string => `${name.toLowerCase().replaceAll(" ", ".")}@people.example`

/** Fills in what a link asks for: that of an invitation, or the one that claims the instance, which has no address. */
export const join = async (hands: Hands, name: string, isClaim = false): Promise<void> => {
  await hands.fill("Your name", name)
  if (isClaim) await hands.fill("Email", emailOf(name))
  await hands.fill("Password", password)
}

interface Walk extends WalkOptions {
  readonly runs: Hands
  readonly buys: Hands
  readonly shop: string
  readonly secrets: Array<Secret>
}

/** A key in use, and the command that the console showed for it. */
interface UsedKey {
  readonly secret: string
  readonly curl: (secret: string) => ReturnType<typeof runCurl>
}

const signInAndFound = async ({ look, operator, runs, shop, theirs }: Walk): Promise<void> => {
  await runs.fill("Email", operator)
  await runs.fill("Password", password)
  await look(theirs, "sign in")
  await runs.press("Sign in")
  await isAt(theirs, "Organizations")
  await look(theirs, "organizations")
  await runs.press("Create organization")
  await runs.fill("Name", shop)
  await look(theirs, "a new organization")
  await runs.press("Create organization")
  await isAt(theirs, shop)
  await look(theirs, "an overview")
}

const inviteOwner = async (walk: Walk): Promise<void> => {
  const { buys, look, ours, runs, shop, theirs, way } = walk
  await runs.press("Members")
  await isAt(theirs, "Members")
  await runs.press("Invite a member")
  await runs.fill("Email", emailOf(`Ada ${way}`))
  await runs.choose("Owner")
  await runs.press("Create invitation")
  const link = await copied(theirs, runs, "Copy the link")
  await look(theirs, "an invitation")
  await runs.press("Done")
  await keep(walk, theirs, {
    name: "invitation",
    value: link.split("=")[1] ?? "",
    answer: /^POST .*invitations 201$/,
    requests: ["POST /v1/admin/account/invitation", "POST /v1/admin/account/accept"]
  })
  await ours.goto(link)
  await join(buys, `Ada ${way}`)
  await look(ours, "join")
  await buys.press("Create account")
  await isAt(ours, shop)
  expect(await everythingIn(ours)).not.toContain(link.split("=")[1])
}

/** The business is verified, and a level that costs something granted. */
const verify = async ({ buys, look, ours, runs, theirs }: Walk): Promise<void> => {
  await buys.press("Verification")
  await buys.fill("Registration number", "RC 123456")
  await look(ours, "a submission")
  await buys.press("Request verification")
  await shows(ours, /You cannot change it during the review/)
  await buys.press("Request a higher level")
  await buys.fill("Reason", "To find the house")
  await buys.press("Request level")
  await dialog(ours).waitFor({ state: "detached" })
  await look(ours, "what was asked for")
  await runs.press("Reviews")
  await runs.choose("Verify the business")
  await look(theirs, "a review")
  await runs.press("Verify the business")
  // Each decision has a note: this is the one about the level, once the page has gone on to it.
  await theirs.getByText("Grant access level 2", { exact: true }).waitFor()
  await runs.choose("Grant access level 2")
  await runs.fill("Note to the organization", "It is what they need")
  await runs.press("Grant access level 2")
  await shows(theirs, /No pending reviews/)
}

const grant = async ({ look, runs, theirs, way }: Walk, amount: string, balance: RegExp): Promise<void> => {
  await runs.press("Credits")
  await runs.press("Grant live credits")
  await runs.fill("Amount", amount)
  await runs.fill("Reference", `${amount} ${way}`)
  await look(theirs, "a grant")
  await runs.press("Grant credits")
  await dialog(theirs).waitFor({ state: "detached" })
  const live = theirs.getByRole("region", { name: "Live", exact: true })
  await expect.poll(() => live.textContent()).toMatch(balance)
  await look(theirs, "credits")
}

const makeKey = async (walk: Walk): Promise<UsedKey> => {
  const { buys, folder, look, ours, served } = walk
  await buys.press("Keys")
  await isAt(ours, "Keys")
  await buys.choose("Live")
  await look(ours, "keys")
  await buys.press("Create key")
  await buys.fill("Name", "checkout")
  await buys.choose("Level 2")
  await look(ours, "a new key")
  await buys.press("Create key")
  const secret = await copied(ours, buys, "Copy the key")
  const command = await copied(ours, buys, "Copy the command")
  await look(ours, "a key that is shown once")
  expect(command).toContain(`${served.origin}/v1/lookup?code=`)
  expect(command).not.toContain(secret)
  await buys.press("I have stored it")
  await isAt(ours, "checkout")
  await keep(walk, ours, { name: "key", value: secret, answer: /^POST .*\/keys 201$/, requests: [] })
  return { secret, curl: (key) => runCurl(command, key, folder) }
}

/** The key is used until there are no credits, then there are some again. */
const spend = async (walk: Walk, { curl, secret }: UsedKey): Promise<void> => {
  const { buys, look, ours, served } = walk
  expect([await curl(secret), await curl(secret)]).toEqual([works, works])
  expect(await curl(secret)).toEqual({ status: 402, code: "insufficient_credits" })
  await expect.poll(() => requestsOf(served, ours)).toBe(3)
  await buys.press("Usage")
  await expect
    .poll(() => ours.locator(".totals dd").allTextContents())
    .toEqual([expect.stringMatching(/^3\D/), expect.stringMatching(/^2\D/)])
  await look(ours, "usage")
  await buys.press("Credits")
  await shows(ours, /Balance0 \S*Used up/)
  await look(ours, "no credits")
  await grant(walk, "20", /Balance20/)
  expect(await curl(secret)).toEqual(works)
}

/** The old key lives as long as was said. */
const rotate = async (walk: Walk, { curl, secret }: UsedKey): Promise<UsedKey> => {
  const { buys, look, ours, served } = walk
  await buys.press("Keys")
  await buys.press("checkout")
  await isAt(ours, "checkout")
  await look(ours, "a key")
  await buys.press("Rotate")
  await buys.choose("An hour")
  await look(ours, "a rotation")
  await buys.press("Create the new key")
  const next = await copied(ours, buys, "Copy the key")
  const said = (await dialog(ours).textContent()) ?? ""
  const [, end = ""] = /The old key works until (.*? UTC)/.exec(said) ?? []
  const left_s = (Date.parse(end) - Date.now()) / 1000
  expect(left_s).toBeGreaterThan(hour_s - 120)
  expect(left_s).toBeLessThanOrEqual(hour_s)
  await buys.press("I have stored it")
  await keepRotated(walk, "rotated key", next)
  expect([await curl(secret), await curl(next)]).toEqual([works, works])
  served.pass_s(hour_s)
  await expect.poll(() => curl(secret)).toEqual(refused)
  expect(await curl(next)).toEqual(works)
  served.pass_s(-hour_s)
  return { secret: next, curl }
}

/** A key that leaked ends at once. */
const replaceLeaked = async (walk: Walk, { curl, secret }: UsedKey): Promise<UsedKey> => {
  const { buys, ours } = walk
  await buys.press("Rotate")
  await buys.choose("No time")
  await buys.press("Create the new key")
  const next = await copied(ours, buys, "Copy the key")
  await buys.press("I have stored it")
  await keepRotated(walk, "key in place of one that leaked", next)
  await expect.poll(() => curl(secret)).toEqual(refused)
  expect(await curl(next)).toEqual(works)
  return { secret: next, curl }
}

const revoke = async ({ buys, look, ours, served }: Walk, { curl, secret }: UsedKey): Promise<void> => {
  // What was asked is known a moment later: then the key counts as one in use.
  const traffic = async () => {
    const [key] = /key_\w+/.exec(ours.url()) ?? []
    return (await served.manage<{ readonly requests: number }>("GET", `/keys/${key}/traffic`)).requests
  }
  await expect.poll(traffic).toBe(1)
  await buys.press("Revoke")
  await buys.fill("Type “checkout” to confirm", "checkout")
  await look(ours, "a revocation")
  await buys.press("Revoke key")
  await shows(ours, /Status\W*Revoked/)
  await expect.poll(() => curl(secret)).toEqual(refused)
  await look(ours, "a revoked key")
}

const addWebhook = async (walk: Walk): Promise<void> => {
  const { buys, look, ours } = walk
  await buys.press("Webhooks")
  await buys.press("Add a webhook")
  await buys.fill("Address", "https://hooks.example/low")
  await buys.press("Add")
  const value = await copied(ours, buys, "Copy the secret")
  await look(ours, "a webhook's secret")
  await buys.press("I have stored it")
  await keep(walk, ours, { name: "webhook", value, answer: /^POST .*\/webhooks 201$/, requests: [] })
}

const hour_s = 3_600
const works = { status: 200, code: undefined }
const refused = { status: 401, code: expect.any(String) as string }

/** How much was asked of the organization that a page shows. */
const requestsOf = async ({ manage }: ServedConsole, page: Page): Promise<number> => {
  const [organization] = /org_\w+/.exec(page.url()) ?? []
  const { usage } = await manage<{ readonly usage: ReadonlyArray<{ readonly requests: number }> }>(
    "GET",
    `/organizations/${organization}/usage?environment=live`
  )
  return usage.reduce((sum, { requests }) => sum + requests, 0)
}

/** Presses the button that copies something, and answers that. */
const copied = async (page: Page, hands: Hands, name: string): Promise<string> => {
  const read = () => page.evaluate(() => navigator.clipboard.readText())
  await page.evaluate(() => navigator.clipboard.writeText(""))
  await hands.press(name)
  await expect.poll(read).not.toBe("")
  return await read()
}

const keepRotated = (walk: Walk, name: string, value: string): Promise<void> =>
  keep(walk, walk.ours, { name, value, answer: /^POST .*\/rotate 201$/, requests: [] })

/** Remembers what was shown, once it is off the page. */
const keep = async ({ secrets, way }: Walk, page: Page, secret: Secret): Promise<void> => {
  await dialog(page).waitFor({ state: "detached" })
  expect(await everythingIn(page), secret.name).not.toContain(secret.value)
  secrets.push({ ...secret, name: `${secret.name} ${way}` })
}
