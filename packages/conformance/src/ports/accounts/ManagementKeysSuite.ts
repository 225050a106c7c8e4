/** Conformance suite of the port `ManagementKeys`. */
import { assert, layer, type Vitest } from "@effect/vitest"
import {
  type ManagementKey,
  maxManagementKeys,
  useInterval_ms
} from "@postcode/gateway/accounts/managementKeys/ManagementKey"
import { ManagementKeys } from "@postcode/gateway/accounts/managementKeys/ManagementKeys"
import { memberRoles } from "@postcode/gateway/ManagementAccess"
import { organizationClosed, type StatusChange } from "@postcode/gateway/organizations/Organization"
import { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect, Exit, type Layer } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { checkPaging, readAll } from "../../fixtures/Paging.ts"
import { nextTimestamp, storedOrganization, unique } from "../../fixtures/Records.ts"

type It = Vitest.MethodsNonLive<ManagementKeys | Organizations>

/** Registers the tests of the port `ManagementKeys`. */
export const managementKeysSuite = <E>(name: string, adapter: Layer.Layer<ManagementKeys | Organizations, E>): void =>
  layer(adapter, { excludeTestServices: true })(`ManagementKeys ${name}`, (it) => {
    addFindTests(it)
    addUseTests(it)
    addRevocationTests(it)
    addListTests(it)
    addCountTests(it)
    addReplacementTests(it)
    addClosingTests(it)
    addLoweredTests(it)
  })

const addFindTests = (it: It): void => {
  it.effect("a key is found by its hash and by its id, with its role and organization", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { id } = yield* storedOrganization()
      for (const role of memberRoles) {
        const { hash, record } = yield* stored(id, { role })
        assert.deepStrictEqual(yield* keys.get(record.id), record)
        assert.deepInclude(yield* keys.findByHash(hash, nextTimestamp()), record)
      }
    })
  )

  it.effect("an unknown hash or id finds nothing, and no key is stored for an unknown organization", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { hash, record } = yield* stored((yield* storedOrganization()).id)
      for (const other of [unique("hash"), record.id, ""]) {
        assert.isUndefined(yield* keys.findByHash(other, nextTimestamp()))
      }
      for (const other of [unique("mgk"), hash, "", "\0"]) {
        yield* failsWith(keys.get(other), "NotFound")
        yield* failsWith(keys.revoke(other, nextTimestamp()), "NotFound")
      }
      const homeless = unique("hash")
      yield* failsWith(keys.create(newManagementKey(unique("org")), homeless), "NotFound")
      assert.isUndefined(yield* keys.findByHash(homeless, nextTimestamp()))
    })
  )
}

const addUseTests = (it: It): void => {
  it.effect("an expired key is found with its expiry and addresses, and has no use", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { id } = yield* storedOrganization()
      const expires_at = new Date(Date.parse(nextTimestamp()) + 60_000).toISOString()
      const { hash, record } = yield* stored(id, { expires_at, allowed_ips: ["203.0.113.7", "2001:db8::/32"] })
      assert.deepStrictEqual(yield* keys.get(record.id), record)
      assert.deepStrictEqual(yield* keys.findByHash(hash, expires_at), record)
      assert.deepStrictEqual(yield* keys.get(record.id), record)
    })
  )

  it.effect("finding a key sets its last use, exact to a minute; reading its record does not", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* stored(id)
      const other = yield* stored(id)
      const first = nextTimestamp()
      const moved = (by_ms: number) => new Date(Date.parse(first) + by_ms).toISOString()
      const uses = [
        [first, first],
        [moved(useInterval_ms - 1), first],
        [moved(useInterval_ms), moved(useInterval_ms)],
        // The clock of another replica is late.
        [first, moved(useInterval_ms)]
      ] as const
      for (const [now, last_used_at] of uses) {
        yield* keys.findByHash(hash, now)
        assert.deepStrictEqual(yield* keys.get(record.id), { ...record, last_used_at })
      }
      assert.deepStrictEqual(yield* keys.get(other.record.id), other.record)
    })
  )

  it.effect("concurrent uses of one key all find it", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { hash, record } = yield* stored((yield* storedOrganization()).id)
      const now = nextTimestamp()
      const use = Effect.suspend(() => keys.findByHash(hash, now))
      const found = yield* Effect.all(Array(20).fill(use) as ReadonlyArray<typeof use>, { concurrency: "unbounded" })
      for (const key of found) assert.deepInclude(key, record)
      assert.strictEqual((yield* keys.get(record.id)).last_used_at, now)
    })
  )
}

