/** The directory of a replica and attributes of units: the suites of core, and new editions. */
import { assert, describe, it } from "@effect/vitest"
import { currentDirectorySuite, unitsSuite } from "@postcode/conformance"
import { searchAddress } from "@postcode/core/AddressSearch"
import type { Directory } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import { importForTests, makeMigratedDatabase } from "@postcode/drills/postgres"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { Units } from "@postcode/gateway/directory/Units"
import { CurrentEdition, FollowerTimes, layerDatabase, NoDirectory, openCurrentDirectory } from "@postcode/postgres"
import { Effect, Fiber, Layer, ManagedRuntime, Redacted } from "effect"
import { Client } from "pg"
import { afterAll } from "vitest"
import { codes, databaseWith, everything, first, quiet, replicaOf, second, serves, unit, version } from "./Replica.ts"

const url = await databaseWith(first)

unitsSuite("on PostgreSQL", replicaOf(url), {
  known: [
    [codes.whole, everything],
    [codes.partly, { recent_address: "9 Awolowo Way", delivery_point: false }],
    [codes.bare, {}],
    [codes.retired, { locality_name: "Oregun" }]
  ],
  unknown: codes.unknown
})

const replaced = await databaseWith(first)
const replica = ManagedRuntime.make(replicaOf(replaced))
afterAll(() => replica.dispose())

currentDirectorySuite(
  "on PostgreSQL",
  Layer.effectContext(Effect.promise(() => replica.context())),
  {
    units: [
      [codes.whole, "active"],
      [codes.retired, "retired", codes.whole],
      [codes.unknown, "unknown"]
    ],
    warnings: [
      { kind: "unnamed_place", count: 1, first: [{ line: 2, postcode: codes.whole, detail: "LA-12, 4 units" }] }
    ]
  },
  {
    apply: Effect.promise(async () => {
      await importForTests(replaced, second)
      await replica.runPromise(serves("2026-2"))
    }),
    after: {
      units: [
        [codes.whole, "retired", codes.unknown],
        [codes.retired, "active"],
        [codes.unknown, "active"],
        [codes.bare, "unknown"]
      ],
      warnings: [
        { kind: "unnamed_place", count: 1, first: [{ line: 2, postcode: codes.whole, detail: "LA-12, 3 units" }] }
      ]
    }
  }
)

const units = (...postcodes: ReadonlyArray<Postcode>) =>
  Effect.flatMap(Units, ({ attributes }) => attributes(postcodes))

const versionOf = (version: string) => ({ version, changes: 0 })

const execute = async (url: string, ...statements: ReadonlyArray<string>): Promise<void> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}

/** The database may be on another machine. */
const clockSkew_ms = 60_000

