/** Settings of widget sessions on PostgreSQL. */
import {
  type BookmarkSettings,
  defaultBookmarkSettings,
  type StoredProofKeys,
  type StoredWidgetSettings,
  WidgetSettings
} from "@postcode/core/widget/WidgetSettings"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking } from "../connection/Database.ts"

/** The port `WidgetSettings`. */
export const layerWidgetSettings: Layer.Layer<WidgetSettings, never, SqlClient> = Layer.effect(
  WidgetSettings,
  Effect.map(SqlClient, (sql) =>
    WidgetSettings.of({
      get: (organization_id) =>
        sql<SettingsRow>`SELECT * FROM postcode.widget_settings WHERE organization_id = ${organization_id}`.pipe(
          Effect.map(([row]) => (row === undefined ? defaultBookmarkSettings : toSettings(row))),
          asking
        ),
      set: (organization_id, { bookmarks_without_proof, own_bookmarks }) =>
        sql`INSERT INTO postcode.widget_settings (organization_id, own_bookmarks, bookmarks_without_proof)
          VALUES (${organization_id}, ${own_bookmarks}, ${bookmarks_without_proof})
          ON CONFLICT (organization_id) DO UPDATE SET
            own_bookmarks = excluded.own_bookmarks,
            bookmarks_without_proof = excluded.bookmarks_without_proof`.pipe(Effect.asVoid, asking),
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
