import { assert, describe, it } from "@effect/vitest"
import { failsWith, storedOrganization } from "@postcode/conformance"
import { authenticateManager } from "@postcode/gateway/accounts/authenticateManager"
import { composeKey } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { authenticate } from "@postcode/gateway/keys/authenticate"
import { manageKeys } from "@postcode/gateway/keys/manageKeys"
import { tokenManager } from "@postcode/gateway/ManagementAccess"
import { Secrets } from "@postcode/gateway/store/Secrets"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { customer, noon, ports } from "../Store.ts"

const createdKey = Effect.gen(function* () {
  const organization = yield* storedOrganization()
  const request = {
    name: "checkout",
    kind: "secret",
    environment: "test",
    scopes: ["lookup"],
    max_level: 2,
    origins: []
  } as const
  return yield* (yield* manageKeys).create(organization.id, request, tokenManager)
})

const check = (key: string) => Effect.flatMap(authenticate, (identify) => identify(key))

describe("authenticate", () => {
  it.effect("an active key returns its principal, and is marked as used now", () =>
    Effect.gen(function* () {
      const { record, secret } = yield* createdKey
      yield* TestClock.setTime(Date.parse("2026-01-31T12:34:56.789Z"))
      const principal = yield* check(Redacted.value(secret))
      assert.deepInclude(principal, { key_id: record.id, organization_id: record.organization_id, granted_level: 3 })
      const { items } = yield* (yield* ApiKeys).list(record.organization_id, { limit: 20, cursor: undefined })
      assert.strictEqual(items[0]?.last_used_at, "2026-01-31T12:34:56.789Z")
    }).pipe(Effect.provide(ports))
  )

  it.effect("a key with a typo is refused without asking the store", () => {
    const deaf = Layer.mock(ApiKeys, {})
    return Effect.gen(function* () {
      const key = composeKey("secret", "live", "0123456789ABCDEFGHIJabcdefghijXY")
      const broken = [
        "",
        key.slice(0, -1),
        `${key}0`,
        ` ${key}`,
        key.replace("live", "test"),
        key.replace("A", "B"),
        `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`,
        "x".repeat(100_000)
      ]
      for (const typo of broken) {
        const error = yield* failsWith(check(typo), "InvalidApiKey")
        assert.include(error.message, "malformed")
      }
    }).pipe(Effect.provide(Layer.merge(ports, deaf)))
  })

  it.effect("an unknown well-formed key and a revoked one are refused with the same message", () =>
    Effect.gen(function* () {
      const { record, secret } = yield* createdKey
      yield* (yield* manageKeys).revoke(record.id, tokenManager)
      const revoked = yield* failsWith(check(Redacted.value(secret)), "InvalidApiKey")
      const unknown = yield* failsWith(
        check(composeKey("secret", "test", "0123456789ABCDEFGHIJabcdefghijXY")),
        "InvalidApiKey"
      )
      assert.strictEqual(revoked.message, unknown.message)
      assert.notInclude(revoked.message, Redacted.value(secret).slice(9))
    }).pipe(Effect.provide(ports))
  )
})

describe("authenticate, by the clock", () => {
  it.effect("a key is refused from the millisecond at which it expires, with that reason", () =>
    Effect.gen(function* () {
      const { key } = yield* customer({ key: { expires_at: noon } })
      const secrets = yield* Secrets
      const whole = composeKey("secret", "test", "0123456789ABCDEFGHIJabcdefghijXY")
      yield* (yield* ApiKeys).create({ ...key, id: "key_of_this_test" }, secrets.hash(Redacted.make(whole)))
      yield* TestClock.setTime(Date.parse(noon) - 1)
      yield* check(whole)
      yield* TestClock.adjust(1)
      assert.include((yield* failsWith(check(whole), "InvalidApiKey")).message, "expired")
    }).pipe(Effect.provide(ports))
  )
})

describe("authenticateManager", () => {
  const checkToken = (token: string | undefined) =>
    Effect.flatMap(authenticateManager(Redacted.make("operator-token-1")), (identify) =>
      identify(
        token === undefined ? undefined : { _tag: "BearerToken", token: Redacted.make(token) },
        "listKeys",
        () => "192.0.2.1"
      )
    )

  it.effect("the operator token is accepted, another one is InvalidToken, and a missing one is AuthRequired", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* checkToken("operator-token-1"), tokenManager)
      for (const token of ["operator-token-2", "operator-token-", "operator-token-1 ", ""]) {
        const error = yield* failsWith(checkToken(token), "InvalidToken")
        assert.notInclude(error.message, "operator-token")
      }
      yield* failsWith(checkToken(undefined), "AuthRequired")
    }).pipe(Effect.provide(ports))
  )
})
