/** Conformance suite of the port `ApiKeys`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import { type ApiKeyRecord, maxActiveKeys, type Principal } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import {
  type OrganizationStatus,
  organizationClosed,
  type StatusChange
} from "@postcode/gateway/organizations/Organization"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, Exit, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { checkPaging, readAll } from "../../fixtures/Paging.ts"
import { newKey, nextTimestamp, storedKey, storedOrganization, unique } from "../../fixtures/Records.ts"
import type { SuiteOptions } from "../../fixtures/SuiteOptions.ts"
import { addKeyChangeTests } from "./KeyChangesSuite.ts"
import { addKeyEndTests } from "./KeyEndsSuite.ts"

type It = Vitest.MethodsNonLive<ApiKeys | Organizations>

/** Registers the tests of the port `ApiKeys`. */
export const apiKeysSuite = <E>(
  name: string,
  adapter: Layer.Layer<ApiKeys | Organizations, E>,
  options: SuiteOptions = {}
): void =>
  layer(adapter, { excludeTestServices: true })(`ApiKeys ${name}`, (it) => {
    addFindTests(it)
    addOrganizationTests(it)
    addStatusTests(it)
    addRevocationTests(it)
    addListTests(it, options)
    addCountTests(it)
    addKeyEndTests(it)
    addKeyChangeTests(it)
  })

const addFindTests = (it: It): void => {
  it.effect("a key is found by its hash and by its id, with its rights and its organization's grant", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { granted_level, id } = yield* storedOrganization({}, { granted_level: 2 })
      const limited = { kind: "publishable", origins: ["https://shop.example"], rate_limit_per_minute: 90 } as const
      for (const fields of [{}, { ...limited, environment: "live", scopes: ["search"], max_level: 5 }] as const) {
        const { hash, record } = yield* storedKey(id, fields)
        const principal = yield* keys.findByHash(hash, nextTimestamp())
        assert.deepStrictEqual(principal, principalOf(record, granted_level))
        assert.deepStrictEqual(yield* keys.findById(record.id, nextTimestamp()), principal)
      }
    })
  )

  it.effect("an unknown hash or id finds no principal", () =>
    Effect.gen(function* () {
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      const keys = yield* ApiKeys
      for (const other of [unique("hash"), record.id, ""]) {
        assert.isUndefined(yield* keys.findByHash(other, nextTimestamp()))
      }
      for (const other of [unique("key"), hash, id, ""]) {
        assert.isUndefined(yield* keys.findById(other, nextTimestamp()))
      }
    })
  )

  it.effect("the record of a key is found by its id, active or not, and reading it does not count as use", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { record } = yield* storedKey(id)
      assert.deepStrictEqual(yield* keys.get(record.id), record)
      const revoked_at = nextTimestamp()
      yield* keys.revoke(record.id, revoked_at)
      assert.deepStrictEqual(yield* keys.get(record.id), { ...record, revoked_at })
      yield* failsWith(keys.get(unique("key")), "NotFound")
    })
  )

  it.effect("a key of an organization that does not exist is not stored", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const hash = unique("hash")
      yield* failsWith(keys.create(newKey(unique("org")), hash), "NotFound")
      assert.isUndefined(yield* keys.findByHash(hash, nextTimestamp()))
    })
  )
}

const addOrganizationTests = (it: It): void => {
  it.effect("a key has its organization's current grant", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization({}, { granted_level: 2 })
      const { hash, record } = yield* storedKey(id)
      for (const granted_level of [2, 5, 1] as const) {
        yield* (yield* Organizations).update(id, { granted_level })
        assert.propertyVal(yield* keys.findByHash(hash, nextTimestamp()), "granted_level", granted_level)
        assert.propertyVal(yield* keys.findById(record.id, nextTimestamp()), "granted_level", granted_level)
      }
    })
  )

  it.effect("a key has its organization's current rate limit", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization({}, { rate_limit_per_minute: 60 })
      const { hash, record } = yield* storedKey(id)
      const limits = Effect.fnUntraced(function* () {
        const found = [yield* keys.findByHash(hash, nextTimestamp()), yield* keys.findById(record.id, nextTimestamp())]
        return found.map((principal) => principal?.organization_rate_limit_per_minute)
      })
      assert.deepStrictEqual(yield* limits(), [60, 60])
      for (const [given, seen] of [[7, 7] as const, [null, undefined] as const]) {
        yield* (yield* Organizations).update(id, { rate_limit_per_minute: given })
        assert.deepStrictEqual(yield* limits(), [seen, seen])
      }
    })
  )

  it.effect("a key has its organization's current verification", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      for (const kyb_status of ["unverified", "verified", "pending", "verified", "rejected"] as const) {
        yield* (yield* Organizations).update(id, { kyb_status })
        const organization_verified = kyb_status === "verified"
        assert.deepInclude(yield* keys.findByHash(hash, nextTimestamp()), { organization_verified })
        assert.deepInclude(yield* keys.findById(record.id, nextTimestamp()), { organization_verified })
      }
    })
  )
}

