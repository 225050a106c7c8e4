/** Port: API keys. The store holds a key's hash, never the key. */
import { Context, type Effect } from "effect"
import type { Conflict, InvalidApiKey, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { ApiKeyRecord, Principal } from "./ApiKey.ts"

/** What revoking a key came to. */
export interface Revocation {
  readonly record: ApiKeyRecord
  /** Whether the key was revoked before, so that this changed nothing. */
  readonly repeated: boolean
}

/** One key in the place of another. */
export interface Rotation {
  /** The id of the key to be replaced. */
  readonly id: string
  /** When: the key must be in force at this moment. ISO 8601, UTC, as all times here. */
  readonly at: string
  /** When the replaced key ends. */
  readonly expires_at: string
  /** Set if it ends at once: then it is revoked as well, which depends on no clock. */
  readonly revoked_at?: string
  /** The key that comes in its place, of the same organization. */
  readonly successor: ApiKeyRecord
  /** The hash of the successor. */
  readonly hash: string
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /**
     * Fails with `NotFound` if the organization does not exist, and with `tooManyKeys` if it has `maxActiveKeys` already
     * that are active at the key's `created_at`; so of two that come at once for the last place one wins.
     */
    readonly create: (key: ApiKeyRecord, hash: string) => Effect.Effect<void, Conflict | NotFound | Unavailable>
    /**
     * The principal of a key in force, with its organization's grant as it is now; undefined for a hash that is
     * unknown or belongs to a revoked key. Fails with `keyExpired` from the moment on at which the key ends, without
     * hearing of anything. Finding a key marks it as used at `now` (ISO 8601), which `list` may show a little later.
     *
     * A store that has the key at hand may find it when it is called, and answer the outcome itself. Any other begins to
     * look only as it is run, which whoever calls does once and at once, or not at all.
     */
    readonly findByHash: (
      hash: string,
      now: string
    ) => Effect.Effect<Principal | undefined, InvalidApiKey | Unavailable>
    /** The same by the id of the key, for whoever was let in by the key before. */
    readonly findById: (id: string, now: string) => Effect.Effect<Principal | undefined, InvalidApiKey | Unavailable>
    /** What is known of a key, in force or not, as `list` says it. It does not count as using it. */
    readonly get: (id: string) => Effect.Effect<ApiKeyRecord, NotFound | Unavailable>
    /** An organization's keys, newest first, revoked and expired ones included; one with a daily limit says its use. */
    readonly list: (
      organization_id: string,
      page: PageRequest
    ) => Effect.Effect<Page<ApiKeyRecord>, InvalidParameter | NotFound | Unavailable>
    /**
     * Stores a key in place of another, which gets an end, in one step. Each names the other. Answers the replaced key.
     * Fails with `Conflict` if that is not in force or was replaced before, see `replacementConflict`; so of two that
     * come at once one wins. Both keys count as active until the replaced one ends, so `tooManyKeys` is possible here, too.
     * A failure leaves no trace.
     */
    readonly rotate: (rotation: Rotation) => Effect.Effect<ApiKeyRecord, Conflict | NotFound | Unavailable>
    /** Takes a key out of force. Once more changes nothing: the record keeps its first `revoked_at`. */
    readonly revoke: (id: string, revoked_at: string) => Effect.Effect<Revocation, NotFound | Unavailable>
  }
>()("@postcode/core/ApiKeys") {}
