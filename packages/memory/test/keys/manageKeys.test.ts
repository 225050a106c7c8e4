import { assert, describe, it } from "@effect/vitest"
import { failsWith, storedOrganization, unique } from "@postcode/conformance"
import { isWellFormedKey } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { authenticate } from "@postcode/gateway/keys/authenticate"
import { type KeyRequest, manageKeys } from "@postcode/gateway/keys/manageKeys"
import { type Manager, tokenManager } from "@postcode/gateway/ManagementAccess"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
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

const day_ms = 86_400_000

const ada: Manager = { ...tokenManager, actor: "ada" }

describe("manageKeys", () => {
  it.effect.each([
    ["secret", "test", /^svc_test_[0-9A-Za-z]{38}$/],
    ["secret", "live", /^svc_live_[0-9A-Za-z]{38}$/],
    ["publishable", "test", /^svc_pk_[0-9A-Za-z]{38}$/],
    ["publishable", "live", /^svc_pk_[0-9A-Za-z]{38}$/]
  ] as const)("a %s %s key is created, shown once, and works", ([kind, environment, form]) =>
    Effect.gen(function* () {
      yield* atNoon
      const organization = yield* storedOrganization({}, { kyb_status: "verified" })
      const origins = kind === "publishable" ? ["https://shop.example"] : []
      const limit = kind === "publishable" ? { daily_credit_limit: 1_000 } : {}
      const request = keyRequest({ kind, environment, origins, rate_limit_per_minute: 90, ...limit })
      const { record, secret } = yield* (yield* manageKeys).create(organization.id, request, tokenManager)
      const key = Redacted.value(secret)
      assert.match(key, form)
      assert.isTrue(isWellFormedKey(key))
      const { id, ...fields } = record
      assert.match(id, /^key_[0-9A-Za-z]{20}$/)
      const prefix = key.slice(0, key.lastIndexOf("_") + 5)
      const owned = { allowed_ips: [], organization_id: organization.id }
      assert.deepStrictEqual(fields, { ...request, ...owned, prefix, created_at: noon })
      const principal = yield* (yield* authenticate)(Redacted.value(secret))
      assert.deepInclude(principal, { key_id: id, kind, environment, origins, rate_limit_per_minute: 90 })
      assert.deepStrictEqual(yield* auditTrailWithoutIds, [
        {
          at: noon,
          actor: "operator",
          action: "key.created",
          subject: id,
          organization_id: organization.id,
          details: { name: "checkout", kind, environment, max_level: 3, prefix, ...limit }
        }
      ])
    }).pipe(Effect.provide(ports))
  )

  it.effect("the secret is only in the response", () =>
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

  it.effect("a maximum level above the grant is refused for a live key, and accepted for a test key", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      const { id } = yield* storedOrganization({}, { granted_level: 2, kyb_status: "verified" })
      const live = { environment: "live" } as const
      yield* failsWith(manage.create(id, keyRequest({ ...live, max_level: 3 }), tokenManager), "LevelNotGranted")
      assert.deepStrictEqual(yield* auditTrail, [])
      yield* manage.create(id, keyRequest({ ...live, max_level: 2 }), tokenManager)
      yield* manage.create(id, keyRequest({ max_level: 5 }), tokenManager)
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

  it.effect("a publishable key has a limit of 1,000 credits a day by default, and a secret key has none", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      const { id } = yield* storedOrganization()
      const limitOf = (request: Partial<KeyRequest>) =>
        Effect.map(manage.create(id, keyRequest(request), tokenManager), ({ record }) => record.daily_credit_limit)
      assert.strictEqual(yield* limitOf({ kind: "publishable" }), 1_000)
      for (const daily_credit_limit of [1, 50_000]) {
        assert.strictEqual(yield* limitOf({ kind: "publishable", daily_credit_limit }), daily_credit_limit)
      }
      assert.isUndefined(yield* limitOf({}))
      const { items } = yield* (yield* ApiKeys).list(id, { limit: 9, cursor: undefined })
      assert.deepStrictEqual(
        items.map(({ daily_credit_limit }) => daily_credit_limit),
        [undefined, 50_000, 1, 1_000]
      )
    }).pipe(Effect.provide(ports))
  )

  it.effect("the successor of a publishable key has its daily limit", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      const { id } = yield* storedOrganization()
      const { record } = yield* manage.create(id, keyRequest({ kind: "publishable", daily_credit_limit: 70 }), ada)
      assert.strictEqual((yield* manage.rotate(record.id, "1h", ada)).record.daily_credit_limit, 70)
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

  it.effect("a key of an unknown organization is not created, and an unknown key is not revoked", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      yield* failsWith(manage.create(unique("org"), keyRequest(), tokenManager), "NotFound")
      yield* failsWith(manage.revoke(unique("key"), tokenManager), "NotFound")
      assert.deepStrictEqual(yield* auditTrail, [])
    }).pipe(Effect.provide(ports))
  )

  it.effect("a rotated key has a successor with its settings, and the audit log names the actor", () =>
    Effect.gen(function* () {
      yield* atNoon
      const manage = yield* manageKeys
      const { id } = yield* storedOrganization({}, { kyb_status: "verified" })
      const limits = { rate_limit_per_minute: 90, daily_credit_limit: 500, expires_at: "2026-05-01T12:00:00.000Z" }
      const request = keyRequest({ environment: "live", name: "shop", ...limits })
      const { record } = yield* manage.create(id, request, tokenManager)
      yield* TestClock.adjust(10 * day_ms)
      const { record: successor, replaced, secret } = yield* manage.rotate(record.id, "24h", ada)
      const at = "2026-02-10T12:00:00.000Z"
      assert.deepStrictEqual<unknown>(successor, {
        ...request,
        allowed_ips: [],
        id: successor.id,
        organization_id: id,
        prefix: Redacted.value(secret).slice(0, 13),
        created_at: at,
        expires_at: "2026-05-11T12:00:00.000Z",
        replaces: record.id,
        chain_id: record.id
      })
      const end = { expires_at: "2026-02-11T12:00:00.000Z", replaced_by: successor.id }
      assert.deepStrictEqual(replaced, { ...record, ...end })
      assert.propertyVal(yield* (yield* authenticate)(Redacted.value(secret)), "key_id", successor.id)
      const { environment, kind, max_level, name, prefix } = successor
      const terms = { name, kind, environment, max_level, prefix, daily_credit_limit: 500 }
      assert.deepStrictEqual<unknown>((yield* auditTrailWithoutIds)[1], {
        at,
        actor: "ada",
        action: "key.rotated",
        subject: record.id,
        organization_id: id,
        details: {
          ...terms,
          expires_at: successor.expires_at,
          replaced_by: successor.id,
          overlap: "24h",
          ended_at: end.expires_at
        }
      })
    }).pipe(Effect.provide(ports))
  )

  it.effect("a refused rotation creates no key, keeps the old one, and is not audited", () =>
    Effect.gen(function* () {
      yield* atNoon
      const manage = yield* manageKeys
      const organizations = yield* Organizations
      const { id } = yield* storedOrganization({}, { kyb_status: "verified" })
      const { record, secret } = yield* manage.create(id, keyRequest({ environment: "live" }), tokenManager)
      const rotate = (key = record.id) => manage.rotate(key, "now", tokenManager)
      yield* failsWith(rotate(unique("key")), "NotFound")
      yield* organizations.update(id, { granted_level: 2 })
      yield* failsWith(rotate(), "LevelNotGranted")
      yield* organizations.update(id, { granted_level: 3, kyb_status: "rejected" })
      yield* failsWith(rotate(), "KybRequired")
      yield* (yield* authenticate)(Redacted.value(secret))
      assert.lengthOf((yield* (yield* ApiKeys).list(id, { limit: 9, cursor: undefined })).items, 1)
      assert.lengthOf(yield* auditTrail, 1)
      yield* organizations.update(id, { kyb_status: "verified" })
      const all = yield* Effect.all(
        Array.from({ length: 5 }, () => Effect.result(rotate())),
        { concurrency: 5 }
      )
      assert.lengthOf(
        all.filter(({ _tag }) => _tag === "Success"),
        1
      )
      yield* failsWith((yield* authenticate)(Redacted.value(secret)), "InvalidApiKey")
      assert.deepStrictEqual(
        (yield* auditTrail).map(({ action }) => action),
        ["key.created", "key.rotated"]
      )
    }).pipe(Effect.provide(ports))
  )

  it.effect("an expiry is in the future and within ten years, to the millisecond", () =>
    Effect.gen(function* () {
      yield* atNoon
      const manage = yield* manageKeys
      const { id } = yield* storedOrganization()
      const create = (expires_at: string) => manage.create(id, keyRequest({ expires_at }), tokenManager)
      const last = new Date(Date.parse(noon) + 3_653 * day_ms).toISOString()
      for (const refused of [noon, "2026-01-31T11:59:59.999Z", last.replace(".000Z", ".001Z")]) {
        const error = yield* failsWith(create(refused), "InvalidParameter")
        assert.strictEqual(error.parameter, "expires_at")
      }
      for (const taken of ["2026-01-31T12:00:00.001Z", last]) yield* create(taken)
    }).pipe(Effect.provide(ports))
  )

  it.effect("a revoked key is refused immediately, and the audit log names the actor", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      const { id } = yield* storedOrganization()
      const { record, secret } = yield* manage.create(id, keyRequest(), tokenManager)
      yield* atNoon
      assert.deepStrictEqual(yield* manage.revoke(record.id, ada), {
        ...record,
        revoked_at: noon
      })
      yield* failsWith((yield* authenticate)(Redacted.value(secret)), "InvalidApiKey")
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

  it.effect("revoking a key again returns the first time and is not audited, also concurrently", () =>
    Effect.gen(function* () {
      const manage = yield* manageKeys
      const { id } = yield* storedOrganization()
      const { record } = yield* manage.create(id, keyRequest(), tokenManager)
      yield* atNoon
      const revoked = yield* manage.revoke(record.id, ada)
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
