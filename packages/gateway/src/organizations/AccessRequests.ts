/** Port: requests of organizations for a higher level, and decisions on them. */
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { AccessRequest, AccessRequestStatus } from "./Organization.ts"

/** The decision on a request, and the reason. */
export interface AccessDecision {
  readonly status: "approved" | "rejected"
  readonly note: string
  readonly decided_at: string
}

/** Filter of a list; absent fields match all. */
export interface AccessRequestFilter {
  readonly organization_id?: string
  readonly status?: AccessRequestStatus
}

/** The reviews that wait for a decision: verifications and requests for levels. */
export interface WaitingReviews {
  readonly count: number
  /** When the oldest one was submitted, ISO 8601, UTC; undefined without any. */
  readonly oldest_at: string | undefined
}

export class AccessRequests extends Context.Service<
  AccessRequests,
  {
    /**
     * Fails with `Conflict` if the organization has a pending request for the same level, and with `NotFound` if the
     * organization does not exist.
     */
    readonly create: (request: AccessRequest) => Effect.Effect<void, Conflict | NotFound | Unavailable>
    /** In either order. */
    readonly list: (
      filter: AccessRequestFilter,
      page: PageRequest
    ) => Effect.Effect<Page<AccessRequest>, InvalidParameter | Unavailable>
    /**
     * Decides a pending request; a second decision fails with `Conflict`. In the same transaction, an approval raises
     * the organization's grant to the requested level, never lowers it, and its note becomes the review note.
     */
    readonly decide: (
      id: string,
      decision: AccessDecision
    ) => Effect.Effect<AccessRequest, Conflict | NotFound | Unavailable>
    /** Of all organizations. */
    readonly waiting: () => Effect.Effect<WaitingReviews, Unavailable>
  }
>()("@postcode/gateway/AccessRequests") {}
