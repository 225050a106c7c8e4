/** End users save and remove their own bookmarks in sessions that were started with a proof. */

import type { Postcode } from "@postcode/core/Postcode"
import { Effect } from "effect"
import { type Conflict, InsufficientScope, NotFound, type SessionLimitReached, type Unavailable } from "../../Errors.ts"
import type { Bookmark } from "../endUsers/EndUsers.ts"
import { SessionUses, takeUse } from "../sessions/SessionUses.ts"
import type { ActiveSession } from "../sessions/WidgetSession.ts"
import { bookmarkRights, WidgetSettings } from "../WidgetSettings.ts"
import { type BookmarkOwner, OwnBookmarks, ownerOf } from "./OwnBookmarks.ts"

type Refused = InsufficientScope | SessionLimitReached | Unavailable

/** Both fail with `InsufficientScope` without a proof, and where the organization does not allow it. */
export interface KeepBookmarks {
  /** Saves a bookmark as the newest. Replaces one with the same postcode. */
  readonly save: (session: ActiveSession, bookmark: Bookmark) => Effect.Effect<void, Conflict | Refused>
  /** Removes an own bookmark; those of the end user's account stay. */
  readonly remove: (session: ActiveSession, postcode: Postcode) => Effect.Effect<void, NotFound | Refused>
}

export const keepBookmarks: Effect.Effect<KeepBookmarks, never, OwnBookmarks | SessionUses | WidgetSettings> =
  Effect.gen(function* () {
    const own = yield* OwnBookmarks
    const settings = yield* WidgetSettings
    const take = takeUse(yield* SessionUses)

    /** The owner of the bookmarks that a session may change. */
    const permitted = Effect.fnUntraced(function* (session: ActiveSession): Effect.fn.Return<BookmarkOwner, Refused> {
      const owner = ownerOf(session)
      if (owner === undefined || session.proven !== true) return yield* withoutProof
      if (!bookmarkRights(yield* settings.get(owner.organization_id), true).owns) return yield* notAllowed
      yield* take(session, "bookmark")
      return owner
    })

    return {
      save: (session, bookmark) => Effect.flatMap(permitted(session), (owner) => own.save(owner, bookmark)),
      remove: (session, postcode) =>
        Effect.flatMap(permitted(session), (owner) => own.remove(owner, postcode)).pipe(
          Effect.flatMap((isRemoved) => (isRemoved ? Effect.void : Effect.fail(noSuchBookmark)))
        )
    }
  })

const withoutProof = new InsufficientScope({
  message: "this session may not change bookmarks: start one with a proof of the end user"
})

const notAllowed = new InsufficientScope({
  message: "this organization does not let end users keep bookmarks: an owner can turn own_bookmarks on"
})

const noSuchBookmark = new NotFound({
  message: "the end user has saved no bookmark with this postcode here, and others cannot be removed in a session"
})
