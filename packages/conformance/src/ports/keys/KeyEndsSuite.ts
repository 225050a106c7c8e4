/** Expiry and rotation of keys: a part of the suite of the port `ApiKeys`. */
import { assert, type Vitest } from "@effect/vitest"
import { keyExpired } from "@postcode/gateway/Errors"
import { type ApiKeyRecord, chainOf } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys, maxTakenKeys, type Rotation } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { readAll } from "../../fixtures/Paging.ts"
import { newKey, nextTimestamp, storedKey, storedOrganization, unique } from "../../fixtures/Records.ts"

type It = Vitest.MethodsNonLive<ApiKeys | Organizations>

/** Tests of keys with an expiry. */
export const addKeyEndTests = (it: It): void => {
  addExpiryTests(it)
  addNoticeTests(it)
  addRotationTests(it)
  addChainTests(it)
  addRotationRaceTests(it)
}

const addExpiryTests = (it: It): void => {
  it.effect("a key is found until the millisecond before it expires, and then fails as expired", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const expires_at = nextTimestamp()
      const { hash, record } = yield* storedKey(id, { expires_at })
      const finds = [(now: string) => keys.findByHash(hash, now), (now: string) => keys.findById(record.id, now)]
      for (const find of finds) {
        // Back and forth, because replicas keep copies of keys.
        for (const by_ms of [0, -1, 0, 1, -60_000, 86_400_000]) {
          const now = moved(expires_at, by_ms)
          if (by_ms < 0) assert.propertyVal(yield* find(now), "key_id", record.id)
          else assert.strictEqual((yield* failsWith(find(now), "InvalidApiKey")).message, keyExpired.message)
        }
      }
    })
  )

  it.effect("an expired key that is refused is not marked as used, and stays in the list", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const expires_at = nextTimestamp()
      const { hash, record } = yield* storedKey(id, { expires_at })
      yield* failsWith(keys.findByHash(hash, nextTimestamp()), "InvalidApiKey")
      assert.deepStrictEqual(yield* readAll((page) => keys.list(id, page)), [record])
      assert.deepStrictEqual(yield* keys.get(record.id), record)
    })
  )

  it.effect("an expired and revoked key is unknown, like any revoked key", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id, { expires_at: nextTimestamp() })
      yield* keys.revoke(record.id, nextTimestamp())
      assert.isUndefined(yield* keys.findByHash(hash, nextTimestamp()))
    })
  )

  it.effect("the record of a key is as stored, with its charges under a daily limit; no other id finds it", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const limits = { daily_credit_limit: 1_000_000_000, rate_limit_per_minute: 90 }
      const { hash, record } = yield* storedKey(id, { ...limits, expires_at: nextTimestamp() })
      const known = { ...record, credits_today: 0 }
      assert.deepStrictEqual(yield* keys.get(record.id), known)
      assert.deepStrictEqual(yield* readAll((page) => keys.list(id, page)), [known])
      for (const other of [hash, id, "", "\0"]) yield* failsWith(keys.get(other), "NotFound")
    })
  )
}

