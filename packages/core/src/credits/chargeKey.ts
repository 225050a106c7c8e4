/** Charge a key, and answer what its caller may know of it. */
import { Effect } from "effect"
import { DailyLimitReached, InsufficientCredits } from "../Errors.ts"
import type { Principal } from "../keys/ApiKey.ts"
import type { Charge, CreditLedger } from "./CreditLedger.ts"

type Ledger = CreditLedger["Service"]
type Refusal = Effect.Error<ReturnType<Ledger["charge"]>>

/** What a charge came to, in credits. */
export interface Receipt {
  /** What this charge took. It is for the operator's records where `balance` is undefined. */
  readonly charged: number
  /** Undefined for a publishable key: its callers are a shop's visitors, and the shop's credits are not for them to see. */
  readonly balance: number | undefined
}

/** Charges the key of a principal. With a publishable key, neither receipt nor error holds what only the merchant may know. */
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
