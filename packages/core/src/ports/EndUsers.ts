/** Port: accounts of end users: hashed identifiers and bookmarks. */
import { Context, type Effect } from "effect"
import type { Conflict, Unavailable } from "../Errors.ts"
import type { Postcode } from "../Postcode.ts"
import type { IdentifierHashes } from "../WidgetSession.ts"

export interface Bookmark {
  readonly postcode: Postcode
  readonly label: string
}

export interface EndUser {
  readonly id: string
  /** Keyed hashes of the identifiers under the present pepper, see `Secrets.identifierHashes`. */
  readonly identifier_hashes: ReadonlyArray<string>
  /** Hashes of the same identifiers under peppers of before. The account is found by them, too, and keeps none of them. */
  readonly former_hashes?: ReadonlyArray<string>
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
    /** The bookmarks of the account with an identifier, given its hashes; empty if there is none. */
    readonly bookmarks: (identifier_hashes: IdentifierHashes) => Effect.Effect<ReadonlyArray<Bookmark>, Unavailable>
  }
>()("@postcode/core/EndUsers") {}
