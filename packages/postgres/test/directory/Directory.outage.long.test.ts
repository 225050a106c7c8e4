/** The directory of a replica whose connections are silent. */
import { assert, describe, it } from "@effect/vitest"
import { importForTests } from "@postcode/drills/postgres"
import { layerDatabase } from "@postcode/postgres"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { isUnavailable } from "../../src/connection/Database.ts"
import { currentEdition } from "../../src/directory/Editions.ts"
import { loadEdition } from "../../src/directory/loadEdition.ts"
import { proxyTo } from "../MigratedDatabase.ts"
import { databaseWith, first, quiet, replicaOf, second, serves } from "./Replica.ts"

describe("a replica", () => {
  it.live("loads a new edition although its connections have become silent", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      const proxy = yield* proxyTo(url)
      yield* Effect.gen(function* () {
        proxy.forget()
        yield* Effect.promise(() => importForTests(url, second))
        yield* serves("2026-2")
      }).pipe(Effect.provide(replicaOf(proxy.url)))
    }).pipe(Effect.scoped)
  )

  it.effect("stops loading an edition when its connection becomes silent", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(() => databaseWith(first))
      const proxy = yield* proxyTo(url)
      yield* Effect.gen(function* () {
        const edition = (yield* Effect.all([currentEdition, currentEdition], { concurrency: 2 }))[0]
        assert.isDefined(edition)
        proxy.forget()
        // Without a snapshot, it is built from the rows.
        for (const found of [edition, { ...edition, snapshot_bytes: 0 }]) {
          yield* Effect.forkChild(Effect.flip(loadEdition(found)), { startImmediately: true }).pipe(
            Effect.tap(() => TestClock.adjust(10_000)),
            Effect.flatMap(Fiber.join),
            Effect.map((failure) => assert.isTrue(isUnavailable(failure)))
          )
        }
      }).pipe(Effect.provide(Layer.merge(quiet, layerDatabase({ url: Redacted.make(proxy.url) }))))
    }).pipe(Effect.scoped)
  )
})
