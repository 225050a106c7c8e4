/** Settings of widget sessions on PostgreSQL. */
import {
  type BookmarkSettings,
  defaultBookmarkSettings,
  type StoredProofKeys,
  type StoredWidgetSettings,
  WidgetSettings
} from "@postcode/gateway/widget/WidgetSettings"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking, inTransaction } from "../connection/Database.ts"

/** The port `WidgetSettings`. */
export const layerWidgetSettings: Layer.Layer<WidgetSettings, never, SqlClient> = Layer.effect(
  WidgetSettings,
  Effect.map(SqlClient, (sql) =>
    WidgetSettings.of({
      get: (organization_id) => asking(get(sql, organization_id)),
      update: (organization_id, patch) => asking(inTransaction(sql, update(sql, organization_id, patch))),
      rotateProofKey: (organization_id, { created_at, former_until, sealed }) => {
        const { bookmarks_without_proof, own_bookmarks } = defaultBookmarkSettings
        return sql<SettingsRow>`
          INSERT INTO postcode.widget_settings AS s (
            organization_id, own_bookmarks, bookmarks_without_proof, proof_key, proof_key_created_at
          )
          VALUES (${organization_id}, ${own_bookmarks}, ${bookmarks_without_proof}, ${sealed}, ${created_at})
          ON CONFLICT (organization_id) DO UPDATE SET
            proof_key = excluded.proof_key,
            proof_key_created_at = excluded.proof_key_created_at,
            former_proof_key = s.proof_key,
            former_proof_key_until = CASE WHEN s.proof_key IS NULL THEN NULL ELSE ${former_until}::timestamptz END
          RETURNING *`.pipe(
          Effect.map(([row]) => keysOf(row as SettingsRow) as StoredProofKeys),
          asking
        )
      }
    })
  )
)

const get = (sql: SqlClient, organization_id: string) =>
  Effect.map(
    sql<SettingsRow>`SELECT * FROM postcode.widget_settings WHERE organization_id = ${organization_id}`,
    ([row]) => (row === undefined ? defaultBookmarkSettings : toSettings(row))
  )

/** The row exists before it is changed, so that concurrent changes wait for each other. */
const update = Effect.fnUntraced(function* (
  sql: SqlClient,
  organization_id: string,
  { bookmarks_without_proof, own_bookmarks }: Partial<BookmarkSettings>
) {
  const defaults = defaultBookmarkSettings
  yield* sql`INSERT INTO postcode.widget_settings (organization_id, own_bookmarks, bookmarks_without_proof)
    VALUES (${organization_id}, ${defaults.own_bookmarks}, ${defaults.bookmarks_without_proof})
    ON CONFLICT (organization_id) DO NOTHING`
  const own = sql`coalesce(${own_bookmarks ?? null}::boolean, own_bookmarks)`
  const withoutProof = sql`coalesce(${bookmarks_without_proof ?? null}::boolean, bookmarks_without_proof)`
  const [row] = yield* sql<SettingsRow>`UPDATE postcode.widget_settings
    SET own_bookmarks = ${own}, bookmarks_without_proof = ${withoutProof}
    WHERE organization_id = ${organization_id}
      AND (own_bookmarks, bookmarks_without_proof) IS DISTINCT FROM (${own}, ${withoutProof})
    RETURNING *`
  return row === undefined
    ? { settings: yield* get(sql, organization_id), changed: false }
    : { settings: toSettings(row), changed: true }
})

interface SettingsRow extends BookmarkSettings {
  readonly proof_key: string | null
  readonly proof_key_created_at: Date | null
  readonly former_proof_key: string | null
  readonly former_proof_key_until: Date | null
}

const toSettings = (row: SettingsRow): StoredWidgetSettings => {
  const proof_keys = keysOf(row)
  return {
    own_bookmarks: row.own_bookmarks,
    bookmarks_without_proof: row.bookmarks_without_proof,
    ...(proof_keys !== undefined && { proof_keys })
  }
}

const keysOf = (row: SettingsRow): StoredProofKeys | undefined => {
  if (row.proof_key === null || row.proof_key_created_at === null) return undefined
  return {
    present: row.proof_key,
    created_at: row.proof_key_created_at.toISOString(),
    ...(row.former_proof_key !== null && { former: row.former_proof_key }),
    ...(row.former_proof_key_until !== null && { former_until: row.former_proof_key_until.toISOString() })
  }
}
