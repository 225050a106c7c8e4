/** Replicas that follow the changes of the directory. */
import { assert, describe, it } from "@effect/vitest"
import { searchAddress } from "@postcode/core/AddressSearch"
import { Directory } from "@postcode/core/Directory"
import { type ChangeBatch, DirectoryChanges } from "@postcode/core/DirectoryChanges"
import { CurrentDirectory } from "@postcode/core/directory/CurrentDirectory"
import { LiveDirectory } from "@postcode/core/LiveDirectory"
import type { Postcode } from "@postcode/core/Postcode"
import type { UnitChange } from "@postcode/core/UnitChange"
import { type DirectoryUpdate, layerDatabase, layerDirectoryChanges, openCurrentDirectory } from "@postcode/postgres"
import { importForTests } from "@postcode/postgres/testing"
import { Effect, Layer, Redacted } from "effect"
import { Client } from "pg"
import { proxyTo } from "../MigratedDatabase.ts"
import { codes, databaseWith, first, quiet, replicaOf, second, serves } from "./Replica.ts"

const coordinate = { lat: 6.61, lon: 3.36 }

/** A unit that the directory does not have. */
const newUnit = (number: number) =>
  `LA-12-B${String(number % 100).padStart(2, "0")}-AA-${String(Math.trunc(number / 100)).padStart(2, "0")}` as Postcode

const add = (number: number): UnitChange => ({ change: "add", postcode: newUnit(number), coordinate })

let batches = 0
const batchOf = (changes: ReadonlyArray<UnitChange>): ChangeBatch => ({
  changes,
  reference: `batch-${++batches}`,
  reason: "a test",
  actor: "operator",
  at: new Date().toISOString()
})

/** Applies changes as another process does. */
const change = (url: string, ...changes: ReadonlyArray<UnitChange>) =>
  Effect.gen(function* () {
    const outcome = yield* (yield* DirectoryChanges).apply(batchOf(changes), false)
    assert.strictEqual(outcome._tag, "Applied")
  }).pipe(Effect.provide(databaseOf(url)))

const databaseOf = (url: string) =>
  Layer.provideMerge(layerDirectoryChanges, layerDatabase({ url: Redacted.make(url), maxConnections: 1 })).pipe(
    Layer.provideMerge(quiet)
  )

const current = Effect.map(CurrentDirectory, ({ get }) => get())

/** Waits until a replica has so many changes, up to the test's time limit. */
const has = (changes: number): Effect.Effect<Directory, never, CurrentDirectory> =>
  Effect.flatMap(current, (directory) =>
    directory.changes === changes ? Effect.succeed(directory) : Effect.andThen(Effect.sleep(10), has(changes))
  )

const execute = (url: string, statement: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    await client.query(statement)
    await client.end()
  })

describe("a replica", () => {
  it.live("applies changes without loading the directory anew, and older directories stay as they are", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      yield* Effect.gen(function* () {
        const before = yield* current
        yield* change(
          url,
          { change: "retire", postcode: codes.whole, replaced_by: codes.partly },
          { change: "reactivate", postcode: codes.retired },
          { change: "move", postcode: codes.bare, coordinate },
          add(1)
        )
        const after = yield* has(4)
        assert.deepStrictEqual([after.status(codes.whole), after.replacedBy(codes.whole)], ["retired", codes.partly])
        assert.deepStrictEqual([after.status(codes.retired), after.status(newUnit(1))], ["active", "active"])
        assert.deepStrictEqual(after.coordinateAt(after.find(codes.bare)), coordinate)
        assert.deepStrictEqual([after.version, before.changes, before.status(codes.whole)], ["2026-1", 0, "active"])
        assert.strictEqual(after.layers[0].spatial.units, before.layers[0].spatial.units)
        const { currentSince } = yield* CurrentDirectory
        assert.strictEqual(currentSince?.(after), currentSince?.(before))
      }).pipe(Effect.provide(replicaOf(url)))
    })
  )

  it.live("counts changes of attributes, which are not part of the directory", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      yield* Effect.gen(function* () {
        yield* change(url, { change: "set", postcode: codes.bare, attributes: { building_type: "duplex" } })
        assert.strictEqual((yield* has(1)).status(codes.bare), "active")
      }).pipe(Effect.provide(replicaOf(url)))
    })
  )

  it.live("that starts later has all changes of its edition, and so has a program that loads it once", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      yield* change(url, ...Array.from({ length: 1_500 }, (_, number) => add(number)))
      yield* change(url, { change: "retire", postcode: newUnit(3) })
      const once = yield* Effect.provide(openCurrentDirectory, databaseOf(url))
      const started = yield* Effect.provide(current, replicaOf(url))
      for (const directory of [once, started]) {
        assert.deepStrictEqual([directory.changes, directory.size, directory.activeSize], [1_501, 1_504, 1_502])
        assert.strictEqual(directory.status(newUnit(3)), "retired")
      }
    })
  )

  it.live("shows a batch as a whole, however many steps it takes to read", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      const seen = new Set<number>()
      yield* Effect.gen(function* () {
        const watched = Effect.forever(
          Effect.andThen(
            Effect.map(current, ({ changes, size }) => {
              assert.strictEqual(size, first.units.length + changes)
              seen.add(changes)
            }),
            Effect.yieldNow
          )
        )
        for (const from of [0, 2_500]) {
          const batch = Array.from({ length: 2_500 }, (_, number) => add(from + number))
          yield* change(url, ...batch)
          yield* Effect.raceFirst(watched, has(from + 2_500))
        }
        assert.deepStrictEqual([...seen], [0, 2_500, 5_000].slice(0, seen.size))
      }).pipe(Effect.provide(replicaOf(url)))
    })
  )

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

  it.live("reports each update with all that another thread needs to have the same directory", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      let copy: LiveDirectory | undefined
      const onUpdate = (update: DirectoryUpdate) => {
        if (update._tag === "Indexed") return
        if (update._tag === "Opened") copy = new LiveDirectory(new Directory(update.edition.live.layers.edition))
        const layers = update._tag === "Opened" ? update.edition.live.layers : update
        for (const states of "changed" in layers ? layers.changed : layers.states) copy?.stage(states)
        copy?.show(layers.changes)
      }
      yield* Effect.gen(function* () {
        yield* change(url, ...Array.from({ length: 700 }, (_, number) => add(number)))
        yield* change(url, { change: "retire", postcode: newUnit(699) })
        const { contents } = yield* has(701)
        assert.deepStrictEqual(copy?.current.contents, contents)
      }).pipe(Effect.provide(replicaOf(url, { onUpdate })))
    })
  )
})
