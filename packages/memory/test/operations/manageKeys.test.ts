import { assert, describe, it } from "@effect/vitest"
import { isWellFormedKey } from "@postcode/core/ApiKey"
import { tokenManager } from "@postcode/core/ManagementAccess"
import { authenticate } from "@postcode/core/operations/authenticate"
import { type KeyRequest, manageKeys } from "@postcode/core/operations/manageKeys"
import { ApiKeys } from "@postcode/core/ports/ApiKeys"
import { failsWith } from "@postcode/core/testing/Failures"
import { storedOrganization, unique } from "@postcode/core/testing/Fixtures"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { atNoon, auditTrail, auditTrailWithoutIds, noon, ports } from "../Store.ts"

const keyRequest = (fields: Partial<KeyRequest> = {}): KeyRequest => ({
  name: "checkout",
  kind: "secret",
  environment: "test",
  scopes: ["lookup"],
  max_level: 3,
  origins: [],
  ...fields
})

describe("manageKeys", () => {
  it.effect.each([
    ["secret", "test", /^svc_test_[0-9A-Za-z]{38}$/],
    ["secret", "live", /^svc_live_[0-9A-Za-z]{38}$/],
    ["publishable", "test", /^svc_pk_[0-9A-Za-z]{38}$/],
    ["publishable", "live", /^svc_pk_[0-9A-Za-z]{38}$/]
  ] as const)("a %s %s key is made, shown once, and works", ([kind, environment, form]) =>
    Effect.gen(function* () {
      yield* atNoon
      const organization = yield* storedOrganization({}, { kyb_status: "verified" })
      const origins = kind === "publishable" ? ["https://shop.example"] : []
      const request = keyRequest({ kind, environment, origins, rate_limit_per_minute: 90 })
      const { record, secret } = yield* (yield* manageKeys).create(organization.id, request, tokenManager)
      const key = Redacted.value(secret)
      assert.match(key, form)
      assert.isTrue(isWellFormedKey(key))
      const { id, ...fields } = record
      assert.match(id, /^key_[0-9A-Za-z]{20}$/)
      const prefix = key.slice(0, key.lastIndexOf("_") + 5)
      assert.deepStrictEqual(fields, { ...request, organization_id: organization.id, prefix, created_at: noon })
      const principal = yield* (yield* authenticate)(secret)
      assert.deepInclude(principal, { key_id: id, kind, environment, origins, rate_limit_per_minute: 90 })
      assert.deepStrictEqual(yield* auditTrailWithoutIds, [
        {
          at: noon,
          actor: "operator",
          action: "key.created",
          subject: id,
          organization_id: organization.id,
          details: { name: "checkout", kind, environment, max_level: 3, prefix }
        }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("the secret is nowhere but in the answer", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const stored: Array<unknown> = []
      const watched: ApiKeys["Service"] = {
        ...keys,
        create: (record, hash) => {
          stored.push(record, hash)
          return keys.create(record, hash)
        }
      }
      const manage = yield* Effect.provideService(manageKeys, ApiKeys, watched)
      const { record, secret } = yield* manage.create(id, keyRequest(), tokenManager)
      yield* manage.revoke(record.id, tokenManager)
      const written = JSON.stringify([stored, yield* auditTrail, yield* keys.list(id, { limit: 9, cursor: undefined })])
      assert.strictEqual(stored.length, 2)
      assert.notInclude(written, Redacted.value(secret).slice(13))
      assert.notInclude(JSON.stringify(secret), Redacted.value(secret))
    }).pipe(Effect.provide(ports))
  )

  it.effect("a maximum level above the grant is refused, equal to it is not", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      const { id } = yield* storedOrganization({}, { granted_level: 2 })
      yield* failsWith(manage.create(id, keyRequest({ max_level: 3 }), tokenManager), "InsufficientLevel")
      assert.deepStrictEqual(yield* auditTrail, [])
      yield* manage.create(id, keyRequest({ max_level: 2 }), tokenManager)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a live key needs a verified business, of either kind; a test key does not", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      for (const kyb_status of ["unverified", "pending", "rejected"] as const) {
        const { id } = yield* storedOrganization({}, { kyb_status })
        for (const kind of ["secret", "publishable"] as const) {
          const live = manage.create(id, keyRequest({ environment: "live", kind }), tokenManager)
          yield* failsWith(live, "KybRequired")
          yield* manage.create(id, keyRequest({ kind }), tokenManager)
        }
      }
    }).pipe(Effect.provide(ports))
  )

  it.effect("a secret key has no origins", () =>
    Effect.gen(function* () {
      const { id } = yield* storedOrganization()
      const request = keyRequest({ origins: ["https://shop.example"] })
      const error = yield* failsWith((yield* manageKeys).create(id, request, tokenManager), "InvalidParameter")
      assert.strictEqual(error.parameter, "origins")
    }).pipe(Effect.provide(ports))
  )

  it.effect("an unknown organization has no keys, an unknown key is not revoked", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      yield* failsWith(manage.create(unique("org"), keyRequest(), tokenManager), "NotFound")
      yield* failsWith(manage.revoke(unique("key"), tokenManager), "NotFound")
      assert.deepStrictEqual(yield* auditTrail, [])
    }).pipe(Effect.provide(ports))
  )

  it.effect("a revoked key is refused at once, and the audit log says who took it", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      const { id } = yield* storedOrganization()
      const { record, secret } = yield* manage.create(id, keyRequest(), tokenManager)
      yield* atNoon
      assert.deepStrictEqual(yield* manage.revoke(record.id, { ...tokenManager, actor: "ada" }), {
        ...record,
        revoked_at: noon
      })
      yield* failsWith((yield* authenticate)(secret), "InvalidApiKey")
      assert.deepStrictEqual((yield* auditTrailWithoutIds)[1], {
        at: noon,
        actor: "ada",
        action: "key.revoked",
        subject: record.id,
        organization_id: id,
        details: { prefix: record.prefix }
      })
    }).pipe(Effect.provide(ports))
  )

  it.effect("revoking a key once more answers the first time and is not audited, even at the same time", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      const { id } = yield* storedOrganization()
      const { record } = yield* manage.create(id, keyRequest(), tokenManager)
      yield* atNoon
      const revoked = yield* manage.revoke(record.id, { ...tokenManager, actor: "ada" })
      assert.deepStrictEqual(yield* manage.revoke(record.id, tokenManager), revoked)
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(yield* manage.revoke(record.id, tokenManager), revoked)
      const actions = (yield* auditTrail).map(({ action, actor }) => [action, actor])
      assert.deepStrictEqual(actions, [
        ["key.created", "operator"],
        ["key.revoked", "ada"]
      ])
    }).pipe(Effect.provide(ports))
  )
})
