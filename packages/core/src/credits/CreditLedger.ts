/**
 * Port: the credit accounts and their append-only ledger.
 *
 * Whatever happens at the same time: a balance is the sum of its entries, it is never negative, and one charge is one
 * entry.
 */
import { Context, Data, type Effect } from "effect"
import {
  Conflict,
  type DailyLimitReached,
  type IdempotencyKeyReused,
  type InsufficientCredits,
  type InvalidApiKey,
  type InvalidParameter,
  type KybRequired,
  type NotFound,
  type PriceAboveDailyLimit,
  type Unavailable
} from "../Errors.ts"
import type { AccessLevel } from "../lookup/AccessLevel.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { EntryReason, Environment, LedgerEntry } from "./Credits.ts"

/** Which credit account: that of an organization for test use, or for live use. */
export interface CreditAccount {
  readonly organization_id: string
  readonly environment: Environment
}

/** Credits to be added to an account. */
export interface Grant extends CreditAccount {
  /** Credits to add, whole and above 0; anything else is a defect. */
  readonly amount: number
  /** The operator's own reference; the same one again, for the same account, is the same grant. */
  readonly reference: string
}

/** What a grant came to. */
export interface GrantReceipt {
  readonly entry_id: string
  /** The balance just after this grant. */
  readonly balance: number
  /** Whether the reference was granted before, so that this added nothing. */
  readonly repeated: boolean
}

/** Credits to be taken from an account. */
export interface Charge extends CreditAccount {
  /** The key that asks. It must be one of the account's organization and environment, and not be revoked or expired by now. */
  readonly key_id: string
  /** Credits to take, whole and not negative; anything else is a defect. */
  readonly amount: number
  readonly reason: EntryReason
  /** The level at which a lookup is served: not above what the organization is granted by now. */
  readonly level?: AccessLevel
  /** Goes into the entry as its reference. It may come from the client, so it tells no two charges apart. */
  readonly request_id: string
  readonly idempotency?: Idempotency
}

/**
 * Makes a charge repeatable for `idempotencyRetention_ms`, counted from the first one that succeeded. A store may
 * forget a key under which nothing was taken sooner, since such keys cost a client nothing; never one that paid.
 */
export interface Idempotency {
  /** What the client sent; counts for each API key apart. */
  readonly key: string
  /** What was asked for: another fingerprint under the same key is refused. */
  readonly fingerprint: string
}

/**
 * The level of a charge is above the organization's grant, which was lowered since the request found it. Whoever charges
 * serves `granted_level` instead and charges for that, so no answer to a client is made of this.
 */
export class GrantLowered extends Data.TaggedError("GrantLowered")<{ readonly granted_level: AccessLevel }> {}

/** What a charge came to. */
export interface ChargeReceipt {
  /** What this charge took: less than the amount where an earlier one under the same idempotency key paid already. */
  readonly charged: number
  readonly balance: number
}

/** What a grant fails with whose reference was granted before with another amount. */
export const otherAmount = new Conflict({
  message: "reference: it stands for a grant of another amount already; take a new one for each grant"
})

/** A balance, and a page of the entries that led to it. */
export interface Statement {
  readonly balance: number
  /** Below this the balance is low; null if it never is. */
  readonly low_balance_threshold: number | null
  readonly entries: Page<LedgerEntry>
}

/** Which entries of an account. */
export interface EntryFilter {
  /** Those with this reference, exactly: what one request was charged. */
  readonly reference?: string | undefined
}

/** What setting a threshold came to. */
export interface ThresholdReceipt {
  readonly balance: number
  /** Whether it was another one before. */
  readonly changed: boolean
}

/** How long a charge is known under its idempotency key: 24 hours. */
export const idempotencyRetention_ms = 24 * 60 * 60 * 1000

export class CreditLedger extends Context.Service<
  CreditLedger,
  {
    /**
     * Adds credits and writes one entry, with the reason `grant`. A reference that was granted before changes nothing
     * and answers the receipt of then, as repeated; fails with `Conflict` if it stands for another amount.
     */
    readonly grant: (grant: Grant) => Effect.Effect<GrantReceipt, Conflict | NotFound | Unavailable>
    /**
     * Takes credits, all or nothing, and writes one entry; an amount of 0 writes none and answers the balance.
     *
     * Under an idempotency key that is in force already, only what is still due is taken: the amount less all that was
     * taken under the key before. Fails with `InvalidApiKey` if the key does not exist, is revoked or expired, or is not
     * one of this account, with `notVerified` if the account is a live one and the organization is not verified by now,
     * with `GrantLowered` if the level is above the grant, with `IdempotencyKeyReused` if the
     * fingerprint is another one, with `PriceAboveDailyLimit` if what is due is above the key's daily limit, with
     * `DailyLimitReached` if it would bring all that the key has charged this day, in UTC, above that (`dailyLimitError`
     * makes the right one of both), and with `InsufficientCredits` if the balance is less than what is due; with the
     * first of them that holds. A charge that fails leaves no trace, its idempotency key included.
     *
     * With a store that is out of reach it fails with `Unavailable`, whether or not the charge was made: nothing else is
     * answered before that is known.
     */
    readonly charge: (
      charge: Charge
    ) => Effect.Effect<
      ChargeReceipt,
      | DailyLimitReached
      | GrantLowered
      | IdempotencyKeyReused
      | InsufficientCredits
      | InvalidApiKey
      | KybRequired
      | PriceAboveDailyLimit
      | Unavailable
    >
    /**
     * Sets the balance below which the account is low, whole and above 0; anything else is a defect. Null for none.
     *
     * Whatever takes a balance from there or above to below it, a charge or another threshold, makes one event
     * `credits.low` for each of the organization's webhooks, in the same transaction. The next one is made once the
     * balance was back and falls again.
     */
    readonly setThreshold: (
      account: CreditAccount,
      threshold: number | null
    ) => Effect.Effect<ThresholdReceipt, NotFound | Unavailable>
    /** The balance and a page of entries, newest first. */
    readonly statement: (
      account: CreditAccount,
      page: PageRequest,
      filter?: EntryFilter
    ) => Effect.Effect<Statement, InvalidParameter | NotFound | Unavailable>
  }
>()("@postcode/core/CreditLedger") {}
