/** Charges a key. Callers with a publishable key do not see the balance, others see where to buy credits. */

import type { Charge } from "@postcode/core/Credits"
import { Effect } from "effect"
import { DailyLimitReached, InsufficientCredits } from "../../Errors.ts"
import type { Principal } from "../../keys/ApiKey.ts"
import { BuyCreditsUrl, buyUrlFor } from "../BuyCreditsUrl.ts"
import { CreditLedger } from "../CreditLedger.ts"

type Refusal = Effect.Error<ReturnType<CreditLedger["Service"]["charge"]>>

/** Charges the key of a principal. */
export type ChargeKey = (principal: Principal, charge: Charge) => Effect.Effect<Receipt, Refusal>

/** The result of a charge, in credits. */
export interface Receipt {
  /** Credits taken. For the operator's records only if `balance` is undefined. */
  readonly charged: number
  /** Undefined for a publishable key: its callers are visitors of the merchant's page. */
  readonly balance: number | undefined
}

/** For a publishable key, neither the receipt nor an error contains the balance. */
export const chargeKey: Effect.Effect<ChargeKey, never, CreditLedger> = Effect.gen(function* () {
  const ledger = yield* CreditLedger
  const buyCreditsUrl = yield* BuyCreditsUrl
  return (principal, charge) => {
    const charged = ledger.charge(charge)
    if (principal.kind === "publishable") {
      return Effect.mapBoth(charged, {
        onSuccess: (receipt) => ({ ...receipt, balance: undefined }),
        onFailure: withoutBalance
      })
    }
    const buy_url = buyUrlFor(buyCreditsUrl, charge)
    return buy_url === undefined ? charged : Effect.mapError(charged, (error) => withBuyUrl(error, buy_url))
  }
})

const withBuyUrl = (error: Refusal, buy_url: string): Refusal =>
  error._tag === "InsufficientCredits"
    ? new InsufficientCredits({ required: error.required, balance: error.balance, buy_url })
    : error

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
