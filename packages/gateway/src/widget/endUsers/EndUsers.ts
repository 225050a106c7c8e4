/** Port: accounts of end users, with hashed identifiers and bookmarks. */

import type { Postcode } from "@postcode/core/Postcode"
import { Context, type Effect } from "effect"
import type { Conflict, Unavailable } from "../../Errors.ts"
import type { IdentifierHashes } from "../../store/Secrets.ts"

/** A saved postcode and its label. */
export interface Bookmark {
  readonly postcode: Postcode
  readonly label: string
}

/** An account of an end user: hashed identifiers and bookmarks. */
export interface EndUser {
  readonly id: string
  /** Keyed hashes of the identifiers under the current pepper, see `Secrets.identifierHashes`. */
  readonly identifier_hashes: ReadonlyArray<string>
  /** Hashes of the same identifiers under previous peppers. Used to find the account, then removed from it. */
  readonly former_hashes?: ReadonlyArray<string>
  /** In the order that was sent. */
  readonly bookmarks: ReadonlyArray<Bookmark>
}

/** A stored account. It has the number of its identifiers, never the identifiers. */
export interface StoredEndUser {
  readonly id: string
  readonly identifiers: number
  /** In the order that was sent. */
  readonly bookmarks: ReadonlyArray<Bookmark>
}

export class EndUsers extends Context.Service<
  EndUsers,
  {
    /**
     * Stores an end user and returns the id. If an identifier already belongs to an account, under any pepper, the
     * account's identifiers and bookmarks are replaced and its id is returned. Fails with `Conflict`, without changes,
     * if the identifiers belong to two accounts.
     */
    readonly save: (user: EndUser) => Effect.Effect<string, Conflict | Unavailable>
    /**
     * Stores end users in one transaction, as `save` would in order. Returns the id of each; undefined where the
     * identifiers belong to two accounts, which does not affect the others.
     */
    readonly saveAll: (users: ReadonlyArray<EndUser>) => Effect.Effect<ReadonlyArray<string | undefined>, Unavailable>
    /**
     * The bookmarks of the account with an identifier, given its hashes; empty if there is none. Both cases do the same
     * work, so that timing does not reveal whether the account exists.
     *
     * @param organization_id of the session. Stores ignore it: accounts belong to the instance.
     */
    readonly bookmarks: (
      identifier_hashes: IdentifierHashes,
      organization_id?: string
    ) => Effect.Effect<ReadonlyArray<Bookmark>, Unavailable>
    /** The account with an identifier, given its hashes; undefined if there is none. */
    readonly find: (identifier_hashes: IdentifierHashes) => Effect.Effect<StoredEndUser | undefined, Unavailable>
    /** The account with an id; undefined if there is none. */
    readonly get: (id: string) => Effect.Effect<StoredEndUser | undefined, Unavailable>
    /**
     * Deletes an account with its bookmarks and hashes, and the own bookmarks of its identifiers in all organizations.
     * Returns the account; undefined if there is none.
     */
    readonly remove: (id: string) => Effect.Effect<StoredEndUser | undefined, Unavailable>
    /** The number of accounts. */
    readonly count: () => Effect.Effect<number, Unavailable>
  }
>()("@postcode/gateway/EndUsers") {}
