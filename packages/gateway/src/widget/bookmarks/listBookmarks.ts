/**
 * Lists the bookmarks of a session's end user: those that the end user saved in this organization, newest first, then those
 * of the account, in their order. Without an account the latter are none. A session must not reveal whether an account
 * exists, so both answers and the work in the store are the same. A session without an identifier has no bookmarks, and its
 * caller knows that.
 */
import { Effect } from "effect"
import type { Unavailable } from "../../Errors.ts"
import { type Bookmark, EndUsers } from "../endUsers/EndUsers.ts"
import type { WidgetSession } from "../sessions/WidgetSession.ts"
import { bookmarkRights, WidgetSettings } from "../WidgetSettings.ts"
import { joinBookmarks, OwnBookmarks, ownerOf } from "./OwnBookmarks.ts"

/** Fails only if the store is unavailable. */
export const listBookmarks: Effect.Effect<
  (session: WidgetSession) => Effect.Effect<ReadonlyArray<Bookmark>, Unavailable>,
  never,
  EndUsers | OwnBookmarks | WidgetSettings
> = Effect.gen(function* () {
  const endUsers = yield* EndUsers
  const own = yield* OwnBookmarks
  const settings = yield* WidgetSettings

  return Effect.fnUntraced(function* (session) {
    const owner = ownerOf(session)
    if (owner === undefined) return []
    const { owns, reads } = bookmarkRights(yield* settings.get(owner.organization_id), session.proven === true)
    if (!reads) return []
    const ofAccount = yield* endUsers.bookmarks(owner.identifier_hashes, owner.organization_id)
    return owns ? joinBookmarks([yield* own.list(owner), ofAccount]) : ofAccount
  })
})
