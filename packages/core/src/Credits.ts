/**
 * Credits: prepaid whole units of account, one account for test and one for live use, and the price list.
 */
import { Context } from "effect"
import type { AccessLevel } from "./AccessLevel.ts"

/** Which of an organization's two credit accounts a key draws on. */
export type Environment = "test" | "live"

export const environments: ReadonlyArray<Environment> = ["test", "live"]

/** Prices in credits, whole and not negative. */
export interface PriceList {
  readonly lookup: Readonly<Record<AccessLevel, number>>
  readonly widget_session: number
}

/** Level 5 costs nothing: it is granted on review, not sold by the credit. */
export const defaultPriceList: PriceList = {
  lookup: { 1: 0, 2: 1, 3: 2, 4: 3, 5: 0 },
  widget_session: 1
}

/** The price list in force. Override it with `Layer.succeed(Prices, …)`. */
export const Prices = Context.Reference<PriceList>("@postcode/core/Prices", { defaultValue: () => defaultPriceList })

/** What a new organization starts with, in credits. */
export const openingCredits: Readonly<Record<Environment, number>> = { test: 1_000, live: 0 }

/** The largest amount that one grant may add, in credits. */
export const maximumGrant = 1_000_000_000

/** Why an entry stands in the ledger. */
export type EntryReason = "opening" | "grant" | "lookup" | "lookup_batch"

/** One row of an account's append-only ledger; `amount` is negative for a charge. */
export interface LedgerEntry {
  readonly id: string
  readonly amount: number
  readonly reason: EntryReason
  /** The operator's reference of a grant, or the request id of a charge. */
  readonly reference: string
  readonly balance_after: number
  /** ISO 8601, UTC. */
  readonly created_at: string
}
