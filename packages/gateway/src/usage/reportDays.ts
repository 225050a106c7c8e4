/** The range of days of a report. */
import { Clock, Effect } from "effect"
import { InvalidParameter } from "../Errors.ts"
import { dateOf, dayOf } from "./UsageCounts.ts"

/** First and last day, `2026-01-31` in UTC, both included. */
export interface ReportDays {
  readonly from: string
  readonly to: string
}

const maxDays = 366
const defaultDays = 30
const day_ms = 86_400_000

/** By default the last 30 days. Fails with `InvalidParameter` for more than 366. */
export const reportDays = ({
  from,
  to
}: {
  readonly from: string | undefined
  readonly to: string | undefined
}): Effect.Effect<ReportDays, InvalidParameter> =>
  Effect.gen(function* () {
    const to_ms = to === undefined ? yield* Clock.currentTimeMillis : Date.parse(to)
    const from_ms = from === undefined ? to_ms - (defaultDays - 1) * day_ms : Date.parse(from)
    if (from_ms > to_ms || to_ms - from_ms >= maxDays * day_ms) {
      return yield* new InvalidParameter({
        parameter: "from",
        message: `from: expected a day not after \`to\`, and at most ${maxDays} days in all`
      })
    }
    return { from: dateOf(dayOf(from_ms)), to: dateOf(dayOf(to_ms)) }
  })
