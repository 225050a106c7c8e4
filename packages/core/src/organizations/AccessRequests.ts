/** Port: requests of organizations for a higher level, and the decisions on them. */
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { AccessRequest, AccessRequestStatus } from "./Organization.ts"

/** How a request for a level was decided, and why. */
export interface AccessDecision {
  readonly status: "approved" | "rejected"
  readonly note: string
  readonly decided_at: string
}

/** Which requests a list holds; an absent field narrows nothing. */
export interface AccessRequestFilter {
  readonly organization_id?: string
  readonly status?: AccessRequestStatus
}

export class AccessRequests extends Context.Service<
  AccessRequests,
  {
    /**
     * Fails with `Conflict` if the organization has a pending request for the same level, and with `NotFound` if there
     * is no such organization.
     */
    readonly create: (request: AccessRequest) => Effect.Effect<void, Conflict | NotFound | Unavailable>
    /** In either order. */
    readonly list: (
      filter: AccessRequestFilter,
      page: PageRequest
    ) => Effect.Effect<Page<AccessRequest>, InvalidParameter | Unavailable>
    /**
     * Decides a pending request, once; a second decision is a `Conflict`. An approval raises the organization's grant to
     * the request's level in the same step, and never lowers it; its note becomes the organization's review note.
     */
    readonly decide: (
      id: string,
      decision: AccessDecision
    ) => Effect.Effect<AccessRequest, Conflict | NotFound | Unavailable>
  }
>()("@postcode/core/AccessRequests") {}
