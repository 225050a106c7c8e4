/**
 * How much is kept in memory of what clients cause, of all organizations together. What is written anew with each request
 * would fill any memory in time, so there the oldest makes room for the newest. Of events and selections it is the oldest
 * of the organization that has the most: what one organization causes costs no other one.
 */
import { Context } from "effect"

/** How many are kept at most, the newest. */
export interface RetentionLimits {
  /** Entries of credit accounts, in some 150 bytes each. Balances count all that ever were. */
  readonly ledgerEntries: number
  /** Events of the audit log, in some 500 bytes each. */
  readonly auditEvents: number
  /** Selections, in some 350 bytes each. */
  readonly selections: number
  /** Idempotency keys under which something was paid, and as many again that were free, in some 400 bytes each. */
  readonly idempotencyKeys: number
  /** Challenges for passkeys that nobody has answered yet, in some 250 bytes each. */
  readonly challenges: number
}

export const Retention = Context.Reference<RetentionLimits>("@postcode/memory/Retention", {
  defaultValue: () => ({
    ledgerEntries: 100_000,
    auditEvents: 100_000,
    selections: 50_000,
    idempotencyKeys: 50_000,
    challenges: 100_000
  })
})
