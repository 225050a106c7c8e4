/** A rolling upgrade: a later version has added a column of units, and this version imports, changes and looks up. */
import { assert, it } from "@effect/vitest"
import { DirectoryChanges } from "@postcode/core/DirectoryChanges"
import { Units } from "@postcode/core/directory/Units"
import { unique } from "@postcode/core/testing/Fixtures"
import { layerDirectoryChanges } from "@postcode/postgres"
import { importForTests, makeMigratedDatabase } from "@postcode/postgres/testing"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { unitRowsAt } from "../../src/directory/UnitRows.ts"
import { codes, everything, first, replicaOf, second, serves } from "./Replica.ts"

/** The tables to which such a migration adds the column. */
const tablesOfUnits = (sql: SqlClient) =>
  Effect.map(
    sql<{ readonly name: string }>`
      SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.columns
      WHERE table_schema = 'postcode' AND column_name IN ('recent_address', 'digest') GROUP BY 1 ORDER BY 1`,
    (rows) => rows.map(({ name }) => name)
  )

it.live("an import and changes of the previous version leave a new column at its default, and lookups of both work", () =>
  Effect.gen(function* () {
    const { drop, url } = yield* Effect.promise(makeMigratedDatabase)
    yield* Effect.addFinalizer(() => Effect.promise(drop))
    yield* Effect.promise(() => importForTests(url, first))
    const test = Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const table of yield* tablesOfUnits(sql)) {
        yield* sql`ALTER TABLE ${sql.literal(table)} ADD COLUMN floors integer NOT NULL DEFAULT 1`
      }
      yield* Effect.promise(() => importForTests(url, second))
      yield* serves("2026-2")
      const floorsAt = (changes: number) =>
        sql<object>`${unitRowsAt(sql, { edition: 2, changes }, [codes.whole], "postcode, floors")}`
      assert.deepInclude((yield* floorsAt(0))[0], { postcode: codes.whole, floors: 1 })

      const { apply } = yield* DirectoryChanges
      const outcome = yield* apply(
        {
          changes: [{ change: "reactivate", postcode: codes.whole }],
          reference: unique("batch"),
          reason: "a test",
          actor: "operator",
          at: new Date().toISOString()
        },
        false
      )
      assert.deepInclude(outcome, { applied: 1 })
      assert.deepInclude((yield* floorsAt(1))[0], { postcode: codes.whole, floors: 1 })
      const { attributes } = yield* Units
      assert.deepStrictEqual(yield* attributes([codes.whole]), [everything])
    })
    yield* Effect.provide(test, Layer.provideMerge(layerDirectoryChanges, replicaOf(url)))
  }).pipe(Effect.scoped)
)
