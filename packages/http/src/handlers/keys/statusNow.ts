import { type ApiKeyRecord, keyStatus } from "@postcode/core/ApiKey"
import { Clock, Effect } from "effect"

/** Adds its current status to the record of a key. */
export const statusNow = Effect.map(Clock.Clock, (clock) => (record: ApiKeyRecord) => {
  const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
  return { ...record, status: keyStatus(record, now) }
})
