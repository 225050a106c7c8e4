/** The recent traffic of keys. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { cleanUp } from "../../src/maintenance/Maintenance.ts"
import { layerMigrated } from "../MigratedDatabase.ts"

describe("traffic", () => {
  it.live("of more than three hours ago is deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const age of ["179 minutes", "181 minutes"]) {
        yield* sql`INSERT INTO postcode.key_traffic VALUES ('org', ${age}, now() - ${age}::text::interval, 1, 1, 0)`
      }
      yield* cleanUp
      assert.deepStrictEqual(yield* sql`SELECT key_id FROM postcode.key_traffic`, [{ key_id: "179 minutes" }])
    }).pipe(Effect.provide(layerMigrated))
  )
})
