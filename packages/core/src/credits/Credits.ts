/** Credits: prepaid whole units, with a balance per environment and its ledger entries. */
import type { AccessLevel } from "../levels/AccessLevel.ts"

/** The environment of a key, which selects the balance that it charges. */
export type Environment = "test" | "live"

/** Both environments. */
export const environments: ReadonlyArray<Environment> = ["test", "live"]

/** Initial balances of a new organization, in credits. */
export const openingCredits: Readonly<Record<Environment, number>> = { test: 1_000, live: 0 }

/**
 * Kinds of corrections: a `refund` returns credits, or takes back those of a payment that was returned; an `adjustment`
 * is any other correction.
 */
export const correctionKinds = ["refund", "adjustment"] as const

/** The kind of a correction. */
export type CorrectionKind = (typeof correctionKinds)[number]

/** The reason of an entry. */
export type EntryReason =
  | "opening"
  | "grant"
  | CorrectionKind
  | "lookup"
  | "lookup_batch"
  | "widget_session"
  | "address_search"
  | "address_batch"
  | "directory_changes"

/** An entry of the append-only ledger; `amount` is negative for a charge, and may be for a correction. */
export interface LedgerEntry {
  readonly id: string
  readonly amount: number
  readonly reason: EntryReason
  /** The operator's reference of a grant or correction, or the request id of a charge. */
  readonly reference: string
  /** The charged key; null for entries that are no charges. */
  readonly key_id: string | null
  /** The served level of a lookup, even if less was found and charged; 2 for an address search; null for other entries. */
  readonly level: AccessLevel | null
  /** Why an operator corrected the balance; null for other entries. */
  readonly note: string | null
  readonly balance_after: number
  /** ISO 8601, UTC. */
  readonly created_at: string
}
