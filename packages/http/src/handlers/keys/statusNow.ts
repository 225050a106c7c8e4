import { type ApiKeyRecord, type KeyStatus, keyStatus } from "@postcode/core/ApiKey"
import { Clock, Effect } from "effect"

/** Adds its current status to the record of an API key or a management key. */
export const statusNow = Effect.map(Clock.Clock, (clock) => {
  return <Key extends Pick<ApiKeyRecord, "expires_at" | "revoked_at">>(record: Key): Key & { status: KeyStatus } => {
    const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
    return { ...record, status: keyStatus(record, now) }
  }
})
