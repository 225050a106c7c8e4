/** Replicas that follow the changes of the directory through lost connections, other editions, restored backups and restarts. */
import { assert, describe, it } from "@effect/vitest"
import { searchAddress } from "@postcode/core/AddressSearch"
import { importForTests } from "@postcode/drills/postgres"
import { Effect } from "effect"
import { proxyTo } from "../MigratedDatabase.ts"
import { add, change, current, execute, has, newUnit } from "./ChangedReplica.ts"
import { codes, databaseWith, first, replicaOf, second, serves } from "./Replica.ts"

describe("a replica", () => {
  it.live("reads a batch again from its start if the connection breaks in between", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      const proxy = yield* proxyTo(url)
      yield* Effect.gen(function* () {
        for (let round = 1; round <= 3; round++) {
          yield* change(url, ...Array.from({ length: 3_000 }, (_, number) => add(3_000 * (round - 1) + number)))
          const cutting = Effect.forever(Effect.andThen(Effect.sync(proxy.cut), Effect.sleep(7)))
          yield* Effect.raceFirst(cutting, Effect.sleep(400))
          const { size } = yield* has(3_000 * round)
          assert.strictEqual(size, first.units.length + 3_000 * round)
        }
      }).pipe(Effect.provide(replicaOf(proxy.url)))
    }).pipe(Effect.scoped)
  )

  it.live("continues when the server has ended all its connections", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      yield* Effect.gen(function* () {
        yield* change(url, add(1))
        yield* has(1)
        yield* execute(
          url,
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid()`
        )
        yield* change(url, add(2))
        yield* has(2)
      }).pipe(Effect.provide(replicaOf(url)))
    })
  )

  it.live(
    "has the changes of the edition that it switches to, in one step, and those of the former one no longer",
    () =>
      Effect.gen(function* () {
        const url = yield* Effect.promise(() => databaseWith(first))
        yield* Effect.gen(function* () {
          yield* change(url, add(1))
          const before = yield* has(1)
          yield* Effect.promise(() => importForTests(url, second))
          yield* serves("2026-2")
          assert.deepStrictEqual([(yield* current).changes, (yield* current).status(newUnit(1))], [0, "unknown"])
          yield* change(url, add(2))
          yield* has(1)
          // The former edition becomes current again, with its changes.
          yield* execute(
            url,
            `BEGIN; UPDATE postcode.directory_editions SET is_current = false;
          UPDATE postcode.directory_editions SET is_current = true WHERE edition = 1; COMMIT`
          )
          yield* serves("2026-1")
          const after = yield* current
          assert.deepStrictEqual(
            [after.changes, after.status(newUnit(1)), after.status(newUnit(2))],
            [1, "active", "unknown"]
          )
          assert.strictEqual(before.status(newUnit(1)), "active")
        }).pipe(Effect.provide(replicaOf(url)))
      })
  )

  it.live("loads the edition again if a backup with fewer changes was restored", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      yield* Effect.gen(function* () {
        yield* change(url, add(1))
        yield* change(url, add(2))
        yield* has(2)
        yield* execute(
          url,
          `BEGIN; DELETE FROM postcode.directory_changes WHERE number = 2;
          UPDATE postcode.directory_editions SET changes = 1; COMMIT`
        )
        const restored = yield* has(1)
        assert.deepStrictEqual([restored.status(newUnit(1)), restored.status(newUnit(2))], ["active", "unknown"])
      }).pipe(Effect.provide(replicaOf(url)))
    })
  )

  it.live("is searched by changed addresses, also one that starts later, and no longer by the former ones", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      const address = { locality_name: "Ikeja", recent_address: "7 Zungeru Crescent, Ikeja" }
      const find = (text: string) =>
        Effect.map(current, (directory) => searchAddress(directory, text).candidates[0]?.code)
      const isFound = Effect.repeat(Effect.andThen(Effect.sleep(20), find("7 zungeru crescent")), {
        until: (code) => code === codes.partly
      })
      yield* Effect.gen(function* () {
        assert.strictEqual(yield* find("9 Awolowo Way"), codes.partly)
        yield* change(url, { change: "set", postcode: codes.partly, attributes: address })
        yield* isFound
        assert.notStrictEqual(yield* find("9 Awolowo Way"), codes.partly)
      }).pipe(Effect.provide(replicaOf(url)))
      const started = Effect.gen(function* () {
        assert.strictEqual(yield* find("7 zungeru crescent"), codes.partly)
        yield* change(url, { change: "retire", postcode: codes.partly })
        yield* has(2)
        assert.notStrictEqual(yield* find("7 zungeru crescent"), codes.partly)
      })
      yield* Effect.provide(started, replicaOf(url))
    })
  )
})
