/** Creates and changes organizations. */

import type { AccessLevel } from "@postcode/core/AccessLevel"
import { Effect } from "effect"
import type { AuditEvent, AuditLog } from "../audit/AuditLog.ts"
import { audited, entryOf, newId, timestamp } from "../audit/audit.ts"
import { type InsufficientScope, InvalidParameter, type NotFound, type Unavailable } from "../Errors.ts"
import { type Manager, permit, permitOn, seesReviews } from "../ManagementAccess.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { announced } from "../webhooks/announced.ts"
import type { EventContent } from "../webhooks/Webhook.ts"
import type { Webhooks } from "../webhooks/Webhooks.ts"
import { OpeningCredits } from "./OpeningCredits.ts"
import {
  newOrganization,
  type Organization,
  type OrganizationFilter,
  passesFilter,
  withoutReview
} from "./Organization.ts"
import { type OrganizationPatch, Organizations } from "./Organizations.ts"

/** Level 5 reveals where people live. */
const reviewedLevel: AccessLevel = 5

/** For a member, all other organizations fail with `NotFound`. */
export interface ManageOrganizations {
  readonly create: (name: string, manager: Manager) => Effect.Effect<Organization, InsufficientScope | Unavailable>
  readonly get: (
    id: string,
    manager: Manager
  ) => Effect.Effect<Organization, InsufficientScope | NotFound | Unavailable>
  /** In either order. A member gets only the own organization, if it matches the filter. */
  readonly list: (
    filter: OrganizationFilter,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<Organization>, InsufficientScope | InvalidParameter | NotFound | Unavailable>
  readonly update: (
    id: string,
    patch: OrganizationPatch,
    manager: Manager
  ) => Effect.Effect<Organization, InsufficientScope | InvalidParameter | NotFound | Unavailable>
}

/** Every change is stored in one transaction with its audit entry and its events. */
export const manageOrganizations: Effect.Effect<
  ManageOrganizations,
  never,
  AuditLog | Organizations | Secrets | Transactions | Webhooks
> = Effect.gen(function* () {
  const organizations = yield* Organizations
  const opening = yield* OpeningCredits
  const identify = yield* newId
  const withAudit = yield* audited
  const withEvents = yield* announced

  return {
    create: Effect.fnUntraced(function* (name, manager) {
      yield* permit(manager, "createOrganization")
      const id = identify("org")
      const organization = newOrganization(id, name, yield* timestamp)
      yield* withAudit(organizations.create(organization, opening), () =>
        entryOf(manager.actor, "organization.created", { id, organization_id: id }, { name })
      )
      return organization
    }),

    get: (id, manager) =>
      Effect.andThen(permitOn(manager, "getOrganization", id), Effect.map(organizations.get(id), shownTo(manager))),

    list: Effect.fnUntraced(function* (filter, page, manager) {
      yield* permit(manager, "listOrganizations")
      const { organization_id } = manager
      if (organization_id === undefined) return yield* organizations.list(filter, page)
      const own = yield* organizations.get(organization_id)
      return { items: passesFilter(own, filter) ? [shownTo(manager)(own)] : [], next_cursor: null }
    }),

    update: Effect.fnUntraced(function* (id, patch, manager) {
      yield* permitOn(manager, "updateOrganization", id)
      const unsaid = noteNeededFor(patch)
      if (unsaid !== undefined && !patch.review_note?.trim()) {
        return yield* new InvalidParameter({
          parameter: "review_note",
          message: `review_note: ${unsaid} needs a note that says why`
        })
      }
      const before = yield* organizations.get(id)
      const updated = withAudit(organizations.update(id, patch), () =>
        entryOf(manager.actor, "organization.updated", { id, organization_id: id }, detailsOf(patch))
      )
      return yield* withEvents(updated, (after) => eventsOf(before, after))
    })
  }
})

const shownTo = (manager: Manager) => (organization: Organization) =>
  seesReviews(manager) ? organization : withoutReview(organization)

/** The events of decisions on an organization. */
const eventsOf = (
  before: Organization,
  { granted_level, id, kyb_status }: Organization
): ReadonlyArray<EventContent> => {
  const events: Array<EventContent> = []
  if (kyb_status !== before.kyb_status && (kyb_status === "verified" || kyb_status === "rejected")) {
    events.push({ type: "organization.verification_decided", data: { organization_id: id, kyb_status } })
  }
  if (granted_level !== before.granted_level) {
    events.push({ type: "organization.level_changed", data: { organization_id: id, granted_level } })
  }
  return events
}

const detailsOf = ({ rate_limit_per_minute, ...patch }: OrganizationPatch): AuditEvent["details"] =>
  rate_limit_per_minute === undefined ? patch : { ...patch, rate_limit_per_minute: rate_limit_per_minute ?? "default" }

/** The field whose change requires a note; undefined if none does. */
const noteNeededFor = ({ granted_level, kyb_status }: OrganizationPatch): string | undefined => {
  if (granted_level === reviewedLevel) return `granting level ${reviewedLevel}`
  return kyb_status === "rejected" ? "rejecting a verification" : undefined
}