const addNoticeTests = (it: It): void => {
  const day_ms = 86_400_000
  const created_at = "2040-01-01T00:00:00.000Z"
  const expires_at = "2040-03-01T00:00:00.000Z"

  /** The ids of an organization's keys that are taken at a time, with a notice of 7 days. */
  const takenAt = Effect.fnUntraced(function* (organization_id: string, now: string) {
    const keys = yield* ApiKeys
    const taken: Array<string> = []
    for (;;) {
      // Other tests have keys of other organizations.
      const some = yield* keys.takeExpiring(now, 7 * day_ms)
      taken.push(...some.filter((key) => key.organization_id === organization_id).map(({ id }) => id))
      if (some.length < maxTakenKeys) return taken
    }
  })

  it.effect("a key is taken once, from the notice before its expiry on, with its record", () =>
    Effect.gen(function* () {
      const { id } = yield* storedOrganization()
      const { record } = yield* storedKey(id, { created_at, expires_at })
      assert.deepStrictEqual(yield* takenAt(id, moved(expires_at, -7 * day_ms - 1)), [])
      assert.deepStrictEqual(yield* takenAt(id, moved(expires_at, -7 * day_ms)), [record.id])
      assert.deepStrictEqual(yield* takenAt(id, moved(expires_at, -1)), [])
      assert.deepStrictEqual(yield* (yield* ApiKeys).get(record.id), record)
    })
  )

  it.effect("a key that is replaced, revoked, expired, without an end, or that lives no longer is not taken", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const now = moved(expires_at, -day_ms)
      const { record: rotated } = yield* storedKey(id, { created_at, expires_at })
      const successor = newKey(id, { created_at: now, replaces: rotated.id })
      yield* keys.rotate({ id: rotated.id, at: now, expires_at, successor, hash: unique("hash") })
      const { record: revoked } = yield* storedKey(id, { created_at, expires_at })
      yield* keys.revoke(revoked.id, now)
      yield* storedKey(id, { created_at, expires_at: now })
      yield* storedKey(id, { created_at })
      yield* storedKey(id, { created_at: moved(expires_at, -7 * day_ms), expires_at })
      const { record: longer } = yield* storedKey(id, { created_at: moved(expires_at, -7 * day_ms - 1), expires_at })
      assert.deepStrictEqual(yield* takenAt(id, now), [longer.id])
    })
  )

  it.effect("concurrent calls take each key once", () =>
    Effect.gen(function* () {
      const { id } = yield* storedOrganization()
      const stored = yield* Effect.replicateEffect(storedKey(id, { created_at, expires_at }), 30)
      const taken = yield* Effect.replicateEffect(takenAt(id, moved(expires_at, -day_ms)), 8, {
        concurrency: "unbounded"
      })
      assert.sameMembers(
        taken.flat(),
        stored.map(({ record }) => record.id)
      )
    })
  )
}

const addRotationTests = (it: It): void => {
  it.effect("a rotated key is active until its new expiry next to its successor, and each names the other", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id, { name: "old" })
      // Found before, so that a copy without an expiry may exist.
      const { found, rotation } = yield* prepare(record, hash)
      assert.deepStrictEqual(yield* found(rotation.at), [record.id, undefined])
      const replaced = { ...record, expires_at: rotation.expires_at, replaced_by: rotation.successor.id }
      const { last_used_at: _, ...answered } = yield* keys.rotate(rotation)
      assert.deepStrictEqual<unknown>(answered, replaced)
      const both: [string, string] = [record.id, rotation.successor.id]
      assert.deepStrictEqual(yield* found(rotation.at), both)
      assert.deepStrictEqual(yield* found(moved(rotation.expires_at, -1)), both)
      assert.deepStrictEqual(yield* found(rotation.expires_at), ["expired", rotation.successor.id])
      const listed = yield* readAll((page) => keys.list(id, page))
      assert.deepStrictEqual(listed.map(unused), [rotation.successor, replaced])
    })
  )

  it.effect("a key that is rotated without overlap is revoked, at any time", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      const { found, rotation } = yield* prepare(record, hash)
      const { at } = rotation
      yield* keys.rotate({ ...rotation, expires_at: at, revoked_at: at })
      assert.deepStrictEqual(yield* found(moved(at, -60_000)), [undefined, rotation.successor.id])
      assert.deepInclude(yield* keys.get(record.id), { expires_at: at, revoked_at: at })
    })
  )

  it.effect("rotating a key that is rotated, revoked or expired is a conflict, and no successor is stored", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const rotated = yield* storedKey(id)
      const { rotation: first } = yield* prepare(rotated.record, rotated.hash)
      yield* keys.rotate(first)
      const revoked = yield* storedKey(id)
      yield* keys.revoke(revoked.record.id, nextTimestamp())
      const expired = yield* storedKey(id, { expires_at: nextTimestamp() })
      const before = yield* readAll((page) => keys.list(id, page))
      const refused = [
        [rotated, first.successor.id],
        [revoked, "this key is revoked"],
        [expired, "this key is expired"]
      ] as const
      for (const [{ hash, record }, reason] of refused) {
        const { rotation } = yield* prepare(record, hash)
        assert.include((yield* failsWith(keys.rotate(rotation), "Conflict")).message, reason)
        assert.isUndefined(yield* keys.findByHash(rotation.hash, rotation.at))
      }
      assert.deepStrictEqual(yield* readAll((page) => keys.list(id, page)), before)
      const { rotation } = yield* prepare(newKey(id), "")
      yield* failsWith(keys.rotate(rotation), "NotFound")
    })
  )
}

