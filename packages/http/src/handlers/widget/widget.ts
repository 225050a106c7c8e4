import type { Principal } from "@postcode/core/ApiKey"
import { defaultCandidates, findAddressInSession } from "@postcode/core/search/findAddress"
import type { ActiveSession } from "@postcode/core/WidgetSession"
import { listBookmarks } from "@postcode/core/widget/listBookmarks"
import { recordSelection } from "@postcode/core/widget/recordSelection"
import { startSession } from "@postcode/core/widget/startSession"
import { Effect, Redacted } from "effect"
import type { GroupHandlers } from "../../pipeline/Handler.ts"

/**
 * The contract requires a key or a widget session for each endpoint; see `Dispatch`.
 *
 * @param addressLimit widget sessions that an address may start a minute
 */
export const widgetHandlers = Effect.fnUntraced(function* (addressLimit: number | undefined) {
  const start = yield* startSession(addressLimit)
  const bookmarksOf = yield* listBookmarks
  const record = yield* recordSelection
  const findIn = yield* findAddressInSession

  const handlers: GroupHandlers<"widget"> = {
    session: ({ address, idempotency_key, origin, payload, principal, request_id }) =>
      Effect.map(
        start({
          principal: principal as Principal,
          identifier: payload.identifier === undefined ? undefined : Redacted.make(payload.identifier),
          identifier_type: payload.identifier_type,
          origin,
          address: address(),
          request_id,
          idempotency_key
        }),
        ({ expires_in_s, receipt, token }) => ({
          data: { token: Redacted.value(token), expires_in: expires_in_s },
          receipt
        })
      ),
    bookmarks: ({ session }) =>
      Effect.map(bookmarksOf(session as ActiveSession), (bookmarks) => ({ data: { bookmarks } })),
    address: ({ directory, query: { limit, q }, session }) =>
      Effect.map(
        findIn(session as ActiveSession, { directory, text: q, limit: limit ?? defaultCandidates }),
        (answer) => ({ data: answer })
      ),
    selected: ({ payload, session }) =>
      Effect.as(record(session as ActiveSession, payload), { data: { recorded: true } })
  }
  return handlers
})
