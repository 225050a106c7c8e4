/** Changes by owners to their own organization: its name, and its submission for verification. */
import { Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited, entryOf, timestamp } from "../audit/audit.ts"
import type { Conflict, InsufficientScope, NotFound, Unavailable } from "../Errors.ts"
import { type Manager, permitOn } from "../ManagementAccess.ts"
import { type NoticePorts, notified } from "../notices/notify.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import type { KybSubmission, Organization } from "./Organization.ts"
import { Organizations } from "./Organizations.ts"

type Refused = InsufficientScope | NotFound | Unavailable

/** For owners, and for operators with any organization. For an owner, all other organizations fail with `NotFound`. */
export interface OwnOrganization {
  readonly rename: (id: string, name: string, manager: Manager) => Effect.Effect<Organization, Refused>
  /** Submits for verification; `Conflict` if it is verified or pending. */
  readonly submitKyb: (
    id: string,
    submission: Omit<KybSubmission, "submitted_at">,
    manager: Manager
  ) => Effect.Effect<Organization, Conflict | Refused>
}

/** Every change is stored in one transaction with its audit entry, and with the mail to operators. */
export const ownOrganization: Effect.Effect<
  OwnOrganization,
  never,
  AuditLog | NoticePorts | Organizations | Secrets | Transactions
> = Effect.gen(function* () {
  const organizations = yield* Organizations
  const withAudit = yield* audited
  const withNotices = yield* notified

  return {
    rename: Effect.fnUntraced(function* (id, name, manager) {
      yield* permitOn(manager, "renameOrganization", id)
      return yield* withAudit(organizations.update(id, { name }), () =>
        entryOf(manager.actor, "organization.updated", { id, organization_id: id }, { name })
      )
    }),

    submitKyb: Effect.fnUntraced(function* (id, submission, manager) {
      yield* permitOn(manager, "submitKyb", id)
      const submitted = organizations.submitKyb(id, { ...submission, submitted_at: yield* timestamp })
      // The other fields are stored only in the organization, where the next submission replaces them.
      const details = { business_name: submission.business_name }
      const noted = withAudit(submitted, () =>
        entryOf(manager.actor, "organization.kyb_submitted", { id, organization_id: id }, details)
      )
      return yield* withNotices(noted, () => [{ kind: "review_waiting", facts: {} }])
    })
  }
})
