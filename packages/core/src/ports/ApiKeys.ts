/** Port: API keys. The store holds a key's hash, never the key. */
import { Context, type Effect } from "effect"
import type { ApiKeyRecord, Principal } from "../ApiKey.ts"
import type { InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"

export interface Revocation {
  readonly record: ApiKeyRecord
  /** Whether the key was revoked before, so that this changed nothing. */
  readonly repeated: boolean
}

export class ApiKeys extends Context.Service<
  ApiKeys,
  {
    /** Fails with `NotFound` if the organization does not exist. */
    readonly create: (key: ApiKeyRecord, hash: string) => Effect.Effect<void, NotFound | Unavailable>
    /**
     * The principal of a key in force, with its organization's grant as it is now; undefined for a hash that is
     * unknown or belongs to a revoked key. Finding a key marks it as used at `now` (ISO 8601), which `list` may show a
     * little later.
     */
    readonly findByHash: (hash: string, now: string) => Effect.Effect<Principal | undefined, Unavailable>
    /** The same by the id of the key, for whoever was let in by the key before. */
    readonly findById: (id: string, now: string) => Effect.Effect<Principal | undefined, Unavailable>
    /** What is known of a key, in force or not. It does not count as using it. */
    readonly get: (id: string) => Effect.Effect<ApiKeyRecord, NotFound | Unavailable>
    /** An organization's keys, newest first, revoked ones included. */
    readonly list: (
      organization_id: string,
      page: PageRequest
    ) => Effect.Effect<Page<ApiKeyRecord>, InvalidParameter | NotFound | Unavailable>
    /** Takes a key out of force. Once more changes nothing: the record keeps its first `revoked_at`. */
    readonly revoke: (id: string, revoked_at: string) => Effect.Effect<Revocation, NotFound | Unavailable>
  }
>()("@postcode/core/ApiKeys") {}
