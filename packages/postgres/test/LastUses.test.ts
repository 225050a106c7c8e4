/** When keys were last used: what is noted in several places of one key is written from one. */
import { assert, describe, it } from "@effect/vitest"
import { ApiKeys } from "@postcode/core/ports/ApiKeys"
import { storedKey, storedOrganization } from "@postcode/core/testing/Fixtures"
import { PostgresStore } from "@postcode/postgres"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeLastUses } from "../src/LastUses.ts"
import { migratedDatabase } from "./MigratedDatabase.ts"
import { layerTestSecrets } from "./TestSecrets.ts"

const store = Layer.unwrap(
  Effect.map(migratedDatabase, (url) => PostgresStore.layer({ url: Redacted.make(url) }))
).pipe(Layer.provide(layerTestSecrets))

/** Lets what the clock set off come to its end, which takes as long as the database does. */
const settled = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 100)))

describe("LastUses", () => {
  it.effect("a use that is noted by another copy of the key, made once the first was idle, is not lost", () =>
    Effect.gen(function* () {
      const uses = yield* makeLastUses(yield* SqlClient.SqlClient)
      const { id } = yield* storedOrganization()
      const { record } = yield* storedKey(id)
      const key = { organization_id: id, key_id: record.id }
      const first = uses.of(key)
      uses.mark(first, "2026-01-31T12:00:00.000Z")
      for (let i = 0; i < 30; i++) yield* Effect.andThen(TestClock.adjust(5_000), settled)
      const second = uses.of(key)
      assert.notStrictEqual(second, first, "what is idle is forgotten")
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
    }).pipe(Effect.scoped, Effect.provide(store))
  )
})
