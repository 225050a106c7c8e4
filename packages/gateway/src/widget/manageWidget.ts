/** Settings of an organization's widget sessions, and its proof key. */
import { Clock, Effect, type Redacted } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited, entryOf, timestamp } from "../audit/audit.ts"
import type { InsufficientScope, NotFound, Unavailable } from "../Errors.ts"
import { type Manager, permitOn } from "../ManagementAccess.ts"
import { Organizations } from "../organizations/Organizations.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { ProofKeys } from "./endUsers/ProofKeys.ts"
import {
  type BookmarkSettings,
  formerProofKey_ms,
  type StoredWidgetSettings,
  WidgetSettings
} from "./WidgetSettings.ts"

/** The settings, and when the proof key was created; null without one. */
export interface ShownWidgetSettings extends BookmarkSettings {
  readonly proof_key_created_at: string | null
}

/** A new proof key. The secret is never returned again. */
export interface CreatedProofKey {
  readonly secret: Redacted.Redacted<string>
  readonly created_at: string
  /** Until when the previous key is also valid; null without one. */
  readonly former_until: string | null
}

type Refused = InsufficientScope | NotFound | Unavailable

export interface ManageWidget {
  readonly get: (organization_id: string, manager: Manager) => Effect.Effect<ShownWidgetSettings, Refused>
  /** Fields that are absent stay. Repeating it changes nothing and adds no audit entry. */
  readonly set: (
    organization_id: string,
    changes: Partial<BookmarkSettings>,
    manager: Manager
  ) => Effect.Effect<ShownWidgetSettings, Refused>
  /** The previous key stays valid for a day. */
  readonly createProofKey: (organization_id: string, manager: Manager) => Effect.Effect<CreatedProofKey, Refused>
}

type Ports = AuditLog | Organizations | ProofKeys | Secrets | Transactions | WidgetSettings

/** Every change is stored in one transaction with its audit entry. */
export const manageWidget: Effect.Effect<ManageWidget, never, Ports> = Effect.gen(function* () {
  const settings = yield* WidgetSettings
  const organizations = yield* Organizations
  const proofKeys = yield* ProofKeys
  const withAudit = yield* audited

  return {
    get: Effect.fnUntraced(function* (organization_id, manager) {
      yield* permitOn(manager, "getWidgetSettings", organization_id)
      yield* organizations.get(organization_id)
      return shown(yield* settings.get(organization_id))
    }),

    set: Effect.fnUntraced(function* (organization_id, changes, manager) {
      yield* permitOn(manager, "setWidgetSettings", organization_id)
      yield* organizations.get(organization_id)
      const { settings: after } = yield* withAudit(
        settings.update(organization_id, changes),
        ({ changed, settings: { bookmarks_without_proof, own_bookmarks } }) => {
          if (!changed) return undefined
          const details = {
            own_bookmarks: onOff(own_bookmarks),
            bookmarks_without_proof: onOff(bookmarks_without_proof)
          }
          const subject = { id: organization_id, organization_id }
          return entryOf(manager.actor, "widget.settings_changed", subject, details)
        }
      )
      return shown(after)
    }),

    createProofKey: Effect.fnUntraced(function* (organization_id, manager) {
      yield* permitOn(manager, "createProofKey", organization_id)
      yield* organizations.get(organization_id)
      const { sealed, secret } = proofKeys.make(organization_id)
      const created_at = yield* timestamp
      const former_until = new Date((yield* Clock.currentTimeMillis) + formerProofKey_ms).toISOString()
      const key = { sealed, created_at, former_until }
      const stored = yield* withAudit(settings.rotateProofKey(organization_id, key), () =>
        entryOf(manager.actor, "widget.proof_key_created", { id: organization_id, organization_id })
      )
      return { secret, created_at, former_until: stored.former_until ?? null }
    })
  }
})

const shown = ({ bookmarks_without_proof, own_bookmarks, proof_keys }: StoredWidgetSettings): ShownWidgetSettings => ({
  own_bookmarks,
  bookmarks_without_proof,
  proof_key_created_at: proof_keys?.created_at ?? null
})

const onOff = (value: boolean): string => (value ? "on" : "off")
