import { assert, describe, it } from "@effect/vitest"
import { inOneDay } from "@postcode/conformance"
import { Effect, Fiber, Layer, Logger, type Scope } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryLocks } from "../../src/connection/AdvisoryLocks.ts"
import { cleanUp, keepMonths, layerMaintenance } from "../../src/maintenance/Maintenance.ts"
import { connectionsTo, migratedDatabase } from "../MigratedDatabase.ts"

/** A separate database for each test, because partitions are tested. No month ends within a test. */
const onNewDatabase = <A, E>(test: (url: string) => Effect.Effect<A, E, SqlClient.SqlClient | Scope.Scope>) =>
  Effect.andThen(inOneDay, migratedDatabase).pipe(
    Effect.flatMap((url) => Effect.provide(test(url), connectionsTo(url))),
    Effect.scoped
  )

describe("maintenance", () => {
  it.live("creates the partitions of this month and the next three of each journal, once", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        yield* keepMonths()
        const made = yield* partitions
        yield* keepMonths()
        assert.deepStrictEqual(yield* partitions, made)
        const months = [0, 1, 2, 3].map(monthFromNow)
        assert.deepStrictEqual(
          made,
          ["audit_events", "ledger_entries", "selections", "usage_by_day", "usage_by_key"].flatMap((table) => [
            ...months.map((month) => `${table}_${month}`),
            `${table}_default`
          ])
        )
      })
    )
  )

  it.live("moves rows from the default partition to the new partition of their month, unchanged", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* insertUsage("now()")
        yield* insertUsage("now() - interval '40 days'")
        yield* insertAudit("now()")
        yield* insertSelection("date_trunc('month', now(), 'UTC')")
        yield* insertSelection("date_trunc('month', now(), 'UTC') - interval '1 microsecond'")
        const before = yield* allRows
        assert.strictEqual(before.filter(({ partition }) => partition.endsWith("_default")).length, 7)
        yield* keepMonths()
        const after = yield* allRows
        assert.deepStrictEqual(
          after.filter(({ partition }) => partition.endsWith("_default")),
          []
        )
        assert.sameMembers(
          after.map(({ row }) => row),
          before.map(({ row }) => row)
        )
        const selections = after.filter(({ partition }) => partition.includes("selections"))
        assert.sameMembers(
          selections.map(({ partition }) => partition),
          [`postcode.selections_${monthFromNow(0)}`, `postcode.selections_${monthFromNow(-1)}`]
        )
        const duplicate = yield* Effect.flip(insertUsage("now()"))
        assert.strictEqual(duplicate.reason._tag, "UniqueViolation", "a moved month has the keys of its journal")
        const indexes = yield* sql`SELECT FROM pg_index WHERE NOT indisvalid`
        assert.deepStrictEqual(indexes, [])
      })
    )
  )

  it.live("drops the months before the retention, and keeps the month in which it starts", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const ages = [0, 31, 62, 93, 124, 155]
        for (const days of ages) {
          yield* insertSelection(`now() - interval '${days} days'`)
          yield* insertUsage(`now() - interval '${days} days'`)
          yield* insertAudit(`now() - interval '${days} days'`)
        }
        yield* keepMonths()
        assert.lengthOf(yield* allRows, 4 * ages.length)
        yield* keepMonths({ selections_days: 62, usage_days: 93, audit_days: 1_000 })
        const kept = (table: string) =>
          Effect.map(allRows, (rows) => rows.filter(({ partition }) => partition.includes(table)).length)
        const dropped = yield* sql`SELECT actor, subject, details FROM postcode.audit_events
          WHERE action = 'journal.month_dropped' ORDER BY number`
        const dropOf = (table: string, days: number) =>
          [...new Set(ages.map((age) => monthOf(-age)))]
            .filter((month) => month < monthOf(-days))
            .toSorted()
            .map((month) => ({ actor: "service", subject: `${table}_${month}`, details: {} }))
        const usage = ["usage_by_day", "usage_by_key"]
        assert.sameDeepMembers(
          [...dropped],
          [...dropOf("selections", 62), ...usage.flatMap((table) => dropOf(table, 93))]
        )
        assert.strictEqual(yield* kept("audit_events"), 6 + dropped.length)
        assert.isFalse((yield* partitions).includes(`selections_${monthOf(-93)}`))
        assert.isTrue((yield* partitions).includes(`selections_${monthOf(-62)}`))
        assert.strictEqual(yield* kept("selections"), ages.filter((days) => monthOf(-days) >= monthOf(-62)).length)
        for (const table of usage) {
          assert.strictEqual(yield* kept(table), ages.filter((days) => monthOf(-days) >= monthOf(-93)).length)
        }
      })
    )
  )

  it.live("deletes rows before the retention from the default partition, and keeps rows far in the future", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        yield* insertSelection("now() - interval '3000 days'")
        yield* insertSelection("now() + interval '3000 days'")
        yield* keepMonths()
        assert.deepStrictEqual(
          (yield* allRows).map(({ partition }) => partition),
          ["postcode.selections_default"]
        )
      })
    )
  )

  it.live("runs on one replica at a time, and does not disturb concurrent writes", () =>
    onNewDatabase((url) =>
      Effect.gen(function* () {
        const writing = yield* Effect.forkChild(
          Effect.forEach(Array.from({ length: 300 }), () => insertAudit("clock_timestamp()"), { concurrency: 3 })
        )
        const replica = Effect.provide(keepMonths(), connectionsTo(url))
        yield* Effect.replicateEffect(replica, 4, { concurrency: "unbounded" })
        yield* Fiber.join(writing)
        yield* keepMonths()
        const rows = yield* allRows
        assert.lengthOf(rows, 300)
        assert.deepStrictEqual(
          [...new Set(rows.map(({ partition }) => partition))],
          [`postcode.audit_events_${monthFromNow(0)}`]
        )
      })
    )
  )

  it.live("creates months while any replica cleans up", () =>
    onNewDatabase((url) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT pg_advisory_xact_lock(${advisoryLocks.cleanUp}::int8),
              set_config('idle_in_transaction_session_timeout', '0', true)`
            yield* Effect.provide(keepMonths(), connectionsTo(url))
          })
        )
        assert.lengthOf(yield* partitions, 25)
      })
    )
  )

  it.live("skips steps that would wait for a lock, and runs the others", () =>
    onNewDatabase((url) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const logged: Array<string> = []
        const log = Logger.map(Logger.formatLogFmt, (line) => logged.push(line))
        yield* sql
          .withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT set_config('idle_in_transaction_session_timeout', '0', true)`
              yield* sql`LOCK TABLE postcode.audit_events_default IN ROW EXCLUSIVE MODE`
              yield* Effect.provide(keepMonths(), connectionsTo(url))
            })
          )
          .pipe(Effect.provideService(Logger.CurrentLoggers, new Set([log])))
        assert.lengthOf(logged, 1)
        assert.include(logged[0], "maintenance put off: to make months of audit_events")
        assert.lengthOf(yield* partitions, 1 + 4 * 5)
        yield* keepMonths()
        assert.lengthOf(yield* partitions, 25)
      })
    )
  )

  it.live("runs while the scope of the layer is open", () =>
    onNewDatabase((url) =>
      Effect.gen(function* () {
        yield* Layer.build(Layer.provide(layerMaintenance(), connectionsTo(url)))
        yield* Effect.repeat(partitions, { until: ({ length }) => length === 25 })
      })
    )
  )

  it.live("handles in each run what is new since the last one", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const round = keepMonths()
        yield* round
        yield* sql.unsafe(`DROP TABLE postcode.selections_${monthFromNow(0)}, postcode.selections_${monthFromNow(2)}`)
        yield* insertSelection("now()")
        yield* round
        assert.lengthOf(yield* partitions, 25)
        assert.deepStrictEqual(
          (yield* allRows).map(({ partition }) => partition),
          [`postcode.selections_${monthFromNow(0)}`]
        )
      })
    )
  )

  it.live("removes what was stored of end users after their organization was closed, and nothing else", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        for (const [id, status] of [
          ["open", "active"],
          ["paused", "suspended"],
          ["gone", "closed"]
        ] as const) {
          yield* sql`INSERT INTO postcode.organizations
            (id, number, name, granted_level, kyb_status, status, status_changed_at, created_at)
            VALUES (${id}, 1, 'Test', 1, 'unverified', ${status}, now(), now())`
          yield* sql`INSERT INTO postcode.selections
            (organization_id, at, id, number, key_id, environment, subject, postcode)
            VALUES (${id}, now(), 'sel', 1, 'key', 'test', 'hash', 'LA-12-A03-BG-07')`
          yield* sql`INSERT INTO postcode.own_bookmarks (organization_id, environment, subject, bookmarks)
            VALUES (${id}, 'test', 'hash', '[]')`
        }
        yield* cleanUp
        const left = yield* sql`SELECT organization_id FROM postcode.selections WHERE subject IS NOT NULL ORDER BY 1`
        const kept = yield* sql`SELECT organization_id FROM postcode.own_bookmarks ORDER BY 1`
        assert.deepStrictEqual(left, [{ organization_id: "open" }, { organization_id: "paused" }])
        assert.deepStrictEqual(kept, left)
      })
    )
  )

  it.live("deletes writers that have stored nothing for a month", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          INSERT INTO postcode.usage_writers VALUES ('ended', 1, now() - interval '32 days'), ('alive', 1, now())`
        yield* cleanUp
        assert.deepStrictEqual(yield* sql`SELECT id FROM postcode.usage_writers`, [{ id: "alive" }])
      })
    )
  )
})

/** `2026_01`, this number of days from now. */
const monthOf = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 7).replace("-", "_")

/** `2026_01`, this number of months from now. */
const monthFromNow = (months: number): string => {
  const now = new Date()
  const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 1))
  return month.toISOString().slice(0, 7).replace("-", "_")
}

const partitions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly name: string }>`
    SELECT relname::text AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
    WHERE relkind = 'r' ORDER BY relname COLLATE "C"`
  return rows.map(({ name }) => name)
})

const allRows = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return yield* sql<{ readonly partition: string; readonly row: string }>`
    SELECT tableoid::regclass::text AS partition, t::text AS row FROM postcode.audit_events t
    UNION ALL SELECT tableoid::regclass::text, t::text FROM postcode.usage_by_day t
    UNION ALL SELECT tableoid::regclass::text, t::text FROM postcode.usage_by_key t
    UNION ALL SELECT tableoid::regclass::text, t::text FROM postcode.selections t`
})

let events = 0

const insertAudit = (stored_at: string) =>
  insert(`audit_events (organization_id, number, stored_at, id, at, actor, action, subject, details)
    VALUES ('org', ${++events}, ${stored_at}, 'evt', now(), 'operator', 'key.created', 'key', '{}')`)

const insertUsage = (date: string) =>
  Effect.andThen(
    insert(`usage_by_day VALUES ('org', 'test', ((${date}) AT TIME ZONE 'UTC')::date, 'lookup', 0, 200, 1, 1)`),
    insert(`usage_by_key VALUES ('org', 'test', ((${date}) AT TIME ZONE 'UTC')::date, 'key', 'lookup', 0, 200, 1, 1)`)
  )

const insertSelection = (at: string) =>
  insert(`selections (organization_id, at, id, number, key_id, environment, postcode)
    VALUES ('org', ${at}, 'sel', 1, 'key', 'test', 'LA-12-A03-BG-07')`)

const insert = (rows: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(`INSERT INTO postcode.${rows}`))
