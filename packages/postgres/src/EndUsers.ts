/**
 * End users' accounts on PostgreSQL.
 *
 * Saves that share an identifier wait for each other on a lock of the identifier, whether it belongs to an account yet or
 * not. Saves that reach the same account by different identifiers wait on the account's row; whoever comes second looks
 * again whose the identifiers are by then. Locks are taken in order, the identifiers' first, so no two wait in a circle.
 */

import { PgTypes } from "@effect/sql-pg"
import { Conflict } from "@postcode/core/Errors"
import { type Bookmark, type EndUser, EndUsers } from "@postcode/core/ports/EndUsers"
import type { IdentifierHashes } from "@postcode/core/WidgetSession"
import { Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { asking, inTransaction } from "./Database.ts"

export const layerEndUsers: Layer.Layer<EndUsers, never, SqlClient.SqlClient> = Layer.effect(
  EndUsers,
  Effect.map(SqlClient.SqlClient, (sql) =>
    EndUsers.of({
      save: (user) => asking(inTransaction(sql, save(sql, user))),
      bookmarks: (identifier_hashes) => asking(findBookmarks(sql, identifier_hashes))
    })
  )
)

const save = (sql: SqlClient.SqlClient, user: EndUser): Effect.Effect<string, Conflict | SqlError> =>
  Effect.gen(function* () {
    const kept = textArray(user.identifier_hashes)
    const hashes = textArray([...user.identifier_hashes, ...(user.former_hashes ?? [])])
    yield* sql`
      SELECT pg_advisory_xact_lock(lock) FROM (
        SELECT DISTINCT hashtextextended(hash, ${lockSeed}::int8) AS lock FROM unnest(${hashes}) AS hash ORDER BY lock
      ) locks`
    // Locks what is there, and only then looks whose it is: a statement sees what was committed before it began.
    yield* sql`
      SELECT FROM postcode.end_users
      WHERE id IN (SELECT end_user_id FROM postcode.end_user_identifiers WHERE hash = ANY (${hashes}))
      ORDER BY id FOR UPDATE`
    const owners = yield* sql<{ readonly id: string }>`
      SELECT DISTINCT end_user_id AS id FROM postcode.end_user_identifiers WHERE hash = ANY (${hashes})`
    if (owners.length > 1) return yield* Effect.fail(twoAccounts)
    const id = owners[0]?.id ?? user.id
    const bookmarks = JSON.stringify(user.bookmarks)
    yield* sql`
      INSERT INTO postcode.end_users (id, bookmarks) VALUES (${id}, ${bookmarks}::json)
      ON CONFLICT (id) DO UPDATE SET bookmarks = excluded.bookmarks`
    yield* sql`
      DELETE FROM postcode.end_user_identifiers WHERE end_user_id = ${id} AND hash <> ALL (${kept})`
    yield* sql`
      INSERT INTO postcode.end_user_identifiers (hash, end_user_id) SELECT hash, ${id} FROM unnest(${kept}) AS hash
      ON CONFLICT (hash) DO NOTHING`
    return id
  })

const textArray = (texts: ReadonlyArray<string>) => Result.getOrThrow(PgTypes.array(texts, PgTypes.OID.text))

/** Keeps these locks apart from others that are made of texts. */
const lockSeed = 4

/** Of two accounts, which only another program could have stored, that of the present pepper. */
const findBookmarks = (sql: SqlClient.SqlClient, identifier_hashes: IdentifierHashes) =>
  Effect.map(
    sql<{ readonly bookmarks: ReadonlyArray<Bookmark> }>`
      SELECT u.bookmarks FROM postcode.end_user_identifiers i JOIN postcode.end_users u ON u.id = i.end_user_id
      WHERE i.hash = ANY (${textArray(identifier_hashes)})
      ORDER BY array_position(${textArray(identifier_hashes)}, i.hash) LIMIT 1`,
    ([found]) => found?.bookmarks ?? []
  )

const twoAccounts = new Conflict({
  message: "the identifiers belong to two accounts: save each account with its own identifiers"
})