const addRevocationTests = (it: It): void => {
  it.effect("a revoked key is not found at once, stays in the list, and other keys stay active", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* stored(id)
      const other = yield* stored(id)
      const used_at = nextTimestamp()
      assert.isDefined(yield* keys.findByHash(hash, used_at))
      const revoked_at = nextTimestamp()
      const revoked = { ...record, last_used_at: used_at, revoked_at }
      assert.deepStrictEqual(yield* keys.revoke(record.id, revoked_at), { record: revoked, repeated: false })
      assert.isUndefined(yield* keys.findByHash(hash, nextTimestamp()))
      assert.deepStrictEqual(yield* keys.get(record.id), revoked)
      assert.deepStrictEqual(yield* readAll((page) => keys.list(id, page)), [other.record, revoked])
      assert.isDefined(yield* keys.findByHash(other.hash, nextTimestamp()))
    })
  )

  it.effect("revoking again keeps the first time and reports that nothing changed, also concurrently", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { record } = yield* stored((yield* storedOrganization()).id)
      const times = Array.from({ length: 10 }, nextTimestamp)
      const revoked = yield* Effect.all(
        times.map((time) => keys.revoke(record.id, time)),
        { concurrency: "unbounded" }
      )
      const first = revoked.find(({ repeated }) => !repeated)
      assert.include(times, first?.record.revoked_at)
      const again = { ...first, repeated: true }
      assert.sameDeepMembers(revoked, [first, ...Array(9).fill(again)])
      assert.deepStrictEqual<unknown>(yield* keys.revoke(record.id, nextTimestamp()), again)
    })
  )
}

const addListTests = (it: It): void => {
  it.effect("an organization's keys are listed newest first, page by page, and no others", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { id } = yield* storedOrganization()
      const ids: Array<string> = []
      for (let i = 0; i < 5; i++) ids.push((yield* stored(id)).record.id)
      yield* stored((yield* storedOrganization()).id)
      yield* checkPaging({
        list: (page) => keys.list(id, page),
        idOf: (key) => key.id,
        ids,
        isPrivate: true,
        add: Effect.suspend(() => keys.create(newManagementKey(id), unique("hash")))
      })
      const empty = yield* storedOrganization()
      assert.deepStrictEqual(yield* readAll((page) => keys.list(empty.id, page)), [])
      yield* failsWith(keys.list(unique("org"), { limit: 1, cursor: undefined }), "NotFound")
    })
  )
}

const addCountTests = (it: It): void => {
  it.effect(
    `a creator has at most ${maxManagementKeys} active keys in an organization, also concurrently; revoked and expired ones do not count`,
    () =>
      Effect.gen(function* () {
        const keys = yield* ManagementKeys
        const { id } = yield* storedOrganization()
        const created_by = unique("acc")
        const first = yield* stored(id, { created_by })
        const create = Effect.suspend(() =>
          Effect.exit(keys.create(newManagementKey(id, { created_by }), unique("hash")))
        )
        const exits = yield* Effect.all(Array(maxManagementKeys + 2).fill(create) as ReadonlyArray<typeof create>, {
          concurrency: "unbounded"
        })
        assert.strictEqual(exits.filter(Exit.isSuccess).length, maxManagementKeys - 1)
        const refused = unique("hash")
        yield* failsWith(keys.create(newManagementKey(id, { created_by }), refused), "Conflict")
        assert.isUndefined(yield* keys.findByHash(refused, nextTimestamp()))
        yield* keys.revoke(first.record.id, nextTimestamp())
        const expires_at = new Date(Date.parse(nextTimestamp()) + 86_400_000).toISOString()
        yield* stored(id, { created_by, expires_at })
        yield* failsWith(keys.create(newManagementKey(id, { created_by }), unique("hash")), "Conflict")
        yield* stored((yield* storedOrganization()).id, { created_by })
        yield* stored(id)
        yield* stored(id, { created_by, created_at: expires_at })
      })
  )
}

const addReplacementTests = (it: It): void => {
  it.effect("a key replaces the active ones with its name and creator in its organization, and no others", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const [{ id }, other] = [yield* storedOrganization(), yield* storedOrganization()]
      const created_by = unique("acc")
      const former = yield* stored(id, { created_by })
      const kept = [
        yield* stored(id, { created_by, name: "another" }),
        yield* stored(id),
        yield* stored(other.id, { created_by })
      ]
      const maker = { id: created_by, organization_id: id, role: "developer" } as const
      yield* failsWith(keys.replace(newManagementKey(id, { created_by }), unique("hash"), maker), "InvalidToken")
      assert.isDefined(yield* keys.findByHash(former.hash, nextTimestamp()))
      const [first, second] = [newManagementKey(id, { created_by }), newManagementKey(id, { created_by })]
      const replaced = { ...(yield* keys.get(former.record.id)), revoked_at: first.created_at }
      assert.deepStrictEqual(yield* keys.replace(first, unique("hash")), [replaced])
      assert.isUndefined(yield* keys.findByHash(former.hash, nextTimestamp()))
      assert.deepStrictEqual(yield* keys.replace(second, unique("hash")), [{ ...first, revoked_at: second.created_at }])
      for (const { hash } of kept) assert.isDefined(yield* keys.findByHash(hash, nextTimestamp()))
    })
  )

  it.effect("a replaced key does not count, also at the maximum", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { id } = yield* storedOrganization()
      const created_by = unique("acc")
      for (let i = 0; i < maxManagementKeys; i++) yield* stored(id, { created_by, name: `machine ${i}` })
      yield* failsWith(keys.replace(newManagementKey(id, { created_by }), unique("hash")), "Conflict")
      const again = newManagementKey(id, { created_by, name: "machine 0" })
      assert.strictEqual((yield* keys.replace(again, unique("hash"))).length, 1)
    })
  )
}