const addStatusTests = (it: It): void => {
  const changeTo = (status: OrganizationStatus): StatusChange => ({
    status,
    status_reason: "for a test",
    status_changed_at: nextTimestamp()
  })

  it.effect("a key shows at once whether its organization is suspended", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      for (const status of ["active", "suspended", "active", "suspended"] as const) {
        yield* (yield* Organizations).changeStatus(id, changeTo(status))
        const organization_suspended = status === "suspended"
        assert.deepInclude(yield* keys.findByHash(hash, nextTimestamp()), { organization_suspended })
        assert.deepInclude(yield* keys.findById(record.id, nextTimestamp()), { organization_suspended })
      }
    })
  )

  it.effect("closing revokes the organization's keys that are not revoked, and no other ones", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const organizations = yield* Organizations
      const { id } = yield* storedOrganization()
      const elsewhere = yield* storedKey((yield* storedOrganization()).id)
      const made = [yield* storedKey(id), yield* storedKey(id, { kind: "publishable" }), yield* storedKey(id)]
      const [first, second, revoked] = made.map(({ record }) => record)
      const revoked_at = nextTimestamp()
      yield* keys.revoke(revoked?.id ?? "", revoked_at)
      yield* organizations.changeStatus(id, changeTo("suspended"))
      const change = changeTo("closed")
      assert.propertyVal(yield* organizations.changeStatus(id, change), "revoked_keys", 2)
      assert.propertyVal(yield* organizations.changeStatus(id, changeTo("closed")), "revoked_keys", 0)
      assert.deepStrictEqual(yield* readAll((page) => keys.list(id, page)), [
        { ...(revoked as ApiKeyRecord), revoked_at },
        { ...(second as ApiKeyRecord), revoked_at: change.status_changed_at },
        { ...(first as ApiKeyRecord), revoked_at: change.status_changed_at }
      ])
      for (const { hash } of made) assert.isUndefined(yield* keys.findByHash(hash, nextTimestamp()))
      assert.isDefined(yield* keys.findByHash(elsewhere.hash, nextTimestamp()))
    })
  )

  it.effect("a suspended organization can get keys, a closed one cannot", () =>
    Effect.gen(function* () {
      const { id } = yield* storedOrganization({}, changeTo("suspended"))
      yield* storedKey(id)
      yield* (yield* Organizations).changeStatus(id, changeTo("closed"))
      const { message } = yield* failsWith(storedKey(id), "Conflict")
      assert.strictEqual(message, organizationClosed.message)
    })
  )

  it.effect("of keys that are created while their organization is closed, none stays active", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const organizations = yield* Organizations
      for (let round = 0; round < 5; round++) {
        const { id } = yield* storedOrganization({}, changeTo("suspended"))
        const creating = Array.from({ length: 10 }, () => Effect.result(storedKey(id)))
        const closing = organizations.changeStatus(id, changeTo("closed"))
        yield* Effect.all([...creating.slice(0, 5), closing, ...creating.slice(5)], { concurrency: "unbounded" })
        const left = yield* readAll((page) => keys.list(id, page))
        assert.deepStrictEqual(
          left.filter(({ revoked_at }) => revoked_at === undefined),
          []
        )
      }
    })
  )
}

