/** What an organization asked for and spent over a period of days: by day, and by operation, level, key or status. */
import { Clock, Effect } from "effect"
import { type Manager, permitOn } from "../accounts/ManagementAccess.ts"
import type { Environment } from "../credits/Credits.ts"
import { type InsufficientScope, InvalidParameter, type NotFound, notFound, type Unavailable } from "../Errors.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { dateOf, dayOf } from "./UsageCounts.ts"
import { type DailyUsage, type UsageGrouping, UsageLog } from "./UsageLog.ts"

/** Whose usage, of which days, and by what it is told apart. */
export interface UsageRequest {
  readonly organization_id: string
  readonly environment: Environment
  /** First and last day, `2026-01-31` in UTC, both included; today and 29 days before it unless told. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** By operation unless told. */
  readonly by: UsageGrouping | undefined
  /** A key of the organization, if it is about that one alone. */
  readonly key_id: string | undefined
}

/** The most days that one report covers. */
const maximum_days = 366
/** The most rows of one report. Only an organization of many keys has more. */
const maximumRows = 50_000
const default_days = 30
const day_ms = 86_400_000

/**
 * Rows as `UsageLog.daily` has them. Fails with `InvalidParameter` for more days or rows than one report may have, and
 * with `NotFound` for a key of another organization.
 */
export const reportUsage: Effect.Effect<
  (
    request: UsageRequest,
    manager: Manager
  ) => Effect.Effect<ReadonlyArray<DailyUsage>, InsufficientScope | InvalidParameter | NotFound | Unavailable>,
  never,
  ApiKeys | UsageLog
> = Effect.gen(function* () {
  const keys = yield* ApiKeys
  const log = yield* UsageLog

  return Effect.fnUntraced(function* ({ by = "operation", environment, from, key_id, organization_id, to }, manager) {
    yield* permitOn(manager, "usage", organization_id)
    const to_ms = to === undefined ? yield* Clock.currentTimeMillis : Date.parse(to)
    const from_ms = from === undefined ? to_ms - (default_days - 1) * day_ms : Date.parse(from)
    if (from_ms > to_ms || to_ms - from_ms >= maximum_days * day_ms) {
      return yield* new InvalidParameter({
        parameter: "from",
        message: `from: expected a day not after \`to\`, and at most ${maximum_days} days in all`
      })
    }
    if (key_id !== undefined && (yield* keys.get(key_id)).organization_id !== organization_id) {
      return yield* notFound("key")
    }
    const days = { from: dateOf(dayOf(from_ms)), to: dateOf(dayOf(to_ms)) }
    const rows = yield* log.daily({ organization_id, environment, ...days, by, key_id, limit: maximumRows + 1 })
    if (rows.length > maximumRows) return yield* tooManyRows
    return rows
  })
})

const tooManyRows = new InvalidParameter({
  parameter: "from",
  message: `from: these days have more than ${maximumRows} rows: ask for fewer days, or for one key`
})
