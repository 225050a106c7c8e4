/** Add credits to an account: what an operator does once an invoice is paid. */
import { Effect } from "effect"
import type { Conflict, NotFound, Unavailable } from "../Errors.ts"
import type { AuditLog } from "../ports/AuditLog.ts"
import { CreditLedger, type Grant, type GrantReceipt } from "../ports/CreditLedger.ts"
import type { Secrets } from "../ports/Secrets.ts"
import { audit } from "./audit.ts"

/** Grants credits once a reference: the same reference again answers the same receipt. */
export const grantCredits: Effect.Effect<
  (grant: Grant, actor: string) => Effect.Effect<GrantReceipt, Conflict | NotFound | Unavailable>,
  never,
  AuditLog | CreditLedger | Secrets
> = Effect.gen(function* () {
  const ledger = yield* CreditLedger
  const record = yield* audit

  return Effect.fnUntraced(function* (grant, actor) {
    const receipt = yield* ledger.grant(grant)
    const { amount, environment, organization_id, reference } = grant
    yield* record({
      actor,
      action: "credits.granted",
      subject: receipt.entry_id,
      organization_id,
      details: { amount, environment, reference }
    })
    return receipt
  })
})
