/** What owners change of their own organization: its name, and what its verification is asked for with. */
import { Effect } from "effect"
import { type Manager, permitOn } from "../accounts/ManagementAccess.ts"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited, timestamp } from "../audit/audit.ts"
import type { Conflict, InsufficientScope, NotFound, Unavailable } from "../Errors.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import type { KybSubmission, Organization } from "./Organization.ts"
import { Organizations } from "./Organizations.ts"

type Refused = InsufficientScope | NotFound | Unavailable

/** For owners, and for operators with any organization. To an owner, any but their own is `NotFound`. */
export interface OwnOrganization {
  readonly rename: (id: string, name: string, manager: Manager) => Effect.Effect<Organization, Refused>
  /** Asks the operators to verify it; `Conflict` if they have done so, or have been asked already. */
  readonly submitKyb: (
    id: string,
    submission: Omit<KybSubmission, "submitted_at">,
    manager: Manager
  ) => Effect.Effect<Organization, Conflict | Refused>
}

/** Every change comes with its entry of the audit log, both or neither. */
export const ownOrganization: Effect.Effect<OwnOrganization, never, AuditLog | Organizations | Secrets | Transactions> =
  Effect.gen(function* () {
    const organizations = yield* Organizations
    const withAudit = yield* audited

    return {
      rename: Effect.fnUntraced(function* (id, name, manager) {
        yield* permitOn(manager, "renameOrganization", id)
        return yield* withAudit(organizations.update(id, { name }), () => ({
          actor: manager.actor,
          action: "organization.updated",
          subject: id,
          organization_id: id,
          details: { name }
        }))
      }),

      submitKyb: Effect.fnUntraced(function* (id, submission, manager) {
        yield* permitOn(manager, "submitKyb", id)
        const submitted = organizations.submitKyb(id, { ...submission, submitted_at: yield* timestamp })
        return yield* withAudit(submitted, () => ({
          actor: manager.actor,
          action: "organization.kyb_submitted",
          subject: id,
          organization_id: id,
          // The rest stands in the organization alone, where a next submission takes its place.
          details: { business_name: submission.business_name }
        }))
      })
    }
  })
