/** What the audit log says of someone who acts on their own account: never the email or the name. */

import type { AuditAction } from "../audit/AuditLog.ts"
import type { AuditEntry } from "../audit/audit.ts"
import type { Account } from "./Account.ts"

/** @param actor who acted, where it was not the account itself */
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
