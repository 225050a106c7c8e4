import { assert, describe, it } from "@effect/vitest"
import { layerDatabase, migrate } from "@postcode/postgres"
import { makeTestDatabase } from "@postcode/postgres/testing"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** A database that is there for the length of an effect. */
const database = Effect.acquireRelease(Effect.promise(makeTestDatabase), ({ drop }) => Effect.promise(drop))

const appliedSteps = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ name: string }>`SELECT name FROM postcode.migrations ORDER BY migration_id`
  return rows.map(({ name }) => name)
})

describe("migrate", () => {
  it.live("runs each step once, also when many replicas start at the same time", () =>
    Effect.gen(function* () {
      const { url } = yield* database
      const replica = Effect.provide(migrate, layerDatabase({ url: Redacted.make(url) }))
      yield* Effect.replicateEffect(replica, 8, { concurrency: "unbounded" })
      yield* replica
      const steps = yield* Effect.provide(appliedSteps, layerDatabase({ url: Redacted.make(url) }))
      assert.isAbove(steps.length, 0)
      assert.strictEqual(new Set(steps).size, steps.length)
    }).pipe(Effect.scoped)
  )
})
