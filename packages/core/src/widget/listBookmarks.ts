/**
 * Lists the bookmarks of a session's end user, in their order. Without an account the list is empty. A session must not
 * reveal whether an account exists, so both answers and the work in the store are the same. A session without an
 * identifier has no bookmarks, and its caller knows that.
 */
import { Effect, Exit } from "effect"
import type { Unavailable } from "../Errors.ts"
import { type Bookmark, EndUsers } from "./EndUsers.ts"
import type { WidgetSession } from "./WidgetSession.ts"

/** Fails only if the store is unavailable. */
export const listBookmarks: Effect.Effect<
  (session: WidgetSession) => Effect.Effect<ReadonlyArray<Bookmark>, Unavailable>,
  never,
  EndUsers
> = Effect.map(
  EndUsers,
  (endUsers) =>
    ({ identifier_hashes }) =>
      identifier_hashes === undefined ? Exit.succeed([]) : endUsers.bookmarks(identifier_hashes)
)
