/** Port: API keys. The store has the hash of a key, never the key. */
import { Context, type Effect } from "effect"
import type { Conflict, InvalidApiKey, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { ApiKeyRecord, KeyPatch, PatchedKey, Principal } from "./ApiKey.ts"

/** The result of revoking a key. */
export interface Revocation {
  readonly record: ApiKeyRecord
  /** Whether the key was already revoked, so that nothing changed. */
  readonly repeated: boolean
}

/** The replacement of a key by its successor. */
export interface Rotation {
  /** The id of the replaced key. */
  readonly id: string
  /** The time of the rotation, at which the key must be active. ISO 8601, UTC, as all times here. */
  readonly at: string
  /** When the replaced key expires. */
  readonly expires_at: string
  /** Set if the key ends immediately: it is then revoked, which does not depend on clocks. */
  readonly revoked_at?: string
  /** The new key, of the same organization. */
  readonly successor: ApiKeyRecord
  /** The hash of the successor. */
  readonly hash: string
}

/** Maximum number of keys that `takeExpiring` takes. */
export const maxTakenKeys = 100

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Fails with `NotFound` if the organization does not exist, with `organizationClosed` if it is closed, and with
     * `tooManyKeys` if it has `maxActiveKeys` keys that are active at the key's `created_at`, also with concurrent
     * requests.
     */
    readonly create: (key: ApiKeyRecord, hash: string) => Effect.Effect<void, Conflict | NotFound | Unavailable>
    /**
     * The principal of an active key, with its organization's current grant; undefined for an unknown or revoked key.
     * Fails with `keyExpired` from the time of expiry, without any notification. Finding a key sets its last use to
     * `now` (ISO 8601), which `list` may show later.
     *
     * A store may answer synchronously from memory and return a completed effect. Otherwise the search starts when the
     * effect is run. Callers run the effect once and immediately, or not at all.
     */
    readonly findByHash: (
      hash: string,
      now: string
    ) => Effect.Effect<Principal | undefined, InvalidApiKey | Unavailable>
    /** The same by the id of the key, for callers that authenticated with the key before. */
    readonly findById: (id: string, now: string) => Effect.Effect<Principal | undefined, InvalidApiKey | Unavailable>
    /** The record of a key, active or not, as in `list`. Does not count as use. */
    readonly get: (id: string) => Effect.Effect<ApiKeyRecord, NotFound | Unavailable>
    /** An organization's keys, newest first, including inactive ones. `credits_today` is set for daily limits. */
    readonly list: (
      organization_id: string,
      page: PageRequest
    ) => Effect.Effect<Page<ApiKeyRecord>, InvalidParameter | NotFound | Unavailable>
    /**
     * Applies a patch to a key that is active at a time, see `patchKey`; otherwise it fails with `Conflict`. A patch that
     * changes nothing writes nothing. The new limits hold for the next charge, on every replica.
     */
    readonly update: (
      id: string,
      patch: KeyPatch,
      at: string
    ) => Effect.Effect<PatchedKey, Conflict | NotFound | Unavailable>
    /**
     * Stores a successor and sets the expiry of the replaced key, in one transaction; each record names the other.
     * Returns the replaced key. Fails with `Conflict` if that is not active, already replaced or changed meanwhile, see
     * `replacementConflict`, also with concurrent requests. Both keys are active during the overlap, so it can fail
     * with `tooManyKeys`. A failure changes nothing.
     */
    readonly rotate: (rotation: Rotation) => Effect.Effect<ApiKeyRecord, Conflict | NotFound | Unavailable>
    /**
     * Takes keys that are about to expire, see `isExpiring`: at most `maxTakenKeys`, the first to expire first, and each
     * key once, also with concurrent calls. A transaction that fails takes none.
     */
    readonly takeExpiring: (now: string, notice_ms: number) => Effect.Effect<ReadonlyArray<ApiKeyRecord>, Unavailable>
    /** Revokes a key. Repeating it changes nothing: the record keeps its first `revoked_at`. */
    readonly revoke: (id: string, revoked_at: string) => Effect.Effect<Revocation, NotFound | Unavailable>
  }
>()("@postcode/gateway/ApiKeys") {}