const addChainTests = (it: It): void => {
  it.effect("a key can be rotated until the millisecond before it expires, and its successor, too", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const expires_at = nextTimestamp()
      const { hash, record } = yield* storedKey(id, { expires_at })
      const { rotation } = yield* prepare(record, hash)
      yield* failsWith(keys.rotate({ ...rotation, at: expires_at }), "Conflict")
      yield* keys.rotate({ ...rotation, at: moved(expires_at, -1), expires_at })
      const { found, rotation: next } = yield* prepare(rotation.successor, rotation.hash)
      yield* keys.rotate(next)
      assert.deepInclude(yield* keys.get(next.successor.id), { chain_id: record.id })
      const principals = [yield* keys.findByHash(next.hash, next.at), yield* keys.findById(next.successor.id, next.at)]
      for (const principal of principals) assert.deepInclude(principal, { chain_id: record.id })
      assert.deepStrictEqual(yield* found(next.at), [rotation.successor.id, next.successor.id])
      assert.deepInclude(yield* keys.get(rotation.successor.id), {
        replaces: record.id,
        replaced_by: next.successor.id
      })
    })
  )
}

const addRotationRaceTests = (it: It): void => {
  it.effect("of concurrent rotations one succeeds, and the others store no key", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      const rotations = yield* Effect.replicateEffect(prepare(record, hash), 20)
      const results = yield* Effect.all(
        rotations.map(({ rotation }) => Effect.result(keys.rotate(rotation))),
        { concurrency: "unbounded" }
      )
      const won = rotations.filter((_, i) => results[i]?._tag === "Success")
      const failures = results.flatMap((result) => (result._tag === "Failure" ? [result.failure._tag] : []))
      assert.deepStrictEqual(failures, Array(19).fill("Conflict"))
      const listed = yield* readAll((page) => keys.list(id, page))
      assert.deepStrictEqual(
        listed.map((key) => key.id),
        [...won.map(({ rotation }) => rotation.successor.id), record.id]
      )
    })
  )

  it.effect("a concurrent rotation and revocation: the old key is revoked, with or without a successor", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      for (let round = 0; round < 10; round++) {
        const { id } = yield* storedOrganization()
        const { hash, record } = yield* storedKey(id)
        const { found, rotation } = yield* prepare(record, hash)
        const revoking = keys.revoke(record.id, rotation.at)
        const rotating = Effect.result(keys.rotate(rotation))
        const [, rotated] = yield* Effect.all([revoking, rotating], { concurrency: "unbounded" })
        const successor = rotated._tag === "Success" ? rotation.successor.id : undefined
        assert.deepStrictEqual(yield* found(rotation.at), [undefined, successor])
        const old = yield* keys.get(record.id)
        assert.strictEqual(old.replaced_by, successor)
        assert.strictEqual(old.revoked_at, rotation.at)
      }
    })
  )
}

/** A rotation with two hours of overlap, and a function that finds both keys at a time. */
const prepare = Effect.fnUntraced(function* (key: ApiKeyRecord, hash: string) {
  const keys = yield* ApiKeys
  const at = nextTimestamp()
  const chain_id = chainOf(key)
  const successor = newKey(key.organization_id, { name: key.name, created_at: at, replaces: key.id, chain_id })
  const rotation: Rotation = {
    id: key.id,
    at,
    expires_at: moved(at, 7_200_000),
    successor,
    hash: unique("hash")
  }
  const find = (hash: string, now: string) =>
    Effect.map(Effect.result(keys.findByHash(hash, now)), (result) =>
      result._tag === "Success" ? result.success?.key_id : result.failure._tag === "InvalidApiKey" ? "expired" : "?"
    )
  const found = (now: string) => Effect.all([find(hash, now), find(rotation.hash, now)])
  return { found, rotation }
})

const unused = ({ last_used_at: _, ...key }: ApiKeyRecord): ApiKeyRecord => key

const moved = (time: string, by_ms: number): string => new Date(Date.parse(time) + by_ms).toISOString()
