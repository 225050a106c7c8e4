/** Credits: prepaid whole units in one balance for test and one for live use, and the entries of their ledger. */
import type { AccessLevel } from "../lookup/AccessLevel.ts"

/** Which of an organization's two credit accounts a key draws on. */
export type Environment = "test" | "live"

/** Both environments. */
export const environments: ReadonlyArray<Environment> = ["test", "live"]

/** What a new organization starts with, in credits. */
export const openingCredits: Readonly<Record<Environment, number>> = { test: 1_000, live: 0 }

/** The largest amount that one grant may add, in credits. */
export const maxGrant = 1_000_000_000

/** The most credits that a key may be limited to a day. */
export const maxDailyCreditLimit = 1_000_000_000

/**
 * What a publishable key may charge a day where its creator gives no number, in credits. Anybody can read such a key and
 * spend with it, so it is never without a limit.
 */
export const publishableDailyCreditLimit = 1_000

/** The highest threshold below which a balance counts as low, in credits. */
export const maxThreshold = 1_000_000_000_000

/** Why an entry stands in the ledger. */
export type EntryReason = "opening" | "grant" | "lookup" | "lookup_batch" | "widget_session"

/** One row of an account's append-only ledger; `amount` is negative for a charge. */
export interface LedgerEntry {
  readonly id: string
  readonly amount: number
  readonly reason: EntryReason
  /** The operator's reference of a grant, or the request id of a charge. */
  readonly reference: string
  /** The key that was charged; null for what no key asked for. */
  readonly key_id: string | null
  /** The level at which a lookup was served, even if less was known and charged; null if it was no lookup. */
  readonly level: AccessLevel | null
  readonly balance_after: number
  /** ISO 8601, UTC. */
  readonly created_at: string
}
