/** Settings of widget sessions in memory. */
import {
  defaultBookmarkSettings,
  type StoredProofKeys,
  type StoredWidgetSettings,
  WidgetSettings
} from "@postcode/gateway/widget/WidgetSettings"
import { Effect, Layer } from "effect"

export const layerWidgetSettings: Layer.Layer<WidgetSettings> = Layer.sync(WidgetSettings, () => {
  const stored = new Map<string, StoredWidgetSettings>()
  const get = (organization_id: string): StoredWidgetSettings => stored.get(organization_id) ?? defaultBookmarkSettings

  return WidgetSettings.of({
    get: (organization_id) => Effect.sync(() => get(organization_id)),
    update: (organization_id, patch) =>
      Effect.sync(() => {
        const before = get(organization_id)
        const settings = { ...before, ...patch }
        const changed =
          settings.own_bookmarks !== before.own_bookmarks ||
          settings.bookmarks_without_proof !== before.bookmarks_without_proof
        if (changed) stored.set(organization_id, settings)
        return { settings, changed }
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
