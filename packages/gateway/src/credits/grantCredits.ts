/** Adds credits to a balance, for an operator when an invoice is paid. */

import type { EntryReceipt, Grant } from "@postcode/core/Credits"
import { Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited } from "../audit/audit.ts"
import type { Conflict, InsufficientScope, NotFound, Unavailable } from "../Errors.ts"
import { type Manager, permitOn } from "../ManagementAccess.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { CreditLedger } from "./CreditLedger.ts"

/** The entry of a grant and the balance immediately after it. */
export type Granted = Pick<EntryReceipt, "balance" | "entry_id">

/** Grants credits once per reference. Repeating it returns the same and adds no audit entry. */
export const grantCredits: Effect.Effect<
  (grant: Grant, manager: Manager) => Effect.Effect<Granted, Conflict | InsufficientScope | NotFound | Unavailable>,
  never,
  AuditLog | CreditLedger | Secrets | Transactions
> = Effect.gen(function* () {
  const ledger = yield* CreditLedger
  const withAudit = yield* audited

  return Effect.fnUntraced(function* (grant, manager) {
    const { amount, environment, organization_id, reference } = grant
    yield* permitOn(manager, "grantCredits", organization_id)
    const { balance, entry_id } = yield* withAudit(ledger.grant(grant), ({ entry_id, repeated }) =>
      repeated
        ? undefined
        : {
            actor: manager.actor,
            action: "credits.granted",
            subject: entry_id,
            organization_id,
            details: { amount, environment, reference }
          }
    )
    return { entry_id, balance }
  })
})
