/** Changes of the directory on PostgreSQL: the suite of core, transactions, several replicas, and other editions. */
import { assert, describe, it } from "@effect/vitest"
import { directoryChangesSuite, failsWith, unique } from "@postcode/conformance"
import type { UnitChange } from "@postcode/core/Changes"
import type { Postcode } from "@postcode/core/Postcode"
import { importForTests, makeMigratedDatabase } from "@postcode/drills/postgres"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { DirectoryChanges } from "@postcode/gateway/directory/changes/DirectoryChanges"
import { Units } from "@postcode/gateway/directory/Units"
import { Unavailable } from "@postcode/gateway/Errors"
import { Transactions } from "@postcode/gateway/store/Transactions"
import { layerDirectoryChanges } from "@postcode/postgres"
import { Context, Effect, Fiber, Layer, Redacted, type Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { layerDatabase } from "../../src/connection/Database.ts"
import { layerTransactions } from "../../src/connection/transactions/Transactions.ts"
import { forgetPastChanges } from "../../src/directory/DirectoryChanges.ts"
import { stateColumns, unitRowsAt } from "../../src/directory/UnitRows.ts"
import { codes, databaseWith, everything, first, replicaOf, second, serves, unit } from "./Replica.ts"

const layerOn = (url: string) =>
  Layer.merge(layerDirectoryChanges, layerTransactions).pipe(Layer.provideMerge(replicaOf(url)))

const url = await databaseWith(first)
const coordinate = { lat: 6.6, lon: 3.35 }

directoryChangesSuite("on PostgreSQL", layerOn(url), [
  { postcode: codes.whole, coordinate, active: true, attributes: everything },
  { postcode: codes.bare, coordinate, active: true, attributes: {} },
  {
    postcode: codes.retired,
    coordinate,
    active: false,
    replaced_by: codes.whole,
    attributes: { locality_name: "Oregun" }
  }
])

const batchOf = (...changes: ReadonlyArray<UnitChange>) => ({
  changes,
  reference: unique("batch"),
  reason: "a test",
  actor: "operator",
  at: new Date().toISOString()
})

const retire = (postcode: Postcode): UnitChange => ({ change: "retire", postcode })
const set = (postcode: Postcode, locality_name: string): UnitChange => ({
  change: "set",
  postcode,
  attributes: { locality_name }
})

const apply = (...changes: ReadonlyArray<UnitChange>) =>
  Effect.flatMap(DirectoryChanges, (port) => port.apply(batchOf(...changes), false))

const historyOf = (postcode: Postcode) => Effect.flatMap(DirectoryChanges, ({ history }) => history(postcode))

type Ports = DirectoryChanges | CurrentDirectory | Units | Transactions | SqlClient

/** On a new database with a directory. */
const onNewDatabase = <A, E>(test: (url: string) => Effect.Effect<A, E, Ports | Scope.Scope>) =>
  Effect.acquireRelease(Effect.promise(makeMigratedDatabase), ({ drop }) => Effect.promise(drop)).pipe(
    Effect.tap(({ url }) => Effect.promise(() => importForTests(url, first))),
    Effect.flatMap(({ url }) => Effect.provide(test(url), layerOn(url))),
    Effect.scoped
  )

describe("a batch", () => {
  it.live("belongs to the transaction of its caller", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const { atomically } = yield* Transactions
        const failed = atomically(Effect.andThen(apply(retire(codes.whole)), Effect.fail("not today")))
        assert.strictEqual(yield* Effect.flip(failed), "not today")
        assert.propertyVal((yield* historyOf(codes.whole)).unit, "active", true)
        const outcome = yield* atomically(Effect.andThen(apply(retire(codes.whole)), apply(retire(codes.bare))))
        assert.deepInclude(outcome, { version: { edition: "2026-1", changes: 2 } })
      })
    )
  )

  it.live("is not applied if what belongs to it fails, and others that wait with it fail, too", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const port = yield* DirectoryChanges
        const unavailable = new Unavailable({ retry_after_s: 1 })
        const batch = batchOf(retire(codes.whole))
        const failing = port.apply(batch, false, () => Effect.fail(unavailable))
        const outcomes = yield* Effect.all([Effect.exit(failing), Effect.exit(apply(retire(codes.bare)))], {
          concurrency: 2
        })
        assert.strictEqual(outcomes[0]._tag, "Failure")
        assert.deepStrictEqual((yield* historyOf(codes.whole)).events, [])
        assert.deepInclude(yield* port.apply(batch, false), { applied: 1, repeated: false })
      })
    )
  )

  it.live("is decided on what the database has, also on a replica that has not loaded it", () =>
    onNewDatabase((url) =>
      Effect.gen(function* () {
        const other = Context.get(yield* Layer.build(layerOn(url)), DirectoryChanges)
        yield* other.apply(batchOf(retire(codes.whole)), false)
        assert.deepInclude(yield* apply(retire(codes.whole)), { applied: 0, unchanged: 1 })
        const batches = Array.from({ length: 30 }, (_, i) => batchOf(set(codes.whole, `Locality ${i}`)))
        const ports = [other, yield* DirectoryChanges]
        const outcomes = yield* Effect.forEach(
          batches,
          (batch, i) => (ports[i % 2] as typeof other).apply(batch, false),
          { concurrency: "unbounded" }
        )
        const numbers = outcomes.map((outcome) => (outcome._tag === "Applied" ? outcome.version.changes : 0))
        assert.sameMembers(
          numbers,
          Array.from({ length: 30 }, (_, i) => i + 2)
        )
      })
    )
  )

  it.live("waits for a switch to another edition, and applies to that", () =>
    onNewDatabase((url) =>
      Effect.gen(function* () {
        yield* apply(retire(codes.bare))
        yield* Effect.promise(() => importForTests(url, second))
        const sql = Context.get(yield* Layer.build(layerDatabase({ url: Redacted.make(url) })), SqlClient)
        const waiting = yield* sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT FROM postcode.directory_editions WHERE is_current FOR UPDATE`
            const waiting = yield* Effect.forkChild(apply(set(codes.unknown, "New")))
            yield* untilBlocked(sql)
            yield* sql`UPDATE postcode.directory_editions SET is_current = false WHERE edition = 2`
            yield* sql`UPDATE postcode.directory_editions SET is_current = true WHERE edition = 1`
            return waiting
          })
        )
        const outcome = yield* Fiber.join(waiting)
        assert.deepStrictEqual(outcome, {
          _tag: "Refused",
          faults: [{ index: 0, reason: "postcode: no unit has it; add it first" }]
        })
        assert.deepInclude(yield* apply(retire(codes.whole)), { version: { edition: "2026-1", changes: 2 } })
      })
    )
  )

  it.live("is refused without a directory", () =>
    Effect.gen(function* () {
      const { drop, url } = yield* Effect.promise(makeMigratedDatabase)
      yield* Effect.addFinalizer(() => Effect.promise(drop))
      const layer = Layer.provideMerge(layerDirectoryChanges, layerDatabase({ url: Redacted.make(url) }))
      const { message } = yield* failsWith(Effect.provide(apply(retire(codes.whole)), layer), "Conflict")
      assert.include(message, "load one with postcode import")
      assert.deepStrictEqual(yield* Effect.provide(historyOf(codes.whole), layer), { unit: undefined, events: [] })
    }).pipe(Effect.scoped)
  )
})

describe("another edition", () => {
  it.live("has the history of units from the one before, but not its changes or attributes", () =>
    onNewDatabase((url) =>
      Effect.gen(function* () {
        const before = (yield* CurrentDirectory).get()
        yield* apply(set(codes.whole, "Changed"), retire(codes.bare))
        const { attributes } = yield* Units
        const changed = { version: before.version, changes: 2 }
        yield* Effect.promise(() => importForTests(url, { ...second, units: [unit(codes.whole, everything)] }))
        yield* serves("2026-2")
        assert.deepStrictEqual(yield* attributes([codes.whole]), [everything])
        assert.deepStrictEqual(yield* attributes([codes.whole], changed), [{ ...everything, locality_name: "Changed" }])
        assert.deepStrictEqual(yield* attributes([codes.whole], before), [everything])
        const { events, unit: current } = yield* historyOf(codes.whole)
        assert.deepStrictEqual(current?.attributes, everything)
        assert.deepStrictEqual(
          events.map(({ edition, kind, number }) => [edition, kind, number]),
          [["2026-1", "set", 1]]
        )
        assert.deepInclude(yield* apply(retire(codes.whole)), { version: { edition: "2026-2", changes: 1 } })
        const port = yield* DirectoryChanges
        yield* failsWith(port.after({ edition: "2026-1", changes: 1 }, 10), "VersionExpired")
      })
    )
  )

  it.live("does not keep changes of editions that are no longer stored longer than a year", () =>
    onNewDatabase((url) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const port = yield* DirectoryChanges
        const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
        for (const days of [400, 366, 364]) {
          yield* port.apply(
            { ...batchOf(set(codes.whole, `of ${days}`), retire(codes.bare)), at: daysAgo(days) },
            false
          )
        }
        const left = Effect.map(
          sql<{ readonly number: number }>`
            SELECT number FROM postcode.directory_changes JOIN postcode.directory_batches USING (reference) ORDER BY 1`,
          (rows) => rows.map(({ number }) => number)
        )
        for (const version of ["2026-2", "2026-3"]) {
          yield* forgetPastChanges
          assert.deepStrictEqual(yield* left, [1, 2, 3, 4])
          yield* Effect.promise(() => importForTests(url, { ...second, version }))
        }
        yield* forgetPastChanges
        assert.deepStrictEqual(yield* left, [4])
      })
    )
  )
})

describe("the state of units", () => {
  it.live("is read by the index of postcodes, also if the statement was planned on an empty table", () =>
    onNewDatabase(() =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const rows = yield* sql<{ readonly "QUERY PLAN": string }>`
          EXPLAIN ${unitRowsAt(sql, { edition: 1, changes: 1 }, [codes.whole, codes.bare], stateColumns)}`
        const plan = rows.map((row) => row["QUERY PLAN"]).join("\n")
        assert.include(plan, "using directory_changes_postcode")
        assert.notInclude(plan, "directory_changes_pkey")
      })
    )
  )
})

/** Waits until a session of the database waits for a lock. */
const untilBlocked = (sql: SqlClient) =>
  Effect.repeat(
    Effect.andThen(
      Effect.sleep(10),
      sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
    ),
    { until: ({ length }) => length > 0 }
  )
