/**
 * Accounts of end users on PostgreSQL.
 *
 * Saves that share an identifier are serialized by a lock for the identifier, even if it has no account yet. Changes to
 * the same account by different identifiers, or by its id, are serialized by the account's row; the owners of
 * identifiers are read after all locks. Locks are taken in order, those of identifiers first, so deadlocks are
 * impossible.
 */

import type { IdentifierHashes } from "@postcode/gateway/store/Secrets"
import { hashesNaming, saveAccounts, twoAccounts } from "@postcode/gateway/widget/endUsers/EndUserAccounts"
import { type Bookmark, type EndUser, EndUsers, type StoredEndUser } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { advisoryLocks } from "../connection/AdvisoryLocks.ts"
import { asking, inTransaction } from "../connection/Database.ts"
import { textArray } from "../connection/SqlArrays.ts"

/** The port `EndUsers`. */
export const layerEndUsers: Layer.Layer<EndUsers, never, SqlClient.SqlClient> = Layer.effect(
  EndUsers,
  Effect.map(SqlClient.SqlClient, (sql) => {
    const saved = (users: ReadonlyArray<EndUser>) => asking(inTransaction(sql, saveAll(sql, users)))
    return EndUsers.of({
      save: (user) =>
        Effect.flatMap(saved([user]), ([id]) => (id === undefined ? Effect.fail(twoAccounts) : Effect.succeed(id))),
      saveAll: saved,
      bookmarks: (identifier_hashes) => asking(findBookmarks(sql, identifier_hashes)),
      find: (identifier_hashes) => asking(findAccount(sql, identifier_hashes)),
      get: (id) => asking(getAccount(sql, id)),
      remove: (id) => asking(inTransaction(sql, removeAccount(sql, id))),
      count: () => asking(countAccounts(sql))
    })
  })
)

const saveAll = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, users: ReadonlyArray<EndUser>) {
  const hashes = textArray([...new Set(users.flatMap(hashesNaming))])
  yield* sql`
    SELECT pg_advisory_xact_lock(lock) FROM (
      SELECT DISTINCT ${advisoryLocks.endUsers}::int8 + (hashtext(hash) & ${locks - 1}) AS lock
      FROM unnest(${hashes}) AS hash ORDER BY lock
    ) locks`
  // Reads the owners in a separate statement after the lock: a statement sees only what was committed before it began.
  yield* sql`
    SELECT FROM postcode.end_users
    WHERE id IN (SELECT end_user_id FROM postcode.end_user_identifiers WHERE hash = ANY (${hashes}))
    ORDER BY id FOR UPDATE`
  const owners = yield* sql<{ readonly hash: string; readonly id: string }>`
    SELECT hash, end_user_id AS id FROM postcode.end_user_identifiers WHERE hash = ANY (${hashes})`
  const { accounts, ids } = saveAccounts(
    users,
    owners.map(({ hash, id }) => [hash, id] as const)
  )
  if (accounts.size > 0) yield* keep(sql, [...accounts.values()])
  return ids
})

/** Stores accounts, replacing those with the same ids. */
const keep = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, accounts: ReadonlyArray<EndUser>) {
  const ids = textArray(accounts.map(({ id }) => id))
  const bookmarks = textArray(accounts.map((account) => JSON.stringify(account.bookmarks)))
  const pairs = accounts.flatMap(({ id, identifier_hashes }) => identifier_hashes.map((hash) => ({ hash, id })))
  const hashes = textArray(pairs.map(({ hash }) => hash))
  const owners = textArray(pairs.map(({ id }) => id))
  yield* sql`
    INSERT INTO postcode.end_users (id, bookmarks)
    SELECT id, bookmarks::json FROM unnest(${ids}, ${bookmarks}) AS account (id, bookmarks)
    ON CONFLICT (id) DO UPDATE SET bookmarks = excluded.bookmarks`
  yield* sql`
    DELETE FROM postcode.end_user_identifiers
    WHERE end_user_id = ANY (${ids})
    AND (hash, end_user_id) NOT IN (SELECT * FROM unnest(${hashes}, ${owners}))`
  yield* sql`
    INSERT INTO postcode.end_user_identifiers (hash, end_user_id)
    SELECT hash, id FROM unnest(${hashes}, ${owners}) AS pair (hash, id)
    ON CONFLICT (hash) DO NOTHING`
})

