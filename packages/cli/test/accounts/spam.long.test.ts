/** What arrives at strangers if somebody signs them up, or asks for links to their accounts: from one address or many. */
import { makeFixture, operatorToken } from "@postcode/conformance/wire"
import { layerTestSecrets } from "@postcode/drills/TestSecrets"
import { Accounts } from "@postcode/gateway/accounts/Accounts"
import { SignUpSettings } from "@postcode/gateway/accounts/signUp/SignUpSettings"
import { layerDirectory } from "@postcode/gateway/directory/layerDirectory"
import { defaultNoticeLimits, NoticeLimits } from "@postcode/gateway/notices/Notice"
import { Notices } from "@postcode/gateway/notices/Notices"
import { makeGateway, serve } from "@postcode/http"
import { MemoryStore } from "@postcode/memory"
import { layerNodePasswords } from "@postcode/node/secrets"
import { Effect, Layer, Redacted } from "effect"
import { expect, it } from "vitest"

/** A request: who sends it, and whose address it names. */
interface Sent {
  readonly client: string
  readonly email: string
  readonly isReset?: boolean
}

const { attributesOf, directory } = makeFixture()
/** A service with the default limits. The smaller memory for password hashes changes no limit. */
const layer = () => {
  const mail = Layer.succeed(NoticeLimits, { ...defaultNoticeLimits, isOn: true })
  return Layer.mergeAll(
    Layer.provide(MemoryStore.layer, mail),
    Layer.succeed(SignUpSettings, { mode: "open", domains: [], isMailPrinted: false }),
    layerDirectory(directory, (_, postcode) => attributesOf(postcode)),
    layerTestSecrets,
    mail
  )
}

const options = {
  operatorToken: Redacted.make(operatorToken),
  trustedProxies: ["127.0.0.1"],
  addressRateLimit_per_minute: 1_000_000
}

/** The number of mails to each address, on a new service with accounts of these addresses. */
const mailsAfter = (requests: ReadonlyArray<Sent>, accounts: ReadonlyArray<string> = []) =>
  Effect.gen(function* () {
    const gateway = yield* makeGateway(options)
    const { url } = yield* serve(gateway, { port: 0, host: "127.0.0.1", drain_ms: 0 })
    const { open } = yield* Accounts
    const created_at = new Date().toISOString()
    yield* Effect.forEach(accounts, (email, i) =>
      open(
        { id: `acc_${i}`, email, name: "Ada", password: "", created_at },
        { organization_id: `org_${i}`, role: "owner", joined_at: created_at }
      )
    )
    yield* Effect.forEach(requests, (sent) => Effect.promise(() => post(url, sent)), { concurrency: 16, discard: true })
    const notices = yield* Notices
    const leased = yield* notices.lease(20_000, 1)
    const counts = new Map<string, number>()
    for (const { notice } of leased) counts.set(notice.email, (counts.get(notice.email) ?? 0) + 1)
    return { mails: leased.length, strangers: counts.size, most: Math.max(0, ...counts.values()) }
  }).pipe(
    Effect.scoped,
    Effect.provide(layerNodePasswords({ memory_kib: 8 })),
    Effect.provide(layer()),
    Effect.runPromise
  )

const post = async (url: string, sent: Sent): Promise<void> => {
  const { client, email, isReset = false } = sent
  const body = isReset ? { email } : { email, password: "rain on the roof of zinc" }
  const { status } = await fetch(`${url}/v1/admin/account/${isReset ? "forgotten-password" : "sign-up"}`, {
    method: "POST",
    headers: { origin: url, "content-type": "application/json", "x-forwarded-for": client },
    body: JSON.stringify(body)
  })
  // The machine is busy: a spammer repeats it.
  if (status === 503) return post(url, sent)
  expect([202, 429]).toContain(status)
}

const stranger = (i: number): string => `stranger${i}@people.example`
const list = <A>(length: number, make: (i: number) => A): ReadonlyArray<A> => Array.from({ length }, (_, i) => make(i))
/** Clients of as many networks. */
const elsewhere = (i: number): string => `10.${i >> 8}.${i & 255}.7`

it("from one address, 2,000 requests for as many strangers", async () => {
  const client = "203.0.113.7"
  const strangers = list(1_000, stranger)
  const requests = strangers.flatMap((email) => [
    { client, email: `new.${email}` },
    { client, email, isReset: true }
  ])
  const { mails, most } = await mailsAfter(requests, strangers)
  expect({ mails: mails <= 20, most }).toEqual({ mails: true, most: 1 })
}, 400_000)

it("from 250 addresses of one network, 2,000 sign-ups of as many strangers", async () => {
  const requests = list(2_000, (i) => ({ client: `203.0.113.${i % 250}`, email: stranger(i) }))
  expect(await mailsAfter(requests)).toEqual({ mails: 50, strangers: 50, most: 1 })
}, 400_000)

it("from 5,000 networks, as many sign-ups of as many strangers", async () => {
  const requests = list(5_000, (i) => ({ client: elsewhere(i), email: stranger(i) }))
  expect(await mailsAfter(requests)).toEqual({ mails: 2_000, strangers: 2_000, most: 1 })
}, 400_000)

it("from 2,000 networks, sign-ups of one stranger, and links to one account", async () => {
  const requests = list(2_000, (i) => ({ client: elsewhere(i), email: stranger(i % 2), isReset: i % 2 === 0 }))
  expect(await mailsAfter(requests, [stranger(0)])).toEqual({ mails: 10, strangers: 2, most: 5 })
}, 400_000)