const addCountTests = (it: It): void => {
  const storedKeys = (organization_id: string, count: number) =>
    Effect.all(
      Array.from({ length: count }, () => storedKey(organization_id)),
      { concurrency: 10 }
    )

  it.effect(`an organization has at most ${maxActiveKeys} active keys; revoked and expired ones do not count`, () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const at = nextTimestamp()
      yield* storedKey(id, { expires_at: at })
      const [first] = yield* storedKeys(id, maxActiveKeys)
      const hash = unique("hash")
      yield* failsWith(keys.create(newKey(id), hash), "Conflict")
      assert.isUndefined(yield* keys.findByHash(hash, nextTimestamp()))
      yield* keys.revoke(first?.record.id ?? "", nextTimestamp())
      yield* storedKey(id)
      yield* failsWith(keys.create(newKey(id), unique("hash")), "Conflict")
      yield* storedKey((yield* storedOrganization()).id)
    })
  )

  it.effect("of two concurrent keys at one below the maximum, exactly one is created", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      yield* storedKeys(id, maxActiveKeys - 1)
      const create = Effect.suspend(() => Effect.exit(keys.create(newKey(id), unique("hash"))))
      const exits = yield* Effect.all([create, create], { concurrency: "unbounded" })
      assert.strictEqual(exits.filter(Exit.isSuccess).length, 1)
      assert.strictEqual((yield* readAll((page) => keys.list(id, page))).length, maxActiveKeys)
    })
  )

  it.effect("at one below the maximum a key can be rotated with an overlap, and at the maximum without one", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const stored = yield* storedKeys(id, maxActiveKeys - 1)
      const ids = stored.map(({ record }) => record.id)
      const rotate = Effect.fnUntraced(function* (key: string | undefined, ending: (at: string) => object) {
        const at = nextTimestamp()
        const successor = newKey(id, { replaces: key ?? "", created_at: at })
        const rotation = { id: key ?? "", at, successor, hash: unique("hash"), expires_at: at, ...ending(at) }
        return yield* keys.rotate(rotation)
      })
      const later = () => ({ expires_at: "2999-01-31T00:00:00.000Z" })
      const now = (at: string) => ({ revoked_at: at })
      yield* rotate(ids[0], later)
      yield* failsWith(rotate(ids[1], later), "Conflict")
      assert.notProperty(yield* keys.get(ids[1] ?? ""), "replaced_by")
      yield* rotate(ids[1], now)
      yield* failsWith(keys.create(newKey(id), unique("hash")), "Conflict")
    })
  )
}

const addRevocationTests = (it: It): void => {
  it.effect("a revoked key is not found, and stays in the list", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      const other = yield* storedKey(id)
      const revoked_at = nextTimestamp()
      const revoked = { record: { ...record, revoked_at }, repeated: false }
      assert.deepStrictEqual(yield* keys.revoke(record.id, revoked_at), revoked)
      assert.isUndefined(yield* keys.findByHash(hash, nextTimestamp()))
      assert.isUndefined(yield* keys.findById(record.id, nextTimestamp()))
      assert.deepStrictEqual(yield* readAll((page) => keys.list(id, page)), [other.record, { ...record, revoked_at }])
      assert.isDefined(yield* keys.findByHash(other.hash, nextTimestamp()))
    })
  )

  it.effect("a key that was found before is not found after its revocation, by its hash or by its id", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      const found = () =>
        Effect.all([keys.findByHash(hash, nextTimestamp()), keys.findById(record.id, nextTimestamp())])
      for (const principal of yield* found()) assert.propertyVal(principal, "key_id", record.id)
      yield* keys.revoke(record.id, nextTimestamp())
      assert.deepStrictEqual(yield* found(), [undefined, undefined])
    })
  )

  it.effect("revoking again keeps the first time and reports that nothing changed, also concurrently", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { record } = yield* storedKey(id)
      const times = Array.from({ length: 20 }, nextTimestamp)
      const revoked = yield* Effect.all(
        times.map((time) => keys.revoke(record.id, time)),
        { concurrency: "unbounded" }
      )
      const first = revoked.find(({ repeated }) => !repeated)
      const revoked_at = first?.record.revoked_at
      assert.include(times, revoked_at)
      const again = { ...first, repeated: true }
      assert.sameDeepMembers(revoked, [first, ...Array(19).fill(again)])
      for (const time of [nextTimestamp(), revoked_at ?? ""]) {
        assert.deepStrictEqual<unknown>(yield* keys.revoke(record.id, time), again)
      }
    })
  )

  it.effect("an unknown key cannot be revoked", () =>
    Effect.gen(function* () {
      yield* failsWith((yield* ApiKeys).revoke(unique("key"), nextTimestamp()), "NotFound")
    })
  )

  it.effect("no request finds a key after its revocation", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      let revoked = false
      const request = Effect.fnUntraced(function* (by: "hash" | "id") {
        const late = revoked
        const now = nextTimestamp()
        const principal = yield* by === "hash" ? keys.findByHash(hash, now) : keys.findById(record.id, now)
        assert.isFalse(late && principal !== undefined, "found after the revocation was done")
        yield* Effect.yieldNow
      })
      const revoke = Effect.gen(function* () {
        yield* Effect.yieldNow
        yield* keys.revoke(record.id, nextTimestamp())
        revoked = true
      })
      const requests = Array.from({ length: 20 }, (_, i) =>
        Effect.replicateEffect(request(i % 2 === 0 ? "hash" : "id"), 10)
      )
      yield* Effect.all([...requests, revoke], { concurrency: "unbounded" })
      assert.isUndefined(yield* keys.findByHash(hash, nextTimestamp()))
    })
  )
}

