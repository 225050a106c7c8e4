/** Create and change organizations. */
import { Effect } from "effect"
import type { AccessLevel } from "../AccessLevel.ts"
import { openingCredits } from "../Credits.ts"
import { InvalidParameter, type NotFound, type Unavailable } from "../Errors.ts"
import type { Organization } from "../Organization.ts"
import type { AuditLog } from "../ports/AuditLog.ts"
import { type OrganizationPatch, Organizations } from "../ports/Organizations.ts"
import type { Secrets } from "../ports/Secrets.ts"
import type { Transactions } from "../ports/Transactions.ts"
import { audited, newId, timestamp } from "./audit.ts"

/** Level 5 shows where people live: it is granted only with a note that says why. */
const reviewedLevel: AccessLevel = 5

export interface ManageOrganizations {
  readonly create: (name: string, actor: string) => Effect.Effect<Organization, Unavailable>
  readonly update: (
    id: string,
    patch: OrganizationPatch,
    actor: string
  ) => Effect.Effect<Organization, InvalidParameter | NotFound | Unavailable>
}

export const manageOrganizations: Effect.Effect<
  ManageOrganizations,
  never,
  AuditLog | Organizations | Secrets | Transactions
> = Effect.gen(function* () {
  const organizations = yield* Organizations
  const identify = yield* newId
  const withAudit = yield* audited

  return {
    create: Effect.fnUntraced(function* (name, actor) {
      const organization: Organization = {
        id: identify("org"),
        name,
        granted_level: 1,
        kyb_status: "unverified",
        created_at: yield* timestamp
      }
      yield* withAudit(organizations.create(organization, openingCredits), () => ({
        actor,
        action: "organization.created",
        subject: organization.id,
        organization_id: organization.id,
        details: { name }
      }))
      return organization
    }),

    update: Effect.fnUntraced(function* (id, patch, actor) {
      if (patch.granted_level === reviewedLevel && !patch.review_note?.trim()) {
        return yield* new InvalidParameter({
          parameter: "review_note",
          message: "review_note: granting level 5 needs a note that says why"
        })
      }
      return yield* withAudit(organizations.update(id, patch), () => ({
        actor,
        action: "organization.updated",
        subject: id,
        organization_id: id,
        details: { ...patch }
      }))
    })
  }
})
