/** Port: counts the calls of widget sessions that are limited for each session. */

import { idempotencyRetention_ms } from "@postcode/core/Credits"
import { Context, Effect } from "effect"
import { SessionLimitReached, type Unavailable } from "../../Errors.ts"
import { type ActiveSession, sessionLifetime_s } from "./WidgetSession.ts"

/**
 * A kind of call that is counted: address searches, unit queries (reverse, nearby and lookup together), lookups among
 * these, and changes of own bookmarks.
 */
export type SessionUse = "address" | "unit" | "lookup" | "bookmark"

/** Number of calls of each kind that a session may make. The price of the session pays for them. */
export const maxUses: Readonly<Record<SessionUse, number>> = { address: 60, unit: 30, lookup: 5, bookmark: 30 }

/**
 * Minimum time in seconds that a count is kept: a start under the same idempotency key is not charged again for so long,
 * and its session has the same count.
 */
export const useRetention_s = idempotencyRetention_ms / 1000 + sessionLifetime_s

export class SessionUses extends Context.Service<
  SessionUses,
  {
    /**
     * Counts one query of a session, over all replicas. False if the session has made `limit` of them; then nothing is
     * counted. A count is kept for `useRetention_s`.
     */
    readonly take: (
      session: Pick<ActiveSession, "id" | "organization_id">,
      use: SessionUse,
      limit: number
    ) => Effect.Effect<boolean, Unavailable>
  }
>()("@postcode/gateway/SessionUses") {}

/** Counts a call of a session. Fails with `SessionLimitReached` if the session has made all calls of this kind. */
export const takeUse =
  (uses: SessionUses["Service"]) =>
  (session: ActiveSession, use: SessionUse): Effect.Effect<void, SessionLimitReached | Unavailable> =>
    Effect.flatMap(uses.take(session, use, maxUses[use]), (isTaken) =>
      isTaken ? Effect.void : Effect.fail(usedUp[use])
    )

const limitReached = (use: SessionUse, calls: string) =>
  new SessionLimitReached({ limit: maxUses[use], calls, retry_after_s: sessionLifetime_s })

const usedUp: Readonly<Record<SessionUse, SessionLimitReached>> = {
  address: limitReached("address", "address queries"),
  unit: limitReached("unit", "lookups and queries by place"),
  lookup: limitReached("lookup", "lookups"),
  bookmark: limitReached("bookmark", "changes of bookmarks")
}
