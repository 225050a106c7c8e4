/** Port: bookmarks that end users saved themselves, in sessions of one organization. Only its sessions see them. */

import type { Environment } from "@postcode/core/Credits"
import type { Postcode } from "@postcode/core/Postcode"
import { Context, type Effect, Result } from "effect"
import { Conflict, type Unavailable } from "../../Errors.ts"
import type { IdentifierHashes } from "../../store/Secrets.ts"
import type { Bookmark } from "../endUsers/EndUsers.ts"
import type { WidgetSession } from "../sessions/WidgetSession.ts"

/** Maximum number of own bookmarks of an end user in an organization and environment. */
export const maxOwnBookmarks = 100

/** An end user in an organization's environment. Stored under the present hash; former hashes are only looked up. */
export interface BookmarkOwner {
  readonly organization_id: string
  readonly environment: Environment
  readonly identifier_hashes: IdentifierHashes
}

/** The end user of a session, in its organization and environment; undefined without an identifier. */
export const ownerOf = ({
  environment,
  identifier_hashes,
  organization_id
}: WidgetSession): BookmarkOwner | undefined => identifier_hashes && { organization_id, environment, identifier_hashes }

export class OwnBookmarks extends Context.Service<
  OwnBookmarks,
  {
    /** Newest first. */
    readonly list: (owner: BookmarkOwner) => Effect.Effect<ReadonlyArray<Bookmark>, Unavailable>
    /** Stores the result of `withBookmark`; fails as it does, without changes. */
    readonly save: (owner: BookmarkOwner, bookmark: Bookmark) => Effect.Effect<void, Conflict | Unavailable>
    /** Removes the bookmark with a postcode; false if there is none. */
    readonly remove: (owner: BookmarkOwner, postcode: Postcode) => Effect.Effect<boolean, Unavailable>
    /** Removes all bookmarks of an organization's end users. */
    readonly removeAll: (organization_id: string) => Effect.Effect<void, Unavailable>
  }
>()("@postcode/gateway/OwnBookmarks") {}

/** Adds a bookmark as the newest; one with the same postcode is replaced. Fails beyond `maxOwnBookmarks`. */
export const withBookmark = (
  bookmarks: ReadonlyArray<Bookmark>,
  bookmark: Bookmark
): Result.Result<ReadonlyArray<Bookmark>, Conflict> => {
  const others = withoutBookmark(bookmarks, bookmark.postcode)
  return others.length < maxOwnBookmarks ? Result.succeed([bookmark, ...others]) : Result.fail(tooManyBookmarks)
}

/** The bookmarks without the one of this postcode. */
export const withoutBookmark = (bookmarks: ReadonlyArray<Bookmark>, postcode: Postcode): ReadonlyArray<Bookmark> =>
  bookmarks.filter((bookmark) => bookmark.postcode !== postcode)

/** Lists that were stored under several hashes of one end user as one; of equal postcodes the first is kept. */
export const joinBookmarks = (lists: ReadonlyArray<ReadonlyArray<Bookmark>>): ReadonlyArray<Bookmark> => {
  const byPostcode = new Map<Postcode, Bookmark>()
  for (const bookmark of lists.flat())
    if (!byPostcode.has(bookmark.postcode)) byPostcode.set(bookmark.postcode, bookmark)
  return [...byPostcode.values()]
}

const tooManyBookmarks = new Conflict({
  message: `an end user has at most ${maxOwnBookmarks} bookmarks of their own: remove one that is not needed`
})
