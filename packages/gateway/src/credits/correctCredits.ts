/** Corrects a balance, for an operator: a refund or an adjustment, up or down. */

import type { Correction, EntryReceipt } from "@postcode/core/Credits"
import { Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited } from "../audit/audit.ts"
import type { Conflict, InsufficientScope, NotFound, Unavailable } from "../Errors.ts"
import { type Manager, permitOn } from "../ManagementAccess.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { CreditLedger } from "./CreditLedger.ts"

/** The entry of a correction and the balance immediately after it. */
export type Corrected = Pick<EntryReceipt, "balance" | "entry_id">

/** Corrects a balance once per reference. Repeating it returns the same and adds no audit entry. */
export const correctCredits: Effect.Effect<
  (
    correction: Correction,
    manager: Manager
  ) => Effect.Effect<Corrected, Conflict | InsufficientScope | NotFound | Unavailable>,
  never,
  AuditLog | CreditLedger | Secrets | Transactions
> = Effect.gen(function* () {
  const ledger = yield* CreditLedger
  const withAudit = yield* audited

  return Effect.fnUntraced(function* (correction, manager) {
    const { amount, environment, kind, note, organization_id, reference } = correction
    yield* permitOn(manager, "correctCredits", organization_id)
    const { balance, entry_id } = yield* withAudit(ledger.correct(correction), ({ entry_id, repeated }) =>
      repeated
        ? undefined
        : {
            actor: manager.actor,
            action: "credits.corrected",
            subject: entry_id,
            organization_id,
            details: { kind, amount, environment, reference, reason: note }
          }
    )
    return { entry_id, balance }
  })
})
