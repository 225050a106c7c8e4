/** What is mailed when, on a clock that a test moves, over a transport that answers as a test wants. */
import { assert, describe, it } from "@effect/vitest"
import { member, newNotice, suiteNoticeLimits } from "@postcode/conformance"
import { MailOrigin } from "@postcode/gateway/notices/MailOrigin"
import { type Mail, type MailAnswer, MailTransport } from "@postcode/gateway/notices/MailTransport"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { Notices } from "@postcode/gateway/notices/Notices"
import { notifying } from "@postcode/gateway/notices/notify"
import { sendNotices } from "@postcode/gateway/notices/sendNotices"
import { SupportContact } from "@postcode/gateway/SupportContact"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { atNoon, ports } from "../Store.ts"

/** The way to a server that answers like this, and all that went over it. */
const serverWith = (answer: (mail: Mail, count: number) => MailAnswer) => {
  const sent: Array<Mail> = []
  const transport = Layer.succeed(MailTransport, {
    send: (mail) => Effect.sync(() => answer(mail, sent.push(mail))),
    check: Effect.undefined
  })
  const settings = Layer.mergeAll(
    Layer.succeed(NoticeLimits, { ...suiteNoticeLimits, per_day: 1_000 }),
    Layer.succeed(MailOrigin, "https://postcode.example"),
    Layer.succeed(SupportContact, "help@postcode.example")
  )
  return { sent, layer: Layer.provideMerge(Layer.merge(ports, transport), settings) }
}

const accepted: MailAnswer = { _tag: "Accepted" }
const busy: MailAnswer = { _tag: "Postponed", fault: "the server answered: 421 too busy" }

/** Moves the clock, and lets all that is due then happen. */
const pass = (duration_ms: number) =>
  Effect.andThen(TestClock.adjust(duration_ms), Effect.repeat(Effect.promise(immediate), { times: 20 }))
const immediate = () => new Promise<void>((resolve) => setImmediate(resolve))

const sending = (reviews = 1) => sendNotices(Effect.sync(() => reviews))

const resetOf = (email: string, expires_at = "2026-01-31T12:30:00.000Z") =>
  Effect.flatMap(notifying, (notify) => {
    const link = { token: Redacted.make("token-1"), expires_at }
    return notify({ kind: "reset_password", facts: {}, email, link, client: "192.0.2.1" })
  })

const only = Effect.flatMap(Notices, (notices) =>
  Effect.map(notices.list({}, { limit: 100, cursor: undefined }), ({ items }) => {
    assert.lengthOf(items, 1)
    return items[0]
  })
)

