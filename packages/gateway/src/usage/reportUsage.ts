/** Reports an organization's requests and credits over a range of days, grouped by endpoint, level, key or status. */

import type { Environment } from "@postcode/core/Credits"
import { Effect } from "effect"
import { type InsufficientScope, InvalidParameter, type NotFound, notFound, type Unavailable } from "../Errors.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { type Manager, permitOn } from "../ManagementAccess.ts"
import { reportDays } from "./reportDays.ts"
import { type DailyUsage, type UsageGrouping, UsageLog } from "./UsageLog.ts"

/** Organization, range of days and grouping. */
export interface UsageRequest {
  readonly organization_id: string
  readonly environment: Environment
  /** First and last day, `2026-01-31` in UTC, both included; by default the last 30 days. */
  readonly from: string | undefined
  readonly to: string | undefined
  /** By default `operation`. */
  readonly by: UsageGrouping | undefined
  /** Restricts the report to one key of the organization. */
  readonly key_id: string | undefined
}

/** Maximum number of rows per report. Only organizations with many keys reach it. */
const maxRows = 50_000

/**
 * Rows as returned by `UsageLog.daily`. Fails with `InvalidParameter` if the days or rows exceed the maximum, and with
 * `NotFound` for a key of another organization.
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
    const days = yield* reportDays({ from, to })
    if (key_id !== undefined && (yield* keys.get(key_id)).organization_id !== organization_id) {
      return yield* notFound("key")
    }
    const rows = yield* log.daily({ organization_id, environment, ...days, by, key_id, limit: maxRows + 1 })
    if (rows.length > maxRows) return yield* tooManyRows
    return rows
  })
})

const tooManyRows = new InvalidParameter({
  parameter: "from",
  message: `from: these days have more than ${maxRows} rows: request fewer days, or one key`
})
