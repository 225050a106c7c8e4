/** Recorded uses reach the database, after failures and from several records. */
import { assert, describe, it } from "@effect/vitest"
import { storedKey, storedOrganization } from "@postcode/conformance"
import { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { Effect, Fiber, Logger } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeLastUses } from "../../src/keys/LastUses.ts"
import { layerMigrated } from "../MigratedDatabase.ts"
import { layerStore } from "../TestStore.ts"

const page = { limit: 1, cursor: undefined }

describe("uses of a key with several records", () => {
  it.effect("a use recorded by another copy of the key, created after the first was idle, is not lost", () =>
    Effect.gen(function* () {
      const uses = yield* makeLastUses(yield* SqlClient.SqlClient)
      const { id } = yield* storedOrganization()
      const { record } = yield* storedKey(id)
      const key = { organization_id: id, key_id: record.id }
      const first = uses.of(key)
      uses.mark(first, "2026-01-31T12:00:00.000Z")
      // Idle records are dropped.
      yield* Effect.repeat(nextRound, { until: () => uses.of(key) !== first })
      const second = uses.of(key)
      uses.mark(first, "2026-01-31T12:10:00.000Z")
      uses.mark(second, "2026-01-31T12:11:00.000Z")
      uses.mark(first, "2026-01-31T12:12:00.000Z")
      yield* uses.write
      const { items } = yield* (yield* ApiKeys).list(id, { limit: 1, cursor: undefined })
      assert.strictEqual(items[0]?.last_used_at, "2026-01-31T12:12:00.000Z")
      uses.mark(second, "2026-01-31T12:13:00.000Z")
      yield* uses.write
      const later = yield* (yield* ApiKeys).list(id, { limit: 1, cursor: undefined })
      assert.strictEqual(later.items[0]?.last_used_at, "2026-01-31T12:13:00.000Z")
    }).pipe(Effect.scoped, Effect.provide(layerStore))
  )
})

describe("the last use of a key", () => {
  it.live("is shown before it is written, also if it cannot be written", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      yield* sql`CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$`
      yield* sql`CREATE TRIGGER refuse BEFORE UPDATE ON postcode.api_keys FOR EACH ROW EXECUTE FUNCTION refuse()`
      const used_at = "2026-01-31T12:00:00.000Z"
      yield* keys.findByHash(hash, used_at)
      const { items } = yield* keys.list(id, page)
      assert.strictEqual(items[0]?.last_used_at, used_at)
      assert.strictEqual((yield* keys.get(record.id)).last_used_at, used_at)
      const [row] = yield* sql`SELECT last_used_at FROM postcode.api_keys WHERE id = ${record.id}`
      assert.isNull(row?.last_used_at)
      yield* sql`DROP TRIGGER refuse ON postcode.api_keys`
    }).pipe(Effect.scoped, Effect.provide(layerStore))
  )

  it.live("is the later one, if another replica has written its own", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* ApiKeys
      const { id } = yield* storedOrganization()
      const { hash, record } = yield* storedKey(id)
      yield* keys.findByHash(hash, "2026-01-31T12:00:00.000Z")
      yield* sql`UPDATE postcode.api_keys SET last_used_at = '2026-01-31T12:00:01Z' WHERE id = ${record.id}`
      assert.strictEqual((yield* keys.get(record.id)).last_used_at, "2026-01-31T12:00:01.000Z")
    }).pipe(Effect.scoped, Effect.provide(layerStore))
  )
})

describe("uses of keys", () => {
  it.effect("are written once the database accepts them again, and the refusal is logged once", () =>
    Effect.gen(function* () {
      const logged: Array<string> = []
      const log = Logger.map(Logger.formatLogFmt, (line) => logged.push(line))
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO postcode.organizations (id, number, name, granted_level, kyb_status, created_at)
        VALUES ('org', 1, 'one', 1, 'pending', now())`
      yield* sql`INSERT INTO postcode.api_keys
        (organization_id, id, number, hash, name, kind, environment, scopes, max_level, origins, prefix, created_at)
        VALUES ('org', 'key', 1, 'hash', 'one', 'secret', 'test', '{lookup}', 1, '{}', 'p', now())`
      const uses = yield* Effect.provideService(makeLastUses(sql), Logger.CurrentLoggers, new Set([log]))
      uses.mark(uses.of({ organization_id: "org", key_id: "key" }), "2026-11-21T12:00:00.000Z")

      yield* sql`ALTER TABLE postcode.api_keys RENAME TO elsewhere`
      yield* Effect.repeat(nextRound, { until: () => logged.length > 0 })
      yield* Effect.replicateEffect(nextRound, 5)
      assert.lengthOf(logged, 1)
      assert.include(logged[0], "uses of keys wait for the database")

      yield* sql`ALTER TABLE postcode.elsewhere RENAME TO api_keys`
      const written = Effect.andThen(
        nextRound,
        sql<{ at: Date | null }>`SELECT last_used_at AS at FROM postcode.api_keys`
      )
      const [row] = yield* Effect.repeat(written, { until: ([row]) => row?.at !== null })
      assert.strictEqual(row?.at?.toISOString(), "2026-11-21T12:00:00.000Z")
    }).pipe(Effect.provide(layerMigrated), Effect.scoped)
  )

  it.effect("are written later if the caller that waited for the write was interrupted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const uses = yield* makeLastUses(sql)
      const use = uses.of({ organization_id: "org", key_id: "key" })
      uses.mark(use, "2026-11-21T12:00:00.000Z")
      yield* Fiber.interrupt(yield* Effect.forkChild(uses.write, { startImmediately: true }))
      assert.isTrue(use.isNew)
    }).pipe(Effect.provide(layerMigrated), Effect.scoped)
  )
})

/** Starts the next check, with real time for its query. */
const nextRound = Effect.andThen(
  TestClock.adjust(5_000),
  Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
)
