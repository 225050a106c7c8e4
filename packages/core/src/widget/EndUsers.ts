/** Port: accounts of end users: hashed identifiers and bookmarks. */
import { Context, type Effect } from "effect"
import type { Conflict, Unavailable } from "../Errors.ts"
import type { Postcode } from "../postcode/Postcode.ts"
import type { IdentifierHashes } from "./WidgetSession.ts"

/** A postcode that an end user saved, and what they call it. */
export interface Bookmark {
  readonly postcode: Postcode
  readonly label: string
}

/** An account of an end user: whose it is, by hashes alone, and what was saved. */
export interface EndUser {
  readonly id: string
  /** Keyed hashes of the identifiers under the present pepper, see `Secrets.identifierHashes`. */
  readonly identifier_hashes: ReadonlyArray<string>
  /** Hashes of the same identifiers under peppers of before. The account is found by them, too, and keeps none of them. */
  readonly former_hashes?: ReadonlyArray<string>
  /** In the end user's own order. */
  readonly bookmarks: ReadonlyArray<Bookmark>
}

/** An account as it is kept: how many identifiers lead to it, and never which. */
export interface StoredEndUser {
  readonly id: string
  readonly identifiers: number
  /** In the end user's own order. */
  readonly bookmarks: ReadonlyArray<Bookmark>
}

export class EndUsers extends Context.Service<
  EndUsers,
  {
    /**
     * Stores an end user and answers the id. If one of the identifiers belongs to an account already, under whichever
     * pepper, that account's identifiers and bookmarks are replaced and its own id is answered; if they belong to two,
     * `Conflict`, and nothing changes.
     */
    readonly save: (user: EndUser) => Effect.Effect<string, Conflict | Unavailable>
    /**
     * Stores end users as `save` would one after the other, and answers an id for each, in their order; undefined where
     * the identifiers belong to two accounts, which leaves the others as they are. All are stored in one step.
     */
    readonly saveAll: (users: ReadonlyArray<EndUser>) => Effect.Effect<ReadonlyArray<string | undefined>, Unavailable>
    /**
     * The bookmarks of the account with an identifier, given its hashes; empty if there is none, which takes the same work,
     * as the time must not tell it.
     */
    readonly bookmarks: (identifier_hashes: IdentifierHashes) => Effect.Effect<ReadonlyArray<Bookmark>, Unavailable>
    /** The account with an identifier, given its hashes; undefined if there is none. */
    readonly find: (identifier_hashes: IdentifierHashes) => Effect.Effect<StoredEndUser | undefined, Unavailable>
    /** The account under an id; undefined if there is none. */
    readonly get: (id: string) => Effect.Effect<StoredEndUser | undefined, Unavailable>
    /** Deletes an account, its bookmarks and its hashes, and answers what it was; undefined if there is none. */
    readonly remove: (id: string) => Effect.Effect<StoredEndUser | undefined, Unavailable>
    /** How many accounts there are. */
    readonly count: () => Effect.Effect<number, Unavailable>
  }
>()("@postcode/core/EndUsers") {}