const addClosingTests = (it: It): void => {
  const statusOf = (status: StatusChange["status"]): StatusChange => ({
    status,
    status_reason: "for a test",
    status_changed_at: nextTimestamp()
  })

  it.effect("all of an organization's keys are revoked that are not, and no others", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { id } = yield* storedOrganization()
      const [first, revoked] = [yield* stored(id), yield* stored(id)]
      const elsewhere = yield* stored((yield* storedOrganization()).id)
      const [revoked_at, later] = [nextTimestamp(), nextTimestamp()]
      yield* keys.revoke(revoked.record.id, revoked_at)
      assert.deepStrictEqual([yield* keys.revokeAll(id, later), yield* keys.revokeAll(id, nextTimestamp())], [1, 0])
      const listed = yield* readAll((page) => keys.list(id, page))
      assert.deepStrictEqual(listed, [
        { ...revoked.record, revoked_at },
        { ...first.record, revoked_at: later }
      ])
      assert.isUndefined(yield* keys.findByHash(first.hash, nextTimestamp()))
      assert.isDefined(yield* keys.findByHash(elsewhere.hash, nextTimestamp()))
    })
  )

  it.effect("a suspended organization can get keys, a closed one cannot", () =>
    Effect.gen(function* () {
      const { id } = yield* storedOrganization({}, statusOf("suspended"))
      yield* stored(id)
      yield* (yield* Organizations).changeStatus(id, statusOf("closed"))
      const { message } = yield* failsWith(stored(id), "Conflict")
      assert.strictEqual(message, organizationClosed.message)
    })
  )
}

const addLoweredTests = (it: It): void => {
  it.effect(
    "the keys that an account created are revoked, in one or every organization, except of the kept roles",
    () =>
      Effect.gen(function* () {
        const keys = yield* ManagementKeys
        const [first, second] = [yield* storedOrganization(), yield* storedOrganization()]
        const created_by = unique("acc")
        const owners = [
          yield* stored(first.id, { created_by, role: "owner" }),
          yield* stored(second.id, { created_by, role: "owner" })
        ]
        const developer = yield* stored(first.id, { created_by, role: "developer" })
        const other = yield* stored(first.id, { role: "owner" })
        const ended = yield* stored(first.id, { created_by, role: "owner" })
        yield* keys.revoke(ended.record.id, nextTimestamp())
        const [revoked_at, later] = [nextTimestamp(), nextTimestamp()]
        const revoked = yield* keys.revokeCreatedBy(created_by, undefined, ["developer", "billing"], revoked_at)
        assert.sameDeepMembers(
          [...revoked],
          owners.map(({ record }) => ({ ...record, revoked_at }))
        )
        assert.deepStrictEqual(yield* keys.revokeCreatedBy(created_by, undefined, ["developer"], later), [])
        assert.deepStrictEqual(yield* keys.revokeCreatedBy(created_by, second.id, [], later), [])
        for (const { hash } of owners) assert.isUndefined(yield* keys.findByHash(hash, nextTimestamp()))
        for (const { hash } of [developer, other]) assert.isDefined(yield* keys.findByHash(hash, nextTimestamp()))
        const rest = yield* keys.revokeCreatedBy(created_by, first.id, [], later)
        assert.deepStrictEqual(
          rest.map(({ id }) => id),
          [developer.record.id]
        )
      })
  )

  it.effect("a key of an account that no longer has its role is not stored", () =>
    Effect.gen(function* () {
      const keys = yield* ManagementKeys
      const { id } = yield* storedOrganization()
      const hash = unique("hash")
      const maker = { id: unique("acc"), organization_id: id, role: "owner" } as const
      yield* failsWith(keys.create(newManagementKey(id), hash, maker), "InvalidToken")
      assert.isUndefined(yield* keys.findByHash(hash, nextTimestamp()))
    })
  )
}

const newManagementKey = (organization_id: string, fields: Partial<ManagementKey> = {}): ManagementKey => ({
  id: unique("mgk"),
  organization_id,
  name: "back office",
  role: "developer",
  prefix: "svc_mk_AbCd",
  created_by: unique("acc"),
  allowed_ips: [],
  created_at: nextTimestamp(),
  ...fields
})

const stored = Effect.fnUntraced(function* (organization_id: string, fields: Partial<ManagementKey> = {}) {
  const record = newManagementKey(organization_id, fields)
  const hash = unique("hash")
  yield* (yield* ManagementKeys).create(record, hash)
  return { record, hash }
})
