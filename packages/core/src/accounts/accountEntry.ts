/** Audit entry of a change to one's own account, without email and name. */

import type { AuditAction } from "../audit/AuditLog.ts"
import type { AuditEntry } from "../audit/audit.ts"
import type { Account } from "./Account.ts"

/** @param actor if not the account itself */
export const accountEntry = (
  { id, organization_id, role }: Account,
  action: AuditAction,
  actor: string = id
): AuditEntry => ({
  actor,
  action,
  subject: id,
  ...(organization_id !== undefined && { organization_id }),
  details: { role }
})
