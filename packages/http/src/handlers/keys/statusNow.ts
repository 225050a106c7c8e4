import { type ApiKeyRecord, keyStatus } from "@postcode/core/ApiKey"
import { Clock, Effect } from "effect"

/** Says of a key's record how the key stands now. */
export const statusNow = Effect.map(Clock.Clock, (clock) => (record: ApiKeyRecord) => {
  const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
  return { ...record, status: keyStatus(record, now) }
})
