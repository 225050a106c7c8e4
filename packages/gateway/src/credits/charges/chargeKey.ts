/** Charges a key, and hides the balance from callers with a publishable key. */

import type { Charge } from "@postcode/core/Credits"
import { Effect } from "effect"
import { DailyLimitReached, InsufficientCredits } from "../../Errors.ts"
import type { Principal } from "../../keys/ApiKey.ts"
import type { CreditLedger } from "../CreditLedger.ts"

type Ledger = CreditLedger["Service"]
type Refusal = Effect.Error<ReturnType<Ledger["charge"]>>

/** The result of a charge, in credits. */
export interface Receipt {
  /** Credits taken. For the operator's records only if `balance` is undefined. */
  readonly charged: number
  /** Undefined for a publishable key: its callers are visitors of the merchant's page. */
  readonly balance: number | undefined
}

/** Charges the key of a principal. For a publishable key, neither the receipt nor an error contains the balance. */
export const chargeKey = (ledger: Ledger, principal: Principal, charge: Charge): Effect.Effect<Receipt, Refusal> => {
  const charged = ledger.charge(charge)
  return principal.kind === "publishable"
    ? Effect.mapBoth(charged, {
        onSuccess: (receipt) => ({ ...receipt, balance: undefined }),
        onFailure: withoutBalance
      })
    : charged
}

const withoutBalance = (error: Refusal): Refusal => {
  switch (error._tag) {
    case "InsufficientCredits":
      return new InsufficientCredits({ required: error.required, balance: undefined })
    case "DailyLimitReached":
      return new DailyLimitReached({
        required: error.required,
        limit: error.limit,
        balance: undefined,
        retry_after_s: error.retry_after_s
      })
    default:
      return error
  }
}
