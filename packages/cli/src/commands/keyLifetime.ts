/** The lifetime of a new key. */
import { Clock, Effect } from "effect"
import { localTime } from "../terminal/LocalTime.ts"

/** When a key expires that is created now; undefined if it never does. */
export const expiryAfter = (lifetime_ms: number | undefined): Effect.Effect<string | undefined> =>
  Effect.map(Clock.currentTimeMillis, (now_ms) =>
    lifetime_ms === undefined ? undefined : new Date(now_ms + lifetime_ms).toISOString()
  )

/** `, until 2027-01-31 12:00`; empty for a key that never expires. */
export const untilText = (expires_at: string | undefined): string =>
  expires_at === undefined ? "" : `, until ${localTime(expires_at)}`
