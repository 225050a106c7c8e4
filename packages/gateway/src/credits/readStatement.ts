/** Reads a balance and its ledger. */

import type { CreditAccount } from "@postcode/core/Credits"
import { Effect } from "effect"
import type { InsufficientScope, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import { type Manager, permitOn } from "../ManagementAccess.ts"
import type { PageRequest } from "../Page.ts"
import { CreditLedger, type EntryFilter, type Statement } from "./CreditLedger.ts"

/** Entries are newest first. */
export const readStatement: Effect.Effect<
  (
    account: CreditAccount,
    page: PageRequest,
    manager: Manager,
    filter?: EntryFilter
  ) => Effect.Effect<Statement, InsufficientScope | InvalidParameter | NotFound | Unavailable>,
  never,
  CreditLedger
> = Effect.map(
  CreditLedger,
  (ledger) => (account, page, manager, filter) =>
    Effect.andThen(permitOn(manager, "credits", account.organization_id), ledger.statement(account, page, filter))
)
