/** Rows read for bookmarks, as counted by PostgreSQL: they must not depend on whether an account exists. */
import { assert, layer } from "@effect/vitest"
import type { IdentifierHashes } from "@postcode/gateway/store/Secrets"
import { EndUsers } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerEndUsers } from "../../src/widget/EndUsers.ts"
import { layerMigrated } from "../MigratedDatabase.ts"

const hashOf = (version: number, i: number) => `${version}:${((i * 0x9e3779b1) >>> 0).toString(16).padStart(8, "0")}`

/** Enough accounts that a scan of all would be noticed. */
const layerAccounts = Layer.effectDiscard(
  Effect.gen(function* () {
    const accounts = Array.from({ length: 5_000 }, (_, i) => i)
    yield* (yield* EndUsers).saveAll(
      accounts.map((i) => ({ id: `usr_${i}`, identifier_hashes: [hashOf(1, i)], bookmarks: [] }))
    )
    const sql = yield* SqlClient.SqlClient
    // A later analysis would discard plans, and planning reads rows.
    for (const table of ["end_users", "end_user_identifiers"]) {
      yield* sql`ALTER TABLE ${sql(`postcode.${table}`)} SET (autovacuum_enabled = off)`
    }
    yield* sql`ANALYZE postcode.end_users, postcode.end_user_identifiers`
  })
)
const store = Layer.provideMerge(layerAccounts, Layer.provideMerge(layerEndUsers, layerMigrated))

layer(store, { excludeTestServices: true })("bookmarks", (it) => {
  it.effect("are read from the same number of rows with and without an account", () =>
    Effect.gen(function* () {
      const somebody = yield* readFor([hashOf(1, 77)])
      assert.strictEqual(somebody.accounts, 1)
      for (const i of [5_001, 6_789, 9_999]) assert.deepStrictEqual(yield* readFor([hashOf(1, i)]), somebody)
    })
  )

  it.effect("are read from the same number of rows before the first identifier and after the last one", () =>
    Effect.gen(function* () {
      for (const hash of ["0:", "9:"]) assert.strictEqual((yield* readFor([hash])).accounts, 1)
    })
  )

  it.effect("are read from the same number of rows with and without an account while peppers change", () =>
    Effect.gen(function* () {
      const [somebody, nobody] = [yield* readFor(["0:", hashOf(1, 77)]), yield* readFor(["0:", hashOf(1, 5_001)])]
      assert.strictEqual(somebody.accounts, 2)
      assert.deepStrictEqual(nobody, somebody)
    })
  )
})

/** The number of rows of accounts and identifiers that a read of bookmarks needed. */
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
        // Planning reads rows, too, so it is done before.
        yield* sql`SET LOCAL plan_cache_mode = force_generic_plan`
        yield* endUsers.bookmarks(hashes)
        // The counters of a connection continue over transactions, so the difference counts.
        const before = yield* counted
        assert.deepStrictEqual(yield* endUsers.bookmarks(hashes), [])
        const after = yield* counted
        const read = (table: string) => (after.get(table) ?? 0) - (before.get(table) ?? 0)
        return { accounts: read("end_users"), identifiers: read("end_user_identifiers") }
      })
    )
  })
