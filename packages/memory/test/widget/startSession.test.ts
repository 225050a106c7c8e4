import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import { defaultPriceList } from "@postcode/core/Prices"
import { AuditLog } from "@postcode/gateway/audit/AuditLog"
import { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import { Prices } from "@postcode/gateway/credits/Prices"
import { Unavailable } from "@postcode/gateway/Errors"
import { RateLimiter } from "@postcode/gateway/limits/RateLimiter"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import { type SessionRequest, startSession } from "@postcode/gateway/widget/sessions/startSession"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { guessableForms } from "../GuessableForms.ts"
import { atNoon, auditTrail, auditTrailWithoutIds, type Customer, customer, noon, ports } from "../Store.ts"

const email = "Ada.Obi@Example.NG"

const asked = Effect.fnUntraced(function* ({ principal }: Customer, changes: Partial<SessionRequest> = {}) {
  const request: SessionRequest = {
    principal: yield* principal,
    identifier: Redacted.make(email),
    identifier_type: undefined,
    proof: undefined,
    origin: "https://shop.example",
    address: "198.51.100.7",
    request_id: "request-1",
    idempotency_key: undefined,
    ...changes
  }
  return request
})

const start = Effect.fnUntraced(function* (
  shop: Customer,
  changes: Partial<SessionRequest> = {},
  addressLimit?: number
) {
  const run = yield* startSession(addressLimit)
  return yield* run(yield* asked(shop, changes))
})

const browserShop = (credits = 100) =>
  customer({ key: { kind: "publishable", origins: ["https://shop.example"] } }, credits)

describe("startSession", () => {
  it.effect("the token contains the key, its organization, the origin, and the hash of the identifier", () =>
    Effect.gen(function* () {
      const shop = yield* browserShop()
      const { expires_in_s, token } = yield* start(shop, { identifier: Redacted.make(` ${email} `) })
      assert.strictEqual(expires_in_s, 900)
      assert.deepStrictEqual(yield* (yield* SessionTokens).verify(token), {
        key_id: shop.key.id,
        organization_id: shop.organization.id,
        environment: "test",
        identifier_hashes: [(yield* Secrets).hashIdentifier(Redacted.make("ada.obi@example.ng"))],
        origin: "https://shop.example"
      })
    }).pipe(Effect.provide(ports))
  )

  it.effect("without an identifier it costs the same, counts for the address, and its audit entry names the key", () =>
    Effect.gen(function* () {
      const shop = yield* browserShop()
      const { receipt, token } = yield* start(shop, { identifier: undefined }, 1)
      assert.strictEqual(receipt.charged, 1)
      assert.isUndefined((yield* (yield* SessionTokens).verify(token)).identifier_hashes)
      assert.deepInclude((yield* auditTrail).at(-1), { action: "widget_session.requested", subject: shop.key.id })
      yield* failsWith(start(shop, { identifier: undefined }, 1), "RateLimitExceeded")
      assert.strictEqual(yield* shop.balance, 99)
    }).pipe(Effect.provide(ports))
  )

  it.effect("under an Idempotency-Key, a session without an identifier is another request than one with it", () =>
    Effect.gen(function* () {
      const shop = yield* browserShop()
      const idempotency_key = "one"
      yield* start(shop, { idempotency_key, identifier: undefined })
      assert.strictEqual((yield* start(shop, { idempotency_key, identifier: undefined })).receipt.charged, 0)
      yield* failsWith(start(shop, { idempotency_key }), "IdempotencyKeyReused")
    }).pipe(Effect.provide(ports))
  )

  it.effect("does not read accounts", () =>
    Effect.gen(function* () {
      yield* start(yield* browserShop())
    }).pipe(Effect.provide(Layer.mergeAll(ports, Layer.mock(EndUsers, {}))))
  )

  it.effect("a secret key is refused; a malformed identifier is refused before it", () =>
    Effect.gen(function* () {
      const shop = yield* customer()
      yield* failsWith(start(shop), "KeyTypeNotAllowed")
      for (const raw of ["ada", "1234567890", ""]) {
        const error = yield* failsWith(start(shop, { identifier: Redacted.make(raw) }), "InvalidParameter")
        assert.strictEqual(error.parameter, "identifier")
        if (raw !== "" && raw !== "ada") assert.notInclude(error.message, raw)
      }
      assert.strictEqual(yield* shop.balance, 100)
      assert.deepStrictEqual(yield* auditTrail, [])
    }).pipe(Effect.provide(ports))
  )

  it.effect("it costs the price of a session, from the account of the key's environment", () =>
    Effect.gen(function* () {
      const shop = yield* browserShop()
      const { receipt } = yield* Effect.provideService(start(shop), Prices, {
        ...defaultPriceList,
        widget_session: 7
      })
      assert.deepStrictEqual(receipt, { charged: 7, balance: undefined })
      assert.strictEqual(yield* shop.balance, 93)
      const { entries } = yield* (yield* CreditLedger).statement(
        { organization_id: shop.organization.id, environment: "test" },
        { limit: 1, cursor: undefined }
      )
      assert.deepInclude(entries.items[0], { amount: -7, reason: "widget_session", reference: "request-1" })
    }).pipe(Effect.provide(ports))
  )

  it.effect("at a price of 0 it costs nothing, leaves no entry, and still needs an active key", () =>
    Effect.gen(function* () {
      const poor = yield* browserShop(0)
      const free = { ...defaultPriceList, widget_session: 0 }
      const startFree = (changes: Partial<SessionRequest> = {}) =>
        Effect.provideService(start(poor, changes), Prices, free)
      assert.deepStrictEqual((yield* startFree()).receipt, { charged: 0, balance: undefined })
      const principal = { ...(yield* poor.principal), key_id: "key_unknown" }
      yield* failsWith(startFree({ principal }), "InvalidApiKey")
    }).pipe(Effect.provide(ports))
  )

  it.effect("without credits it fails, and a key that was revoked meanwhile is refused with the charge", () =>
    Effect.gen(function* () {
      const poor = yield* browserShop(0)
      yield* failsWith(start(poor), "InsufficientCredits")
      const shop = yield* browserShop()
      const request = yield* asked(shop)
      const revoked = { ...request.principal, key_id: "key_unknown" }
      yield* failsWith(start(shop, { principal: revoked }), "InvalidApiKey")
      assert.strictEqual(yield* shop.balance, 100)
    }).pipe(Effect.provide(ports))
  )

  it.effect("an Idempotency-Key is charged once for an identifier, and refused for another", () =>
    Effect.gen(function* () {
      const shop = yield* browserShop()
      const under = (raw: string) => start(shop, { idempotency_key: "retry", identifier: Redacted.make(raw) })
      assert.strictEqual((yield* under(email)).receipt.charged, 1)
      assert.strictEqual((yield* under(email.toLowerCase())).receipt.charged, 0)
      yield* failsWith(under("12345678901"), "IdempotencyKeyReused")
      assert.strictEqual(yield* shop.balance, 99)
    }).pipe(Effect.provide(ports))
  )

  it.effect("it is audited with the hashed identifier before it is charged, also where it then cannot be paid", () =>
    Effect.gen(function* () {
      yield* atNoon
      const shop = yield* browserShop(1)
      yield* start(shop)
      yield* failsWith(start(shop, { origin: undefined }), "InsufficientCredits")
      const event = {
        at: noon,
        actor: shop.key.id,
        action: "widget_session.requested",
        subject: (yield* Secrets).hashIdentifier(Redacted.make("ada.obi@example.ng")),
        organization_id: shop.organization.id
      }
      assert.deepStrictEqual(yield* auditTrailWithoutIds, [
        { ...event, details: { environment: "test", origin: "https://shop.example" } },
        { ...event, details: { environment: "test" } }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("a session that cannot be audited is not charged", () =>
    Effect.gen(function* () {
      const shop = yield* browserShop()
      const log = yield* AuditLog
      const deaf = { ...log, append: () => Effect.fail(new Unavailable({ retry_after_s: 1 })) }
      yield* failsWith(Effect.provideService(start(shop), AuditLog, deaf), "Unavailable")
      assert.strictEqual(yield* shop.balance, 100)
    }).pipe(Effect.provide(ports))
  )

  it.effect("no port gets an identifier, or a hash without the pepper", () =>
    Effect.gen(function* () {
      const given: Array<unknown> = []
      const note = <A extends object>(service: A): A =>
        new Proxy(service, {
          get: (target, name) => {
            const method: unknown = Reflect.get(target, name)
            if (typeof method !== "function") return method
            return (...args: ReadonlyArray<unknown>) => {
              given.push(args)
              return Reflect.apply(method, target, args)
            }
          }
        })
      const shop = yield* browserShop()
      const nin = "12345678901"
      for (const raw of [email, nin]) {
        yield* start(shop, { identifier: Redacted.make(raw), idempotency_key: `for ${raw}` }).pipe(
          Effect.provideService(AuditLog, note(yield* AuditLog)),
          Effect.provideService(CreditLedger, note(yield* CreditLedger)),
          Effect.provideService(RateLimiter, note(yield* RateLimiter)),
          Effect.provideService(SessionTokens, note(yield* SessionTokens))
        )
      }
      assert.strictEqual(given.length, 2 * 5)
      const written = JSON.stringify(given).toLowerCase()
      for (const raw of [email, email.toLowerCase(), nin]) {
        for (const form of guessableForms(raw)) assert.notInclude(written, form.toLowerCase())
      }
    }).pipe(Effect.provide(ports))
  )
})

describe("the limits of startSession", () => {
  const someone = (i: number) => ({ identifier: Redacted.make(`person${i}@example.ng`) })

  it.effect("an address may start 30 a minute, and refused ones are neither charged nor audited", () =>
    Effect.gen(function* () {
      const shop = yield* browserShop()
      for (let i = 0; i < 30; i++) yield* start(shop, someone(i))
      const { retry_after_s } = yield* failsWith(start(shop, someone(30)), "RateLimitExceeded")
      assert.isAtLeast(retry_after_s, 1)
      assert.strictEqual(yield* shop.balance, 70)
      assert.strictEqual((yield* auditTrail).length, 30)
      yield* start(shop, { ...someone(31), address: "198.51.100.8" })
      yield* TestClock.adjust(retry_after_s * 1000)
      yield* start(shop, someone(32))
    }).pipe(Effect.provide(ports))
  )

  it.effect("the limit of addresses is configurable", () =>
    Effect.gen(function* () {
      const shop = yield* browserShop()
      yield* start(shop, someone(1), 1)
      yield* failsWith(start(shop, someone(2), 1), "RateLimitExceeded")
    }).pipe(Effect.provide(ports))
  )

  it.effect(
    "an organization may start 10 a minute for one identifier from any address, separately from other organizations",
    () =>
      Effect.gen(function* () {
        const [shop, other] = [yield* browserShop(), yield* browserShop()]
        const from = (i: number) => ({ address: `198.51.100.${i}` })
        for (let i = 0; i < 10; i++) yield* start(shop, from(i))
        yield* failsWith(
          start(shop, { ...from(10), identifier: Redacted.make(email.toLowerCase()) }),
          "RateLimitExceeded"
        )
        yield* start(shop, { ...from(11), ...someone(1) })
        yield* start(other, from(12))
      }).pipe(Effect.provide(ports))
  )
})
