/** What an organization asked for and spent, by day and operation, over a period of days. */
import { Clock, Effect } from "effect"
import type { Environment } from "../Credits.ts"
import { type InsufficientScope, InvalidParameter, type NotFound, type Unavailable } from "../Errors.ts"
import { type Manager, permitOn } from "../ManagementAccess.ts"
import { type DailyUsage, UsageLog } from "../ports/UsageLog.ts"

export interface UsageRequest {
  readonly organization_id: string
  readonly environment: Environment
  /** First and last day, `2026-01-31` in UTC, both included; today and 29 days before it unless told. */
  readonly from: string | undefined
  readonly to: string | undefined
}

/** The most days that one report covers. */
const maximum_days = 366
const default_days = 30
const day_ms = 86_400_000

export const reportUsage: Effect.Effect<
  (
    request: UsageRequest,
    manager: Manager
  ) => Effect.Effect<ReadonlyArray<DailyUsage>, InsufficientScope | InvalidParameter | NotFound | Unavailable>,
  never,
  UsageLog
> = Effect.map(UsageLog, (log) =>
  Effect.fnUntraced(function* ({ environment, from, organization_id, to }, manager) {
    yield* permitOn(manager, "usage", organization_id)
    const to_ms = to === undefined ? yield* Clock.currentTimeMillis : Date.parse(to)
    const from_ms = from === undefined ? to_ms - (default_days - 1) * day_ms : Date.parse(from)
    if (from_ms > to_ms || to_ms - from_ms >= maximum_days * day_ms) {
      return yield* new InvalidParameter({
        parameter: "from",
        message: `from: expected a day not after \`to\`, and at most ${maximum_days} days in all`
      })
    }
    return yield* log.daily({ organization_id, environment, from: dayOf(from_ms), to: dayOf(to_ms) })
  })
)

const dayOf = (time_ms: number): string => new Date(time_ms).toISOString().slice(0, 10)
