/** Requests a higher level, and decides requests. */

import type { AccessLevel } from "@postcode/core/AccessLevel"
import { Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited, entryOf, newId, timestamp } from "../audit/audit.ts"
import { Conflict, type InsufficientScope, InvalidParameter, type NotFound, type Unavailable } from "../Errors.ts"
import { filterFor, type Manager, permit, permitOn, seesReviews } from "../ManagementAccess.ts"
import { type NoticePorts, notified } from "../notices/notify.ts"
import { emptyPage, type Page, type PageRequest } from "../Page.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { announced } from "../webhooks/announced.ts"
import type { Webhooks } from "../webhooks/Webhooks.ts"
import { type AccessRequestFilter, AccessRequests } from "./AccessRequests.ts"
import type { AccessRequest } from "./Organization.ts"
import { Organizations } from "./Organizations.ts"

/** For a member, requests of other organizations fail with `NotFound`. */
export interface ManageAccessRequests {
  readonly create: (
    organization_id: string,
    request: { readonly level: AccessLevel; readonly reason: string },
    manager: Manager
  ) => Effect.Effect<AccessRequest, Conflict | InsufficientScope | NotFound | Unavailable>
  /** In either order. A member gets requests of the own organization only. */
  readonly list: (
    filter: AccessRequestFilter,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<AccessRequest>, InsufficientScope | InvalidParameter | Unavailable>
  /** An approval sets the organization's grant and review note, so it needs a note. */
  readonly decide: (
    id: string,
    decision: { readonly status: "approved" | "rejected"; readonly note: string },
    manager: Manager
  ) => Effect.Effect<AccessRequest, Conflict | InsufficientScope | InvalidParameter | NotFound | Unavailable>
}

/** The note of an approval is the organization's review note. That of a rejection says what to change. */
const withoutReview = (request: AccessRequest): AccessRequest => {
  if (request.status !== "approved") return request
  const { note: _, ...shown } = request
  return shown
}

/** Every change is stored in one transaction with its audit entry, its events, and mail. */
export const manageAccessRequests: Effect.Effect<
  ManageAccessRequests,
  never,
  AccessRequests | AuditLog | NoticePorts | Organizations | Secrets | Transactions | Webhooks
> = Effect.gen(function* () {
  const requests = yield* AccessRequests
  const organizations = yield* Organizations
  const identify = yield* newId
  const withAudit = yield* audited
  const withEvents = yield* announced
  const withNotices = yield* notified

  return {
    create: Effect.fnUntraced(function* (organization_id, { level, reason }, manager) {
      yield* permitOn(manager, "createAccessRequest", organization_id)
      const organization = yield* organizations.get(organization_id)
      if (level <= organization.granted_level) {
        return yield* new Conflict({
          message: `the organization is granted level ${organization.granted_level} already`
        })
      }
      const request: AccessRequest = {
        id: identify("acr"),
        organization_id,
        level,
        reason,
        status: "pending",
        created_at: yield* timestamp
      }
      const created = withAudit(requests.create(request), () =>
        entryOf(manager.actor, "access_request.created", request, { level })
      )
      yield* withNotices(created, () => [{ kind: "review_waiting", facts: {} }])
      return request
    }),

    list: Effect.fnUntraced(function* (filter, page, manager) {
      yield* permit(manager, "listAccessRequests")
      const own = filterFor(manager, filter)
      if (own === undefined) return emptyPage
      const { items, ...rest } = yield* requests.list(own, page)
      return { ...rest, items: seesReviews(manager) ? items : items.map(withoutReview) }
    }),

    decide: Effect.fnUntraced(function* (id, { note, status }, manager) {
      yield* permit(manager, "decideAccessRequest")
      if (status === "approved" && note.trim() === "") {
        return yield* new InvalidParameter({
          parameter: "note",
          message: "note: an approval needs a note that says why"
        })
      }
      const decided = requests.decide(id, { status, note, decided_at: yield* timestamp })
      const noted = withAudit(decided, (request) =>
        entryOf(manager.actor, "access_request.decided", request, { level: request.level, status, note })
      )
      return yield* withEvents(noted, ({ level, organization_id }) => [
        { type: "access_request.decided", data: { organization_id, access_request_id: id, level, status } }
      ])
    })
  }
})
