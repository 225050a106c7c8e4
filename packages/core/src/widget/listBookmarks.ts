/**
 * The bookmarks of a session's end user, in their order. One who has no account has none. Whoever holds a session for an
 * identifier cannot tell an account without bookmarks from no account: the answers are the same, and take the store the
 * same work.
 */
import { Effect } from "effect"
import type { Unavailable } from "../Errors.ts"
import { type Bookmark, EndUsers } from "./EndUsers.ts"
import type { WidgetSession } from "./WidgetSession.ts"

/** Fails where the store is away, and never for want of an account. */
export const listBookmarks: Effect.Effect<
  (session: WidgetSession) => Effect.Effect<ReadonlyArray<Bookmark>, Unavailable>,
  never,
  EndUsers
> = Effect.map(
  EndUsers,
  (endUsers) =>
    ({ identifier_hashes }) =>
      endUsers.bookmarks(identifier_hashes)
)
