import { type ApiKeyRecord, keyStatus, keyWarning } from "@postcode/core/ApiKey"
import { Clock, Effect } from "effect"

/**
 * The record of a key as responses show it: with its current status and a warning, and without its chain, which `replaces`
 * shows.
 */
export const statusNow = Effect.map(Clock.Clock, (clock) => ({ chain_id: _, ...record }: ApiKeyRecord) => {
  const status = keyStatus(record, new Date(clock.currentTimeMillisUnsafe()).toISOString())
  const warning = status === "active" ? keyWarning(record) : undefined
  return { ...record, status, ...(warning !== undefined && { warning }) }
})