/**
 * The number of locks that identifiers share, a power of two. A lock for each could exceed the server's lock table when
 * many accounts are saved at once.
 */
const locks = 256

/**
 * Every lookup reads the same number of rows: for an unknown hash, the account of the next hash is read instead and its
 * bookmarks are discarded. After the last hash comes the first. So neither the number of rows nor the cache shows
 * whether an account exists.
 *
 * If both hashes have accounts, which only another program could have stored, the first hash wins: that of the current
 * pepper.
 */
const findBookmarks = (sql: SqlClient.SqlClient, identifier_hashes: IdentifierHashes) =>
  Effect.map(
    sql<{ readonly bookmarks: ReadonlyArray<Bookmark> }>`
      SELECT CASE WHEN i.hash = asked.hash THEN u.bookmarks ELSE '[]' END AS bookmarks
      FROM unnest(${textArray(identifier_hashes)}) WITH ORDINALITY AS asked (hash, place)
      JOIN postcode.end_user_identifiers i ON i.hash = coalesce(
        (SELECT hash FROM postcode.end_user_identifiers WHERE hash >= asked.hash ORDER BY hash LIMIT 1),
        (SELECT hash FROM postcode.end_user_identifiers ORDER BY hash LIMIT 1)
      )
      JOIN postcode.end_users u ON u.id = i.end_user_id
      ORDER BY i.hash = asked.hash DESC, asked.place LIMIT 1`,
    ([found]) => found?.bookmarks ?? []
  )

const findAccount = (sql: SqlClient.SqlClient, identifier_hashes: IdentifierHashes) =>
  Effect.map(
    sql<StoredEndUser>`
      SELECT u.id, u.bookmarks, ${countIdentifiers(sql)} AS identifiers
      FROM postcode.end_user_identifiers i JOIN postcode.end_users u ON u.id = i.end_user_id
      WHERE i.hash = ANY (${textArray(identifier_hashes)})
      ORDER BY array_position(${textArray(identifier_hashes)}, i.hash) LIMIT 1`,
    ([found]) => found
  )

const getAccount = (sql: SqlClient.SqlClient, id: string) =>
  Effect.map(
    sql<StoredEndUser>`
      SELECT u.id, u.bookmarks, ${countIdentifiers(sql)} AS identifiers FROM postcode.end_users u WHERE u.id = ${id}`,
    ([found]) => found
  )

const countIdentifiers = (sql: SqlClient.SqlClient) =>
  sql`(SELECT count(*)::integer FROM postcode.end_user_identifiers WHERE end_user_id = u.id)`

const removeAccount = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, id: string) {
  yield* sql`SELECT FROM postcode.end_users WHERE id = ${id} FOR UPDATE`
  const account = yield* getAccount(sql, id)
  if (account === undefined) return undefined
  yield* sql`
    DELETE FROM postcode.own_bookmarks
    WHERE subject IN (SELECT hash FROM postcode.end_user_identifiers WHERE end_user_id = ${id})`
  yield* sql`DELETE FROM postcode.end_user_identifiers WHERE end_user_id = ${id}`
  yield* sql`DELETE FROM postcode.end_users WHERE id = ${id}`
  return account
})

const countAccounts = (sql: SqlClient.SqlClient) =>
  Effect.map(
    sql<{ readonly accounts: number }>`SELECT count(*)::float8 AS accounts FROM postcode.end_users`,
    ([row]) => row?.accounts ?? 0
  )
