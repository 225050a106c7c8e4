/** Port: counts the queries of widget sessions that are limited for each session. */
import { Context, type Effect } from "effect"
import type { Unavailable } from "../Errors.ts"
import type { ActiveSession } from "./WidgetSession.ts"

/** A kind of query that is counted. */
export type SessionUse = "address"

/** Number of address queries of a session. The price of the session pays for them. */
export const maxAddressQueries = 60

export class SessionUses extends Context.Service<
  SessionUses,
  {
    /**
     * Counts one query of a session, over all replicas. False if the session has made `limit` of them; then nothing is
     * counted. A count lasts longer than its session.
     */
    readonly take: (
      session: Pick<ActiveSession, "id" | "organization_id">,
      use: SessionUse,
      limit: number
    ) => Effect.Effect<boolean, Unavailable>
  }
>()("@postcode/core/SessionUses") {}
