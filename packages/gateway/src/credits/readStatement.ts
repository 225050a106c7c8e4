/** Reads a balance and its ledger. */

import type { CreditAccount } from "@postcode/core/Credits"
import { Effect } from "effect"
import type { InsufficientScope, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import { type Manager, permitOn } from "../ManagementAccess.ts"
import type { PageRequest } from "../Page.ts"
import { BuyCreditsUrl, buyUrlFor } from "./BuyCreditsUrl.ts"
import { CreditLedger, type EntryFilter, type Statement } from "./CreditLedger.ts"

/** A statement, and the page where the organization buys credits. */
export interface ShownStatement extends Statement {
  readonly buy_url: string | undefined
}

/** Entries are newest first. */
export const readStatement: Effect.Effect<
  (
    account: CreditAccount,
    page: PageRequest,
    manager: Manager,
    filter?: EntryFilter
  ) => Effect.Effect<ShownStatement, InsufficientScope | InvalidParameter | NotFound | Unavailable>,
  never,
  CreditLedger
> = Effect.gen(function* () {
  const ledger = yield* CreditLedger
  const buyCreditsUrl = yield* BuyCreditsUrl
  return (account, page, manager, filter) =>
    permitOn(manager, "credits", account.organization_id).pipe(
      Effect.andThen(ledger.statement(account, page, filter)),
      Effect.map((statement) => ({ ...statement, buy_url: buyUrlFor(buyCreditsUrl, account) }))
    )
})
