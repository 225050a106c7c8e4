/** Replicas that follow the changes of the directory. */
import { assert, describe, it } from "@effect/vitest"
import { CurrentDirectory } from "@postcode/gateway/directory/CurrentDirectory"
import { openCurrentDirectory } from "@postcode/postgres"
import { Effect } from "effect"
import { add, change, coordinate, current, databaseOf, has, newUnit } from "./ChangedReplica.ts"
import { codes, databaseWith, first, replicaOf } from "./Replica.ts"

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
})
