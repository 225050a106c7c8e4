import type { Manager } from "@postcode/gateway/ManagementAccess"
import { listNotices } from "@postcode/gateway/notices/listNotices"
import type { StoredNotice } from "@postcode/gateway/notices/Notice"
import { countReviews } from "@postcode/gateway/organizations/countReviews"
import { Effect } from "effect"
import type { GroupHandlers } from "../pipeline/Handler.ts"
import { pageRequest } from "./page.ts"

export const noticeHandlers = Effect.gen(function* () {
  const list = yield* listNotices
  const count = yield* countReviews

  const handlers: Pick<GroupHandlers<"management">, "countReviews" | "listNotices"> = {
    listNotices: ({ manager, query: { cursor, limit, ...filter } }) =>
      Effect.map(list(filter, pageRequest({ cursor, limit }), manager as Manager), ({ items, next_cursor }) => ({
        data: { notices: items.map(toNotice), next_cursor }
      })),
    countReviews: ({ manager }) =>
      Effect.map(count(manager as Manager), ({ count, oldest_at }) => ({
        data: { count, oldest_at: oldest_at ?? null }
      }))
  }
  return handlers
})

/** Without the facts, which the letter is made of. */
const toNotice = ({ facts: _, link_expires_at: __, ...notice }: StoredNotice) => notice
