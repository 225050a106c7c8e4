/**
 * Bookmarks that end users saved themselves, on PostgreSQL: a row for each end user of an organization and environment.
 * Changes of one end user are serialized by the row of the present hash. The lists are core's; this only stores them.
 */

import {
  type BookmarkOwner,
  joinBookmarks,
  OwnBookmarks,
  withBookmark,
  withoutBookmark
} from "@postcode/gateway/widget/bookmarks/OwnBookmarks"
import type { Bookmark } from "@postcode/gateway/widget/endUsers/EndUsers"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asking, inTransaction } from "../connection/Database.ts"
import { textArray } from "../connection/SqlArrays.ts"

/** The port `OwnBookmarks`. */
export const layerOwnBookmarks: Layer.Layer<OwnBookmarks, never, SqlClient.SqlClient> = Layer.effect(
  OwnBookmarks,
  Effect.map(SqlClient.SqlClient, (sql) =>
    OwnBookmarks.of({
      list: (owner) => asking(Effect.map(readRows(sql, owner), joinRows(owner))),
      save: (owner, bookmark) =>
        asking(
          inTransaction(
            sql,
            Effect.gen(function* () {
              const before = yield* lock(sql, owner)
              yield* keep(sql, owner, yield* Effect.fromResult(withBookmark(before, bookmark)))
            })
          )
        ),
      remove: (owner, postcode) =>
        asking(
          inTransaction(
            sql,
            Effect.gen(function* () {
              const before = yield* lock(sql, owner)
              const after = withoutBookmark(before, postcode)
              yield* keep(sql, owner, after)
              return after.length < before.length
            })
          )
        ),
      removeAll: (organization_id) =>
        asking(Effect.asVoid(sql`DELETE FROM postcode.own_bookmarks WHERE organization_id = ${organization_id}`))
    })
  )
)

interface Row {
  readonly subject: string
  readonly bookmarks: ReadonlyArray<Bookmark>
}

const ofOwner = (sql: SqlClient.SqlClient, { environment, identifier_hashes, organization_id }: BookmarkOwner) =>
  sql`organization_id = ${organization_id} AND environment = ${environment}
    AND subject = ANY (${textArray(identifier_hashes)})`

const readRows = (sql: SqlClient.SqlClient, owner: BookmarkOwner) =>
  sql<Row>`SELECT subject, bookmarks FROM postcode.own_bookmarks WHERE ${ofOwner(sql, owner)}`

/** In the order of the hashes: the present one first. */
const joinRows =
  ({ identifier_hashes }: BookmarkOwner) =>
  (rows: ReadonlyArray<Row>): ReadonlyArray<Bookmark> =>
    joinBookmarks(identifier_hashes.map((hash) => rows.find(({ subject }) => subject === hash)?.bookmarks ?? []))

/** Locks the rows of an end user, the present one even if it is new, and returns the bookmarks. */
const lock = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, owner: BookmarkOwner) {
  const { environment, identifier_hashes, organization_id } = owner
  yield* sql`
    INSERT INTO postcode.own_bookmarks (organization_id, environment, subject, bookmarks)
    VALUES (${organization_id}, ${environment}, ${identifier_hashes[0]}, '[]')
    ON CONFLICT (organization_id, environment, subject) DO UPDATE SET subject = excluded.subject`
  const rows = yield* sql<Row>`
    SELECT subject, bookmarks FROM postcode.own_bookmarks WHERE ${ofOwner(sql, owner)} ORDER BY subject FOR UPDATE`
  return joinRows(owner)(rows)
})

/** Stores a list under the present hash alone. An empty list has no row. */
const keep = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  owner: BookmarkOwner,
  bookmarks: ReadonlyArray<Bookmark>
) {
  const { environment, identifier_hashes, organization_id } = owner
  const [present] = identifier_hashes
  yield* sql`
    DELETE FROM postcode.own_bookmarks
    WHERE ${ofOwner(sql, owner)} AND (subject <> ${present} OR ${bookmarks.length === 0})`
  if (bookmarks.length === 0) return
  yield* sql`
    UPDATE postcode.own_bookmarks SET bookmarks = ${JSON.stringify(bookmarks)}::json
    WHERE organization_id = ${organization_id} AND environment = ${environment} AND subject = ${present}`
})
