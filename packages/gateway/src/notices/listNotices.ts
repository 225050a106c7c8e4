/** Lists notices for operators. */
import { Effect } from "effect"
import { parseEmail } from "../Email.ts"
import type { InsufficientScope, InvalidParameter, Unavailable } from "../Errors.ts"
import { type Manager, permit } from "../ManagementAccess.ts"
import { emptyPage, type Page, type PageRequest } from "../Page.ts"
import type { StoredNotice } from "./Notice.ts"
import { type NoticeFilter, Notices } from "./Notices.ts"

/** Newest first. An address is matched in its canonical form; anything else has no notice. */
export const listNotices: Effect.Effect<
  (
    filter: NoticeFilter,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<StoredNotice>, InsufficientScope | InvalidParameter | Unavailable>,
  never,
  Notices
> = Effect.map(Notices, (notices) =>
  Effect.fnUntraced(function* ({ email: raw, ...filter }, page, manager) {
    yield* permit(manager, "listNotices")
    if (raw === undefined) return yield* notices.list(filter, page)
    const email = parseEmail(raw)
    return email === undefined ? emptyPage : yield* notices.list({ ...filter, email }, page)
  })
)