describe("sendNotices", () => {
  it.effect("a notice is mailed within a second, with its link, and then holds no token", () => {
    const { layer, sent } = serverWith(() => accepted)
    return Effect.gen(function* () {
      yield* atNoon
      yield* sending()
      assert.strictEqual(yield* resetOf("ada@people.example"), "stored")
      yield* pass(1_000)
      const [mail] = sent
      assert.deepInclude(mail, { to: "ada@people.example", subject: "Reset your password", unsubscribe_url: undefined })
      for (const text of [mail?.text, mail?.html]) {
        assert.include(text, "https://postcode.example/console/#reset=token-1")
        assert.include(text, "2026-01-31 12:30 UTC")
        assert.include(text, "help@postcode.example")
      }
      assert.deepInclude(yield* only, { id: mail?.id ?? "", status: "sent", attempts: 1 })
      yield* pass(3_600_000)
      assert.lengthOf(sent, 1)
    }).pipe(Effect.provide(layer), Effect.scoped)
  })

  it.effect("a postponed mail is sent again after 1 minute to 24 hours, with the same id, until it fails", () => {
    const { layer, sent } = serverWith(() => busy)
    return Effect.gen(function* () {
      yield* atNoon
      const { account } = yield* member("owner")
      yield* (yield* notifying)({ kind: "signed_out_everywhere", facts: {}, account_id: account.id })
      // Only around the times that matter: each second of sixty hours would take long.
      const sendForAMoment = Effect.scoped(Effect.andThen(sending(), pass(2_000)))
      const minutes = [1, 5, 15, 30, 60, 120, 240, 480, 1_440]
      for (const [i, minute] of minutes.entries()) {
        yield* sendForAMoment
        assert.lengthOf(sent, i + 1)
        yield* TestClock.adjust(minute * 60_000 - 5_000)
        yield* sendForAMoment
        assert.lengthOf(sent, i + 1, `${minute} minutes`)
        yield* TestClock.adjust(0.25 * minute * 60_000 + 5_000)
      }
      yield* sendForAMoment
      assert.lengthOf(sent, 10)
      yield* TestClock.adjust(48 * 3_600_000)
      yield* sendForAMoment
      assert.lengthOf(sent, 10)
      assert.lengthOf(new Set(sent.map(({ id }) => id)), 1)
      assert.deepInclude(yield* only, { status: "failed", attempts: 10, fault: "the server answered: 421 too busy" })
    }).pipe(Effect.provide(layer), Effect.scoped)
  })

  it.effect("a refused mail is not sent again", () => {
    const { layer, sent } = serverWith(() => ({ _tag: "Refused", fault: "the server answered: 550 no such user" }))
    return Effect.gen(function* () {
      yield* atNoon
      yield* sending()
      yield* resetOf("gone@people.example")
      yield* pass(1_000)
      yield* pass(3_600_000)
      assert.lengthOf(sent, 1)
      assert.deepInclude(yield* only, { status: "failed", attempts: 1 })
    }).pipe(Effect.provide(layer), Effect.scoped)
  })

  it.effect("a link that expired while the server was down is not sent", () => {
    const { layer, sent } = serverWith((_, count) => (count < 9 ? busy : accepted))
    return Effect.gen(function* () {
      yield* atNoon
      yield* sending()
      yield* resetOf("ada@people.example")
      for (let minute = 0; minute < 60; minute++) yield* pass(60_000)
      assert.lengthOf(sent, 4)
      assert.deepInclude(yield* only, { status: "skipped", fault: "its link expired before it could be sent" })
    }).pipe(Effect.provide(layer), Effect.scoped)
  })

  it.effect("a link that was sealed with a removed secret fails; a notice that is too old is skipped", () => {
    const { layer, sent } = serverWith(() => accepted)
    return Effect.gen(function* () {
      yield* atNoon
      const notices = yield* Notices
      const [unreadable, old] = [newNotice({ sealed_token: "other" }), newNotice({ kind: "already_has_account" })]
      yield* notices.add(old)
      yield* TestClock.adjust(73 * 3_600_000)
      yield* notices.add(unreadable)
      yield* sending()
      yield* pass(1_000)
      assert.deepStrictEqual(sent, [])
      assert.deepInclude(yield* notices.get(old.id), { status: "skipped", fault: "it is older than 3 days" })
      assert.deepInclude(yield* notices.get(unreadable.id), { status: "failed" })
    }).pipe(Effect.provide(layer), Effect.scoped)
  })

  it.effect("mail that can be switched off has a link for it, and other mail has none", () => {
    const { layer, sent } = serverWith(() => accepted)
    return Effect.gen(function* () {
      yield* atNoon
      const notify = yield* notifying
      const { account, organization_id } = yield* member("owner")
      yield* notify({ kind: "webhook_disabled", facts: { organization_id, webhook_id: "whk_1" } })
      yield* notify({ kind: "verification_decided", facts: { organization_id, kyb_status: "verified" } })
      yield* sending()
      yield* pass(1_000)
      assert.deepStrictEqual(sent.map(({ unsubscribe_url }) => unsubscribe_url).sort(), [
        `https://postcode.example/v1/mail/unsubscribe?token=unsubscribe~${account.id} webhook_disabled`,
        undefined
      ])
    }).pipe(Effect.provide(layer), Effect.scoped)
  })

  it.effect("a letter quotes an organization's name only if no mail program makes a link of it", () => {
    const { layer, sent } = serverWith(() => accepted)
    return Effect.gen(function* () {
      yield* atNoon
      const notify = yield* notifying
      const { organization_id } = yield* member("owner")
      yield* notify({ kind: "verification_decided", facts: { organization_id, kyb_status: "verified" } })
      yield* sending()
      yield* pass(1_000)
      assert.include(sent[0]?.text, "Dangote Parcels is verified")
    }).pipe(Effect.provide(layer), Effect.scoped)
  })
})
