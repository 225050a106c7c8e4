/** What is read for bookmarks, as PostgreSQL counts it: nothing of that may depend on whether there is an account. */
import { assert, layer } from "@effect/vitest"
import type { IdentifierHashes } from "@postcode/core/WidgetSession"
import { EndUsers } from "@postcode/core/widget/EndUsers"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerEndUsers } from "../../src/widget/EndUsers.ts"
import { layerMigrated } from "../MigratedDatabase.ts"

const hashOf = (version: number, i: number) => `${version}:${((i * 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}`

/** So many accounts that reading all of them would show. */
const layerAccounts = Layer.effectDiscard(
  Effect.gen(function* () {
    const accounts = Array.from({ length: 5_000 }, (_, i) => i)
    yield* (yield* EndUsers).saveAll(
      accounts.map((i) => ({ id: `usr_${i}`, identifier_hashes: [hashOf(1, i)], bookmarks: [] }))
    )
    const sql = yield* SqlClient.SqlClient
    yield* sql`ANALYZE postcode.end_users, postcode.end_user_identifiers`
  })
)
const store = Layer.provideMerge(layerAccounts, Layer.provideMerge(layerEndUsers, layerMigrated))

layer(store, { excludeTestServices: true })("bookmarks", (it) => {
  it.effect("are read from as many rows of each table for nobody as for somebody", () =>
    Effect.gen(function* () {
      const somebody = yield* readFor([hashOf(1, 77)])
      assert.strictEqual(somebody.accounts, 1)
      for (const i of [5_001, 6_789, 9_999]) assert.deepStrictEqual(yield* readFor([hashOf(1, i)]), somebody)
    })
  )

  it.effect("are read from as many rows before the first identifier and behind the last one", () =>
    Effect.gen(function* () {
      for (const hash of ["0:", "9:"]) assert.strictEqual((yield* readFor([hash])).accounts, 1)
    })
  )

  it.effect("are read from as many rows for nobody as for somebody while peppers change", () =>
    Effect.gen(function* () {
      const [somebody, nobody] = [yield* readFor(["0:", hashOf(1, 77)]), yield* readFor(["0:", hashOf(1, 5_001)])]
      assert.strictEqual(somebody.accounts, 2)
      assert.deepStrictEqual(nobody, somebody)
    })
  )
})

/** How many rows of accounts and of identifiers the bookmarks of somebody without any took. */
const readFor = (hashes: IdentifierHashes) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const endUsers = yield* EndUsers
    const counted = Effect.map(
      sql<{ readonly table: string; readonly rows: number }>`
        SELECT relname AS table, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer AS rows
        FROM pg_stat_xact_user_tables WHERE schemaname = 'postcode' AND relname LIKE 'end_user%'`,
      (tables) => new Map(tables.map(({ rows, table }) => [table, rows]))
    )
    return yield* sql.withTransaction(
      Effect.gen(function* () {
        // Planning reads rows as well, whoever is asked for: it is done before.
        yield* sql`SET LOCAL plan_cache_mode = force_generic_plan`
        yield* endUsers.bookmarks(hashes)
        // A connection goes on counting from one transaction to the next, so what counts is the difference.
        const before = yield* counted
        assert.deepStrictEqual(yield* endUsers.bookmarks(hashes), [])
        const after = yield* counted
        const read = (table: string) => (after.get(table) ?? 0) - (before.get(table) ?? 0)
        return { accounts: read("end_users"), identifiers: read("end_user_identifiers") }
      })
    )
  })
