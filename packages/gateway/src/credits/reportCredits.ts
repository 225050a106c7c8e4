/** Reports the credits of the whole instance by day, for operators who compare them with payments. */
import type { Environment } from "@postcode/core/Credits"
import { Effect } from "effect"
import type { InsufficientScope, InvalidParameter, Unavailable } from "../Errors.ts"
import { type Manager, permit } from "../ManagementAccess.ts"
import { reportDays } from "../usage/reportDays.ts"
import { type CreditDay, CreditLedger } from "./CreditLedger.ts"

/** Environment and range of days. */
export interface CreditReport {
  readonly environment: Environment
  /** First and last day, `2026-01-31` in UTC, both included; by default the last 30 days. */
  readonly from: string | undefined
  readonly to: string | undefined
}

/** Oldest day first; days without entries are omitted. Fails with `InvalidParameter` for more than 366 days. */
export const reportCredits: Effect.Effect<
  (
    report: CreditReport,
    manager: Manager
  ) => Effect.Effect<ReadonlyArray<CreditDay>, InsufficientScope | InvalidParameter | Unavailable>,
  never,
  CreditLedger
> = Effect.map(CreditLedger, (ledger) =>
  Effect.fnUntraced(function* ({ environment, ...range }, manager) {
    yield* permit(manager, "creditDays")
    return yield* ledger.days(environment, yield* reportDays(range))
  })
)
