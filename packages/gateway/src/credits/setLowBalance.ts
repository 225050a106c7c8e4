/** Sets the threshold of low-balance events. */

import type { CreditAccount } from "@postcode/core/Credits"
import { Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited } from "../audit/audit.ts"
import type { InsufficientScope, NotFound, Unavailable } from "../Errors.ts"
import { type Manager, permitOn } from "../ManagementAccess.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { CreditLedger } from "./CreditLedger.ts"

/** A balance and its threshold; null for none. */
export interface LowBalanceSetting {
  readonly balance: number
  readonly low_balance_threshold: number | null
}

/** Repeating it changes nothing and adds no audit entry. */
export const setLowBalance: Effect.Effect<
  (
    account: CreditAccount,
    threshold: number | null,
    manager: Manager
  ) => Effect.Effect<LowBalanceSetting, InsufficientScope | NotFound | Unavailable>,
  never,
  AuditLog | CreditLedger | Secrets | Transactions
> = Effect.gen(function* () {
  const ledger = yield* CreditLedger
  const withAudit = yield* audited

  return Effect.fnUntraced(function* ({ environment, organization_id }, threshold, manager) {
    yield* permitOn(manager, "setLowBalance", organization_id)
    const account = { organization_id, environment }
    const { balance } = yield* withAudit(ledger.setThreshold(account, threshold), ({ changed }) =>
      changed
        ? {
            actor: manager.actor,
            action: "credits.threshold_set",
            subject: organization_id,
            organization_id,
            details: { environment, threshold: threshold ?? "none" }
          }
        : undefined
    )
    return { balance, low_balance_threshold: threshold }
  })
})
