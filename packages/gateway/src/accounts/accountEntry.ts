/** Audit entry of a change to one's own account, without email and name. */

import type { AuditAction, AuditEvent } from "../audit/AuditLog.ts"
import { type AuditEntry, entryOf } from "../audit/audit.ts"
import type { Account } from "./Account.ts"

/** @param actor if not the account itself */
export const accountEntry = (
  account: Account,
  action: AuditAction,
  actor = account.id,
  details?: AuditEvent["details"]
): AuditEntry => entryOf(actor, action, account, { role: account.role, ...details })
