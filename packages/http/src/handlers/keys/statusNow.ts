import { type ApiKeyRecord, keyStatus } from "@postcode/core/ApiKey"
import { Clock, Effect } from "effect"

/** The record of a key as responses show it: with its current status, and without its chain, which `replaces` shows. */
export const statusNow = Effect.map(Clock.Clock, (clock) => ({ chain_id: _, ...record }: ApiKeyRecord) => {
  const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
  return { ...record, status: keyStatus(record, now) }
})