const addListTests = (it: It, { settle = Effect.void }: SuiteOptions): void => {
  it.effect("finding a key marks it as used; a refused key is not marked", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const unused = yield* storedKey(id)
      const used = yield* storedKey(id)
      yield* keys.findByHash(used.hash, nextTimestamp())
      const last_used_at = nextTimestamp()
      yield* keys.findByHash(used.hash, last_used_at)
      const revoked_at = nextTimestamp()
      yield* keys.revoke(used.record.id, revoked_at)
      yield* keys.findByHash(used.hash, nextTimestamp())
      yield* settle
      assert.deepStrictEqual(yield* readAll((page) => keys.list(id, page)), [
        { ...used.record, revoked_at, last_used_at },
        unused.record
      ])
    })
  )

  it.effect("the last use is the latest one, by hash or by id", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      const finds = [
        (now: string) => keys.findById(record.id, now),
        (now: string) => keys.findByHash(hash, now),
        (now: string) => keys.findById(record.id, now),
        (now: string) => keys.findById(record.id, now),
        (now: string) => keys.findByHash(hash, now)
      ]
      for (const find of finds) {
        const last_used_at = nextTimestamp()
        yield* find(last_used_at)
        yield* settle
        assert.deepStrictEqual(yield* readAll((page) => keys.list(id, page)), [{ ...record, last_used_at }])
      }
      // By hash and by id, before the last use is written.
      for (const find of finds) yield* find(nextTimestamp())
      const last_used_at = nextTimestamp()
      yield* keys.findById(record.id, last_used_at)
      yield* settle
      assert.deepStrictEqual(yield* readAll((page) => keys.list(id, page)), [{ ...record, last_used_at }])
    })
  )

  it.effect("the list contains only the organization's keys, paged, newest first", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      yield* storedKey((yield* storedOrganization()).id)
      const made = yield* Effect.replicateEffect(storedKey(id), 5)
      const context = yield* Effect.context<ApiKeys>()
      yield* checkPaging({
        list: (page) => keys.list(id, page),
        idOf: (key) => key.id,
        ids: made.map(({ record }) => record.id),
        isPrivate: true,
        add: Effect.provideContext(storedKey(id), context)
      })
      yield* failsWith(keys.list(unique("org"), { limit: 20, cursor: undefined }), "NotFound")
    })
  )
}

const principalOf = (key: ApiKeyRecord, granted_level: Principal["granted_level"]): Principal => ({
  key_id: key.id,
  chain_id: key.chain_id,
  organization_id: key.organization_id,
  kind: key.kind,
  environment: key.environment,
  scopes: key.scopes,
  max_level: key.max_level,
  granted_level,
  organization_verified: false,
  organization_suspended: false,
  origins: key.origins,
  allowed_ips: key.allowed_ips,
  rate_limit_per_minute: key.rate_limit_per_minute,
  organization_rate_limit_per_minute: undefined
})
