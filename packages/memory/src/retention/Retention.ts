/**
 * Capacity for data that clients create, over all organizations. Each request may add data, so the oldest is evicted.
 * For events and selections it is the oldest of the organization with the most, so that no organization affects
 * another.
 */
import { Context } from "effect"

/** Maximum numbers to keep, newest first. */
export interface RetentionLimits {
  /** Ledger entries, about 150 bytes each. Balances include evicted entries. */
  readonly ledgerEntries: number
  /** Events of the audit log, about 500 bytes each. */
  readonly auditEvents: number
  /** Selections, about 350 bytes each. */
  readonly selections: number
  /** Idempotency keys of paid requests, and the same number of free ones, about 400 bytes each. */
  readonly idempotencyKeys: number
  /** Pending challenges for passkeys, about 250 bytes each. */
  readonly challenges: number
  /** Notices by mail, about 700 bytes each. */
  readonly notices: number
}

export const Retention = Context.Reference<RetentionLimits>("@postcode/memory/Retention", {
  defaultValue: () => ({
    ledgerEntries: 100_000,
    auditEvents: 100_000,
    selections: 50_000,
    idempotencyKeys: 50_000,
    challenges: 100_000,
    notices: 20_000
  })
})
