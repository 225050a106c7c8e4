/** Port: management keys. The store has the hash of a key, never the key. */
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, InvalidToken, NotFound, Unavailable } from "../../Errors.ts"
import type { MemberRole } from "../../ManagementAccess.ts"
import type { Page, PageRequest } from "../../Page.ts"
import type { Maker } from "../Account.ts"
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
     * `tooManyManagementKeys` if its creator has `maxManagementKeys` active ones there when it is created, also with
     * concurrent requests. Fails with `invalidConsoleSession` if `maker` no longer has its role, so that `revokeCreatedBy` cannot
     * miss a key.
     */
    readonly create: (
      key: ManagementKey,
      hash: string,
      maker?: Maker
    ) => Effect.Effect<void, Conflict | InvalidToken | NotFound | Unavailable>
    /** The same, after it revokes the active keys with the same name and creator. Returns them in any order. */
    readonly replace: (
      key: ManagementKey,
      hash: string,
      maker?: Maker
    ) => Effect.Effect<ReadonlyArray<ManagementKey>, Conflict | InvalidToken | NotFound | Unavailable>
    /**
     * The key with this hash; undefined for an unknown or revoked one. Reads the store on every call, so a revoked key
     * is refused on every replica from the commit on. Sets the last use to `now`, unless the recorded one is less than
     * `useInterval_ms` earlier or the key has expired.
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
    /**
     * Revokes the keys that an account created in an organization, or in any if undefined, that are not revoked and have
     * none of these roles. Returns the revoked keys in any order.
     */
    readonly revokeCreatedBy: (
      account_id: string,
      organization_id: string | undefined,
      keptRoles: ReadonlyArray<MemberRole>,
      revoked_at: string
    ) => Effect.Effect<ReadonlyArray<ManagementKey>, Unavailable>
  }
>()("@postcode/gateway/ManagementKeys") {}