describe("a replica", () => {
  it.live("loads the address index of each edition with its snapshot, in memory that threads share", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      yield* Effect.gen(function* () {
        const { get } = yield* CurrentEdition
        const find = () => searchAddress(get().directory, "7 Old Road, Opagbe").code
        assert.strictEqual(find(), codes.whole)
        assert.instanceOf(get().directory.addresses?.units.buffer, SharedArrayBuffer)
        yield* Effect.promise(() => importForTests(url, second))
        yield* serves("2026-2")
        assert.strictEqual(get().directory.status(codes.whole), "retired")
        assert.isNull(find())
      }).pipe(Effect.provide(replicaOf(url)))
    })
  )

  it.live("returns since when its edition is current, but not for other editions", () =>
    Effect.gen(function* () {
      const started_ms = Date.now()
      const url = yield* Effect.promise(() => databaseWith(first))
      yield* Effect.gen(function* () {
        const { get, currentSince } = yield* CurrentDirectory
        const before = get()
        const since = Date.parse(currentSince?.(before) ?? "")
        assert.isAtLeast(since, started_ms - clockSkew_ms)
        assert.isAtMost(since, Date.now() + clockSkew_ms)
        yield* Effect.promise(() => importForTests(url, second))
        yield* serves("2026-2")
        assert.isUndefined(currentSince?.(before))
        assert.isAbove(Date.parse(currentSince?.(get()) ?? ""), since)
      }).pipe(Effect.provide(replicaOf(url)))
    })
  )

  it.live("returns attributes from the edition of the search, also after a switch to another edition", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      yield* Effect.gen(function* () {
        const { attributes } = yield* Units
        yield* Effect.promise(() =>
          importForTests(url, { ...second, units: [unit(codes.whole, { locality_name: "Elsewhere" })] })
        )
        yield* serves("2026-2")
        const both = Effect.all(
          [attributes([codes.whole], versionOf("2026-1")), attributes([codes.whole], versionOf("2026-2"))],
          {
            concurrency: 2
          }
        )
        assert.deepStrictEqual(yield* both, [[everything], [{ locality_name: "Elsewhere" }]])
        assert.deepStrictEqual(yield* units(codes.whole), [{ locality_name: "Elsewhere" }])
      }).pipe(Effect.provide(replicaOf(url)))
    })
  )

  it.live("returns attributes from its own edition, or from a later one if that was dropped", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      yield* Effect.gen(function* () {
        const silent = { ...second, units: [unit(codes.whole, { locality_name: "Elsewhere" })] }
        yield* Effect.promise(() => importForTests(url, silent))
        assert.deepStrictEqual(yield* units(codes.whole, codes.bare), [everything, {}])
        yield* Effect.promise(() => importForTests(url, { ...silent, version: "2026-3" }))
        assert.strictEqual(yield* version, "2026-1")
        assert.deepStrictEqual(yield* units(codes.whole, codes.bare), [{ locality_name: "Elsewhere" }, {}])
      }).pipe(
        Effect.provide(
          Layer.provide(replicaOf(url), Layer.succeed(FollowerTimes, { interval_ms: 2 ** 30, lifetime_ms: 500 }))
        )
      )
    })
  )

  it.live("reads attributes of concurrent requests in one statement", () =>
    Effect.gen(function* () {
      const holder = new Client({ connectionString: url })
      const query = (statement: string) => Effect.promise(() => holder.query<{ readonly waiting: number }>(statement))
      yield* Effect.promise(() => holder.connect())
      yield* query("BEGIN; LOCK TABLE postcode.units_1")
      const asked = yield* Effect.forkChild(
        Effect.replicateEffect(units(codes.whole, codes.bare), 50, { concurrency: "unbounded" })
      )
      const waiting = Effect.map(
        query(`SELECT count(*)::integer AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`),
        ({ rows }) => rows[0]?.waiting
      )
      yield* Effect.repeat(waiting, { until: (count) => count !== 0 })
      yield* Effect.sleep(200)
      assert.strictEqual(yield* waiting, 1)
      yield* query("COMMIT")
      assert.deepStrictEqual(
        yield* Fiber.join(asked),
        Array.from({ length: 50 }, () => [everything, {}])
      )
      yield* Effect.promise(() => holder.end())
    }).pipe(Effect.provide(replicaOf(url)))
  )

  for (const [name, damage] of [
    ["is missing", "DELETE FROM postcode.directory_snapshots"],
    ["is cut off", "UPDATE postcode.directory_snapshots SET bytes = substring(bytes FROM 1 FOR 1000)"],
    [
      "was altered",
      "UPDATE postcode.directory_snapshots SET bytes = set_byte(bytes, 2000, 255 - get_byte(bytes, 2000))"
    ],
    ["is of a newer format", "UPDATE postcode.directory_snapshots SET bytes = set_byte(bytes, 8, 99)"]
  ] as const) {
    it.live(`builds the directory from the rows if the snapshot ${name}`, () =>
      Effect.gen(function* () {
        const url = yield* Effect.promise(() => databaseWith(first))
        const found: Array<Directory> = []
        for (const statement of ["SELECT", damage]) {
          yield* Effect.promise(() => execute(url, statement))
          const database = Layer.merge(quiet, layerDatabase({ url: Redacted.make(url) }))
          found.push(yield* Effect.provide(openCurrentDirectory, database))
        }
        assert.deepStrictEqual(found[1]?.contents, found[0]?.contents)
      })
    )
  }

  it.live("fails at the start if there is no directory", () =>
    Effect.gen(function* () {
      const { drop, url } = yield* Effect.promise(makeMigratedDatabase)
      yield* Effect.addFinalizer(() => Effect.promise(drop))
      const database = layerDatabase({ url: Redacted.make(url) })
      const failure = yield* Effect.flip(Effect.provide(openCurrentDirectory, database))
      assert.instanceOf(failure, NoDirectory)
      assert.match(failure.message, /load one with postcode import/)
    }).pipe(Effect.scoped)
  )

  it.live("keeps its edition if a new one cannot be loaded, and retries", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      yield* Effect.gen(function* () {
        yield* Effect.promise(() => importForTests(url, second))
        yield* serves("2026-2")
        // Neither a snapshot nor rows to build one from.
        yield* Effect.promise(() =>
          execute(
            url,
            "BEGIN",
            "CREATE TABLE kept AS SELECT * FROM postcode.directory_snapshots WHERE edition = 1",
            "DELETE FROM postcode.directory_snapshots WHERE edition = 1",
            "ALTER TABLE postcode.units_1 RENAME TO hidden",
            "UPDATE postcode.directory_editions SET is_current = false",
            "UPDATE postcode.directory_editions SET is_current = true WHERE edition = 1",
            "COMMIT"
          )
        )
        yield* Effect.sleep(1_200)
        assert.strictEqual(yield* version, "2026-2")
        yield* Effect.promise(() => execute(url, "INSERT INTO postcode.directory_snapshots SELECT * FROM kept"))
        yield* serves("2026-1")
      }).pipe(Effect.provide(replicaOf(url)))
    })
  )
})
