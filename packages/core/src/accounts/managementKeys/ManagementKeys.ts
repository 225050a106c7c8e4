/** Port: management keys. The store has the hash of a key, never the key. */
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, NotFound, Unavailable } from "../../Errors.ts"
import type { Page, PageRequest } from "../../Page.ts"
import type { ManagementKey } from "./ManagementKey.ts"

/** The result of revoking a management key. */
export interface ManagementKeyRevocation {
  readonly record: ManagementKey
  /** Whether the key was already revoked, so that nothing changed. */
  readonly repeated: boolean
}

export class ManagementKeys extends Context.Service<
  ManagementKeys,
  {
    /**
     * Fails with `NotFound` if the organization does not exist, with `organizationClosed` if it is closed, and with
     * `tooManyManagementKeys` if it has `maxManagementKeys` active ones, also with concurrent requests.
     */
    readonly create: (key: ManagementKey, hash: string) => Effect.Effect<void, Conflict | NotFound | Unavailable>
    /**
     * The active key with this hash; undefined for an unknown or revoked one. Reads the store on every call, so a
     * revoked key is refused on every replica from the commit on. Sets the last use to `now`, unless the recorded one
     * is less than `useInterval_ms` earlier.
     */
    readonly findByHash: (hash: string, now: string) => Effect.Effect<ManagementKey | undefined, Unavailable>
    /** The record of a key, active or not. Does not count as use. */
    readonly get: (id: string) => Effect.Effect<ManagementKey, NotFound | Unavailable>
    /** An organization's keys, newest first, including revoked ones. */
    readonly list: (
      organization_id: string,
      page: PageRequest
    ) => Effect.Effect<Page<ManagementKey>, InvalidParameter | NotFound | Unavailable>
    /** Revokes a key. Repeating it changes nothing: the record keeps its first `revoked_at`. */
    readonly revoke: (id: string, revoked_at: string) => Effect.Effect<ManagementKeyRevocation, NotFound | Unavailable>
    /** Revokes an organization's keys that are not revoked; returns their number. */
    readonly revokeAll: (organization_id: string, revoked_at: string) => Effect.Effect<number, Unavailable>
  }
>()("@postcode/core/ManagementKeys") {}
