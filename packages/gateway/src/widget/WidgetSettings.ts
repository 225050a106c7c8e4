/** Port: an organization's settings of its widget sessions, and its proof keys. */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../Errors.ts"

/** An organization's settings for bookmarks in widget sessions. */
export interface BookmarkSettings {
  /** Whether end users with a proof can save and remove bookmarks. */
  readonly own_bookmarks: boolean
  /** Whether sessions without a proof show bookmarks. */
  readonly bookmarks_without_proof: boolean
}

/** The settings of an organization that has set none. */
export const defaultBookmarkSettings: BookmarkSettings = { own_bookmarks: false, bookmarks_without_proof: true }

/** The key that signs proofs, and the previous one while it is also valid. Both are encrypted, see `ProofKeys`. */
export interface StoredProofKeys {
  readonly present: string
  /** ISO 8601, UTC. */
  readonly created_at: string
  readonly former?: string
  /** Until when the previous key is valid, ISO 8601, UTC; present with `former`. */
  readonly former_until?: string
}

/** The settings as stored; the keys are absent until one is created. */
export interface StoredWidgetSettings extends BookmarkSettings {
  readonly proof_keys?: StoredProofKeys
}

/** How long the previous proof key stays valid, in milliseconds: servers change their key in this time. */
export const formerProofKey_ms = 24 * 60 * 60 * 1000

/** A session's permissions for bookmarks. */
export interface BookmarkRights {
  /** Sees the bookmarks of the end user's account. */
  readonly reads: boolean
  /** Sees, saves and removes the end user's own bookmarks in this organization. */
  readonly owns: boolean
}

/**
 * What a session may do with bookmarks.
 *
 * @param isProven whether the session was started with a proof
 */
export const bookmarkRights = (
  { bookmarks_without_proof, own_bookmarks }: BookmarkSettings,
  isProven: boolean
): BookmarkRights => ({ reads: isProven || bookmarks_without_proof, owns: isProven && own_bookmarks })

/** The result of changing settings. */
export interface WidgetSettingsChanged {
  readonly settings: StoredWidgetSettings
  /** Whether anything changed. */
  readonly changed: boolean
}

export class WidgetSettings extends Context.Service<
  WidgetSettings,
  {
    /** The settings of an organization; the default ones if it has set none. */
    readonly get: (organization_id: string) => Effect.Effect<StoredWidgetSettings, Unavailable>
    /** Changes the fields of the patch, also while other fields are changed concurrently. The proof keys stay. */
    readonly update: (
      organization_id: string,
      patch: Partial<BookmarkSettings>
    ) => Effect.Effect<WidgetSettingsChanged, Unavailable>
    /** Stores a new proof key. The present one, if there is any, becomes the former one, valid until `former_until`. */
    readonly rotateProofKey: (
      organization_id: string,
      key: { readonly sealed: string; readonly created_at: string; readonly former_until: string }
    ) => Effect.Effect<StoredProofKeys, Unavailable>
  }
>()("@postcode/gateway/WidgetSettings") {}
