import { assert, describe, it } from "@effect/vitest"
import { failsWith } from "@postcode/conformance"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { manageKeys } from "@postcode/gateway/keys/manageKeys"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { listBookmarks } from "@postcode/gateway/widget/bookmarks/listBookmarks"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { saveEndUser } from "@postcode/gateway/widget/endUsers/saveEndUser"
import { recordSelection } from "@postcode/gateway/widget/selections/recordSelection"
import { Selections } from "@postcode/gateway/widget/selections/Selections"
import { authenticateSession } from "@postcode/gateway/widget/sessions/authenticateSession"
import { SessionTokens } from "@postcode/gateway/widget/sessions/SessionTokens"
import type { WidgetSession } from "@postcode/gateway/widget/sessions/WidgetSession"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { codes } from "../directory/SmallDirectory.ts"
import { atNoon, type Customer, customer, noon, ports } from "../Store.ts"

const shopOrigin = "https://shop.example"

const sessionOf = ({ key, organization }: Customer, changes: Partial<WidgetSession> = {}): WidgetSession => ({
  key_id: key.id,
  organization_id: organization.id,
  environment: "test",
  identifier_hashes: ["1:someone"],
  origin: shopOrigin,
  ...changes
})

const signed = (session: WidgetSession) => Effect.flatMap(SessionTokens, ({ sign }) => sign(session))

const check = (token: Redacted.Redacted<string> | undefined, origin: string | undefined = undefined) =>
  Effect.flatMap(authenticateSession, (authenticate) => authenticate(token, origin))

const browserShop = customer({ key: { kind: "publishable", origins: [shopOrigin] } })

describe("authenticateSession", () => {
  it.effect("a valid token returns its session, and its key is marked as used", () =>
    Effect.gen(function* () {
      yield* atNoon
      const shop = yield* browserShop
      const session = sessionOf(shop)
      const token = yield* signed(session)
      const active = { ...session, id: (yield* Secrets).hash(token), principal: yield* shop.principal }
      for (const origin of [undefined, shopOrigin]) assert.deepStrictEqual(yield* check(token, origin), active)
      const { items } = yield* (yield* ApiKeys).list(shop.organization.id, { limit: 1, cursor: undefined })
      assert.strictEqual(items[0]?.last_used_at, noon)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a missing token is AuthRequired", () =>
    failsWith(check(undefined), "AuthRequired").pipe(Effect.provide(ports))
  )

  it.effect("a token that is not verified is refused without asking the store", () =>
    failsWith(check(Redacted.make("token-1")), "InvalidToken").pipe(
      Effect.provide(Layer.merge(ports, Layer.mock(ApiKeys, {})))
    )
  )

  it.effect(
    "a token is refused from another origin than the session's, and from any origin if the session has none",
    () =>
      Effect.gen(function* () {
        const shop = yield* browserShop
        const token = yield* signed(sessionOf(shop))
        for (const origin of ["https://other.example", "null", ""])
          yield* failsWith(check(token, origin), "InvalidToken")
        const withoutOrigin = yield* signed(sessionOf(shop, { origin: undefined }))
        yield* failsWith(check(withoutOrigin, shopOrigin), "InvalidToken")
        yield* check(withoutOrigin)
      }).pipe(Effect.provide(ports))
  )

  it.effect("a session ends after its lifetime and with its key, with the same message", () =>
    Effect.gen(function* () {
      const shop = yield* browserShop
      const late = yield* signed(sessionOf(shop))
      yield* TestClock.adjust(900_000)
      const expired = yield* failsWith(check(late), "InvalidToken")
      const token = yield* signed(sessionOf(shop))
      yield* check(token)
      yield* (yield* manageKeys).revoke(shop.key.id, tokenManager)
      assert.strictEqual((yield* failsWith(check(token), "InvalidToken")).message, expired.message)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a session of another store is refused, even with the same signing key", () =>
    Effect.gen(function* () {
      const shop = yield* browserShop
      const strange = [{ key_id: "key_unknown" }, { organization_id: "org_unknown" }, { environment: "live" }] as const
      for (const changes of strange) yield* failsWith(check(yield* signed(sessionOf(shop, changes))), "InvalidToken")
    }).pipe(Effect.provide(ports))
  )
})

describe("listBookmarks", () => {
  it.effect("lists those of the identifier under any pepper, and none for an unknown identifier", () =>
    Effect.gen(function* () {
      const bookmarks = [{ postcode: codes.whole, label: "Home" }]
      yield* (yield* saveEndUser)({ identifiers: [Redacted.make("ada@example.ng")], bookmarks }, tokenManager)
      const stored = (yield* Secrets).hashIdentifier(Redacted.make("ada@example.ng"))
      const list = yield* listBookmarks
      const shop = yield* browserShop
      for (const identifier_hashes of [[stored], ["2:present", stored]] as const) {
        assert.deepStrictEqual(yield* list(sessionOf(shop, { identifier_hashes })), bookmarks)
      }
      assert.deepStrictEqual(yield* list(sessionOf(shop, { identifier_hashes: ["2:present", "1:nobody"] })), [])
    }).pipe(Effect.provide(ports))
  )
})

describe("a session without an identifier", () => {
  it.effect("has no bookmarks, for which the store is not queried, and records selections without a subject", () =>
    Effect.gen(function* () {
      const session = sessionOf(yield* browserShop, { identifier_hashes: undefined })
      assert.deepStrictEqual(yield* (yield* listBookmarks)(session), [])
      yield* (yield* recordSelection)(session, { postcode: codes.whole })
      const { items } = yield* (yield* Selections).list(session.organization_id, { limit: 9, cursor: undefined })
      assert.notProperty(items[0], "subject")
    }).pipe(Effect.provide(Layer.merge(ports, Layer.mock(EndUsers, {}))))
  )
})

describe("recordSelection", () => {
  it.effect("records the postcode, the hashed identifier, the key and the time", () =>
    Effect.gen(function* () {
      yield* atNoon
      const shop = yield* browserShop
      const record = yield* recordSelection
      yield* record(sessionOf(shop, { identifier_hashes: ["2:present", "1:former"] }), {
        postcode: codes.whole,
        source: "discover"
      })
      const { items } = yield* (yield* Selections).list(shop.organization.id, { limit: 9, cursor: undefined })
      assert.strictEqual(items.length, 1)
      const [{ id, ...selection }] = items as [(typeof items)[0]]
      assert.match(id, /^sel_[0-9A-Za-z]{20}$/)
      assert.deepStrictEqual(selection, {
        organization_id: shop.organization.id,
        key_id: shop.key.id,
        environment: "test",
        subject: "2:present",
        postcode: codes.whole,
        source: "discover",
        at: noon
      })
    }).pipe(Effect.provide(ports))
  )
})
