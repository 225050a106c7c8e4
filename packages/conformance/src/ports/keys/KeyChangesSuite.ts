/** Changes of keys: a part of the suite of the port `ApiKeys`. */
import { assert, type Vitest } from "@effect/vitest"
import type { ApiKeyRecord, KeyPatch } from "@postcode/gateway/keys/ApiKey"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import type { Organizations } from "@postcode/gateway/organizations/Organizations"
import { Effect } from "effect"
import { failsWith } from "../../fixtures/Failures.ts"
import { readAll } from "../../fixtures/Paging.ts"
import { newKey, nextTimestamp, storedKey, storedOrganization, unique } from "../../fixtures/Records.ts"

type It = Vitest.MethodsNonLive<ApiKeys | Organizations>

/** Adds the tests of changes to keys. */
export const addKeyChangeTests = (it: It): void => {
  it.effect("a patch changes its fields, and no others, in the record, the list and the principal", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id: organization_id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(organization_id, {
        kind: "publishable",
        origins: ["https://a.example"]
      })
      const other = yield* storedKey(organization_id)
      const patches: ReadonlyArray<readonly [KeyPatch, ReadonlyArray<string>]> = [
        [{ name: "renamed" }, ["name"]],
        [{ origins: ["https://b.example", "https://*.b.example"] }, ["origins"]],
        [{ allowed_ips: ["203.0.113.7", "2001:db8::/32"] }, ["allowed_ips"]],
        [{ rate_limit_per_minute: 60, daily_credit_limit: 500 }, ["daily_credit_limit", "rate_limit_per_minute"]],
        [{ name: "again", origins: [], allowed_ips: [] }, ["allowed_ips", "name", "origins"]]
      ]
      let expected: ApiKeyRecord = record
      for (const [patch, changed] of patches) {
        expected = { ...expected, ...patch } as ApiKeyRecord
        const result = yield* keys.update(record.id, patch, nextTimestamp())
        assert.deepStrictEqual(result.changed, changed)
        // The finds below count as uses.
        assert.deepInclude(result.record, expected)
        assert.deepInclude(yield* keys.get(record.id), expected)
        const { allowed_ips, origins, rate_limit_per_minute } = expected
        const principal = { allowed_ips, origins, rate_limit_per_minute }
        assert.deepInclude(yield* keys.findByHash(hash, nextTimestamp()), principal)
        assert.deepInclude(yield* keys.findById(record.id, nextTimestamp()), principal)
      }
      const listed = yield* readAll((page) => keys.list(organization_id, page))
      assert.deepInclude(listed, other.record)
    })
  )

  it.effect("null removes a limit, and a patch of what is there changes nothing", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const limits = { rate_limit_per_minute: 60, daily_credit_limit: 500 }
      const { record } = yield* storedKey(id, { ...limits, allowed_ips: ["203.0.113.7"] })
      for (const patch of [{}, limits, { name: record.name, allowed_ips: ["203.0.113.7"], origins: [] }]) {
        const { changed } = yield* keys.update(record.id, patch, nextTimestamp())
        assert.deepStrictEqual(changed, [])
      }
      const none = { rate_limit_per_minute: null, daily_credit_limit: null }
      const { daily_credit_limit: _, rate_limit_per_minute: __, ...unlimited } = record
      const removed = yield* keys.update(record.id, none, nextTimestamp())
      assert.deepStrictEqual(removed, { record: unlimited, changed: ["daily_credit_limit", "rate_limit_per_minute"] })
      assert.deepStrictEqual(yield* keys.get(record.id), unlimited)
      assert.deepStrictEqual((yield* keys.update(record.id, none, nextTimestamp())).changed, [])
    })
  )

  it.effect("a revoked, expired or unknown key is not changed", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const revoked = yield* storedKey(id)
      yield* keys.revoke(revoked.record.id, nextTimestamp())
      const expired = yield* storedKey(id, { expires_at: nextTimestamp() })
      for (const { record } of [revoked, expired]) {
        const before = yield* keys.get(record.id)
        yield* failsWith(keys.update(record.id, { name: "late" }, nextTimestamp()), "Conflict")
        assert.deepStrictEqual(yield* keys.get(record.id), before)
      }
      yield* failsWith(keys.update(unique("key"), { name: "none" }, nextTimestamp()), "NotFound")
    })
  )

  addRaceTest(it)
  addRotationTest(it)
}

const addRotationTest = (it: It): void => {
  it.effect(
    "a key that was changed after its rotation was prepared is not rotated, since the successor lacks the change",
    () =>
      Effect.gen(function* () {
        const keys = yield* ApiKeys
        const { id } = yield* storedOrganization()
        const patches: ReadonlyArray<KeyPatch> = [
          { allowed_ips: ["203.0.113.7"] },
          { daily_credit_limit: 5 },
          { rate_limit_per_minute: 60 },
          { name: "renamed" }
        ]
        for (const patch of patches) {
          const { record } = yield* storedKey(id)
          const at = nextTimestamp()
          const rotation = (successor: ApiKeyRecord) => ({
            id: record.id,
            at,
            expires_at: at,
            successor,
            hash: unique("hash")
          })
          const stale = newKey(id, { created_at: at, replaces: record.id })
          const { record: changed } = yield* keys.update(record.id, patch, at)
          const { message } = yield* failsWith(keys.rotate(rotation(stale)), "Conflict")
          assert.include(message, "was changed meanwhile")
          yield* failsWith(keys.get(stale.id), "NotFound")
          const successor = { ...changed, id: unique("key"), created_at: at, replaces: record.id }
          assert.strictEqual((yield* keys.rotate(rotation(successor))).replaced_by, successor.id)
          assert.deepInclude(yield* keys.get(successor.id), patch as Partial<ApiKeyRecord>)
        }
      })
  )
}

const addRaceTest = (it: It): void => {
  it.effect("concurrent changes of different fields are all kept", () =>
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { record } = yield* storedKey(id)
      const patches: ReadonlyArray<KeyPatch> = [
        { name: "renamed" },
        { allowed_ips: ["203.0.113.7"] },
        { rate_limit_per_minute: 60 },
        { daily_credit_limit: 500 }
      ]
      const updates = Array.from({ length: 40 }, (_, i) =>
        keys.update(record.id, patches[i % 4] ?? {}, nextTimestamp())
      )
      const results = yield* Effect.all(updates, { concurrency: "unbounded" })
      assert.strictEqual(results.filter(({ changed }) => changed.length > 0).length, patches.length)
      assert.deepInclude(yield* keys.get(record.id), Object.assign({}, ...patches) as ApiKeyRecord)
    })
  )
}
