import { type ApiKeyRecord, type KeyStatus, keyStatus, keyWarning } from "@postcode/gateway/keys/ApiKey"
import { Clock, Effect } from "effect"

/** Adds its current status to the record of an API key or a management key. */
export const statusNow = Effect.map(Clock.Clock, (clock) => {
  return <Key extends Pick<ApiKeyRecord, "expires_at" | "revoked_at">>(record: Key): Key & { status: KeyStatus } => {
    const now = new Date(clock.currentTimeMillisUnsafe()).toISOString()
    return { ...record, status: keyStatus(record, now) }
  }
})

/**
 * The record of an API key as responses show it: with its current status and a warning, and without its chain, which
 * `replaces` shows.
 */
export const apiKeyNow = Effect.map(statusNow, (withStatus) => ({ chain_id: _, ...record }: ApiKeyRecord) => {
  const key = withStatus(record)
  const warning = key.status === "active" ? keyWarning(record) : undefined
  return { ...key, ...(warning !== undefined && { warning }) }
})
