/** Suspends, resumes and closes organizations, for operators. */
import { Effect } from "effect"
import { ManagementKeys } from "../accounts/managementKeys/ManagementKeys.ts"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited, entryOf, timestamp } from "../audit/audit.ts"
import type { Conflict, InsufficientScope, NotFound, Unavailable } from "../Errors.ts"
import { type ManagementCall, type Manager, permitOn } from "../ManagementAccess.ts"
import type { Organization, OrganizationStatus } from "../organizations/Organization.ts"
import { Organizations } from "../organizations/Organizations.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { announced } from "../webhooks/announced.ts"
import type { Webhooks } from "../webhooks/Webhooks.ts"
import { OwnBookmarks } from "../widget/bookmarks/OwnBookmarks.ts"
import { Selections } from "../widget/selections/Selections.ts"

type Refused = Conflict | InsufficientScope | NotFound | Unavailable
type Change<A> = (id: string, reason: string, manager: Manager) => Effect.Effect<A, Refused>

/** Each is an audited action, and an event of the same name. */
type StatusAction = "organization.closed" | "organization.resumed" | "organization.suspended"

/** A closed organization, and what the call removed. A repeated call finds nothing left. */
export interface ClosedOrganization {
  readonly organization: Organization
  /** The number of API keys and management keys that were revoked. */
  readonly revoked_keys: number
  /** The number of selections from which the hash of an end user's identifier was removed. */
  readonly anonymized_selections: number
}

/** Repeating a change returns the same and adds no audit entry; the first reason stays. */
export interface ChangeOrganizationStatus {
  /** Takes effect as a revocation of all its keys does. */
  readonly suspend: Change<Organization>
  readonly resume: Change<Organization>
  /**
   * Closes a suspended organization permanently: revokes its API keys and management keys, and removes the hashed identifiers from its selections
   * and the bookmarks that end users saved in its sessions.
   * Ledger, usage and audit log stay as they are, and its members can still read them.
   */
  readonly close: Change<ClosedOrganization>
}

/** Every change is stored in one transaction with its audit entry and its event; selections are changed after it. */
export const changeOrganizationStatus: Effect.Effect<
  ChangeOrganizationStatus,
  never,
  AuditLog | ManagementKeys | Organizations | OwnBookmarks | Secrets | Selections | Transactions | Webhooks
> = Effect.gen(function* () {
  const managementKeys = yield* ManagementKeys
  const organizations = yield* Organizations
  const ownBookmarks = yield* OwnBookmarks
  const selections = yield* Selections
  const withAudit = yield* audited
  const withEvents = yield* announced

  const change = (call: ManagementCall, action: StatusAction, status: OrganizationStatus) =>
    Effect.fnUntraced(function* (id: string, reason: string, manager: Manager) {
      yield* permitOn(manager, call, id)
      const status_changed_at = yield* timestamp
      const changed = Effect.gen(function* () {
        const { revoked_keys, ...rest } = yield* organizations.changeStatus(id, {
          status,
          status_reason: reason,
          status_changed_at
        })
        const ended = status === "closed" ? yield* managementKeys.revokeAll(id, status_changed_at) : 0
        return { ...rest, revoked_keys: revoked_keys + ended }
      })
      const noted = withAudit(changed, ({ repeated, revoked_keys }) => {
        if (repeated) return undefined
        const details = status === "closed" ? { reason, revoked_keys } : { reason }
        return entryOf(manager.actor, action, { id, organization_id: id }, details)
      })
      return yield* withEvents(noted, ({ repeated }) =>
        repeated ? [] : [{ type: action, data: { organization_id: id } }]
      )
    })

  const suspend = change("suspendOrganization", "organization.suspended", "suspended")
  const resume = change("resumeOrganization", "organization.resumed", "active")
  const close = change("closeOrganization", "organization.closed", "closed")

  return {
    suspend: (...parameters) => Effect.map(suspend(...parameters), ({ organization }) => organization),
    resume: (...parameters) => Effect.map(resume(...parameters), ({ organization }) => organization),
    close: Effect.fnUntraced(function* (id, reason, manager) {
      const { organization, revoked_keys } = yield* close(id, reason, manager)
      // Not in the transaction: there may be millions. A repeated call goes on where this one failed.
      yield* ownBookmarks.removeAll(id)
      return { organization, revoked_keys, anonymized_selections: yield* selections.forgetSubjects(id) }
    })
  }
})
