/** Audit entries of changes to accounts, without email and name. */

import type { AuditAction, AuditEvent } from "../audit/AuditLog.ts"
import { type AuditEntry, entryOf } from "../audit/audit.ts"
import type { Account, Member } from "./Account.ts"

/** The entry of a change to a member, in the log of its organization; or to an operator, in that of the instance. */
export const memberEntry = (
  member: Member,
  action: AuditAction,
  actor: string,
  details?: AuditEvent["details"]
): AuditEntry => entryOf(actor, action, member, { role: member.role, ...details })

/**
 * The entries of a change to an account: one in the log of each of its organizations, and of the instance for an
 * operator, so that all who answer for the account see it.
 *
 * @param actor if not the account itself
 */
export const accountEntries = (
  account: Account,
  action: AuditAction,
  actor = account.id,
  details?: AuditEvent["details"]
): ReadonlyArray<AuditEntry> => [
  ...(account.is_operator ? [entryOf(actor, action, { id: account.id }, { role: "operator", ...details })] : []),
  ...account.memberships.map(({ organization_id, role }) =>
    entryOf(actor, action, { id: account.id, organization_id }, { role, ...details })
  )
]
