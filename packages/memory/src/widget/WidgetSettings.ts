/** Settings of widget sessions in memory. */
import {
  defaultBookmarkSettings,
  type StoredProofKeys,
  type StoredWidgetSettings,
  WidgetSettings
} from "@postcode/core/widget/WidgetSettings"
import { Effect, Layer } from "effect"

export const layerWidgetSettings: Layer.Layer<WidgetSettings> = Layer.sync(WidgetSettings, () => {
  const stored = new Map<string, StoredWidgetSettings>()
  const get = (organization_id: string): StoredWidgetSettings => stored.get(organization_id) ?? defaultBookmarkSettings

  return WidgetSettings.of({
    get: (organization_id) => Effect.sync(() => get(organization_id)),
    set: (organization_id, { bookmarks_without_proof, own_bookmarks }) =>
      Effect.sync(() => {
        stored.set(organization_id, { ...get(organization_id), own_bookmarks, bookmarks_without_proof })
      }),
    rotateProofKey: (organization_id, { created_at, former_until, sealed }) =>
      Effect.sync(() => {
        const settings = get(organization_id)
        const former = settings.proof_keys?.present
        const proof_keys: StoredProofKeys = {
          present: sealed,
          created_at,
          ...(former !== undefined && { former, former_until })
        }
        stored.set(organization_id, { ...settings, proof_keys })
        return proof_keys
      })
  })
})
