/**
 * Port: balances and their append-only ledger.
 *
 * Also with concurrent requests, a balance is the sum of its entries, it is never negative, and a charge has one entry.
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
  type OrganizationSuspended,
  type PriceAboveDailyLimit,
  type Unavailable
} from "../Errors.ts"
import type { AccessLevel } from "../lookup/AccessLevel.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { CorrectionKind, EntryReason, Environment, LedgerEntry } from "./Credits.ts"

/** Identifies a balance: each organization has one per environment. */
export interface CreditAccount {
  readonly organization_id: string
  readonly environment: Environment
}

/** Credits to add to a balance. */
export interface Grant extends CreditAccount {
  /** A whole number above 0; any other number is a defect. */
  readonly amount: number
  /** The operator's reference. Grants to the same balance with the same reference are the same grant. */
  readonly reference: string
}

/** A change of a balance that an operator decides on, up or down. */
export interface Correction extends CreditAccount {
  readonly kind: CorrectionKind
  /** A whole number other than 0; any other number is a defect. Negative to take credits. */
  readonly amount: number
  /** Why, for the organization to read. */
  readonly note: string
  /** The operator's reference. Corrections of the same balance with the same reference are the same correction. */
  readonly reference: string
}

/** The result of a grant or a correction. */
export interface EntryReceipt {
  readonly entry_id: string
  /** The balance immediately after this entry. */
  readonly balance: number
  /** Whether the reference was already used for the same, so that nothing changed. */
  readonly repeated: boolean
}

/** Credits to take from a balance. */
export interface Charge extends CreditAccount {
  /** The charged key: active now, and of the same organization and environment. */
  readonly key_id: string
  /** A non-negative whole number; any other number is a defect. */
  readonly amount: number
  readonly reason: EntryReason
  /** The level of a lookup, or that an address search needs: at most the organization's current grant. */
  readonly level?: AccessLevel
  /** The reference of the entry. It may come from the client, so it is not unique. */
  readonly request_id: string
  readonly idempotency?: Idempotency
}

/**
 * Makes a charge repeatable for `idempotencyRetention_ms` after its first success. A store may evict the record of a
 * free charge earlier, because repeating it costs nothing, but never that of a paid one.
 */
export interface Idempotency {
  /** Identifies the request among those of the same API key. */
  readonly key: string
  /** Identifies the content of the request. Another fingerprint under the same key is refused. */
  readonly fingerprint: string
}

/**
 * The level of a charge is above the organization's grant, which was lowered during the request. The caller serves and
 * charges `granted_level` instead, so clients never get this error.
 */
export class GrantLowered extends Data.TaggedError("GrantLowered")<{ readonly granted_level: AccessLevel }> {}

/** The result of a charge. */
export interface ChargeReceipt {
  /** Credits taken: less than the amount if charges under the same idempotency key have already paid a part. */
  readonly charged: number
  readonly balance: number
}

/** The error for a reference that was granted with another amount. */
export const otherAmount = new Conflict({
  message: "reference: it was already used for a grant of another amount; use a new reference for each grant"
})

/** The error for a reference of a correction with other content. */
export const otherCorrection = new Conflict({
  message: "reference: it was already used for another correction; use a new reference for each correction"
})

/** A balance and a page of its entries. */
export interface Statement {
  readonly balance: number
  /** A balance below this is low; null if not set. */
  readonly low_balance_threshold: number | null
  readonly entries: Page<LedgerEntry>
}

/** Filter of entries. */
export interface EntryFilter {
  /** The exact reference: for the charges of one request. */
  readonly reference?: string | undefined
}

/** The result of setting a threshold. */
export interface ThresholdReceipt {
  readonly balance: number
  /** Whether the threshold was different before. */
  readonly changed: boolean
}

/** How long an idempotency key is valid: 24 hours. */
export const idempotencyRetention_ms = 24 * 60 * 60 * 1000

export class CreditLedger extends Context.Service<
  CreditLedger,
  {
    /**
     * Adds credits and writes one entry with the reason `grant`. Repeating a reference changes nothing and returns the
     * first receipt, as repeated. Fails with `Conflict` if the reference was granted with another amount, and with
     * `organizationClosed` if the organization is closed.
     */
    readonly grant: (grant: Grant) => Effect.Effect<EntryReceipt, Conflict | NotFound | Unavailable>
    /**
     * Adds or takes credits and writes one entry with the kind as its reason. Repeating a reference changes nothing and
     * returns the first receipt, as repeated. References of corrections are separate from those of grants.
     *
     * Fails with `Conflict` if the reference was used for a correction of another amount, kind or note, or if the balance
     * would be negative. A balance that falls below its threshold sends `credits.low`, as with a charge.
     */
    readonly correct: (correction: Correction) => Effect.Effect<EntryReceipt, Conflict | NotFound | Unavailable>
    /**
     * Takes credits, all or nothing, and writes one entry. An amount of 0 writes no entry and returns the balance.
     *
     * Under a valid idempotency key, only the due credits are taken: the amount minus all credits already taken under
     * the key, by any API key of the same chain. Fails with the first of these that applies:
     *
     * 1. `InvalidApiKey` if the key does not exist, is revoked or expired, or does not belong to this balance
     * 2. `organizationSuspended` if the organization is suspended now
     * 3. `notVerified` if the balance is live and the organization is not verified now
     * 4. `GrantLowered` if the level is above the grant
     * 5. `IdempotencyKeyReused` if the fingerprint differs
     * 6. `PriceAboveDailyLimit` if the due credits exceed the key's daily limit, or `DailyLimitReached` if they
     *    do so together with the other charges of the day (UTC) by the key's chain, see `chainOf` and `dailyLimitError`
     * 7. `InsufficientCredits` if the due credits exceed the balance
     *
     * A failed charge changes nothing and leaves its idempotency key unused. The first charge of a day that uses up the
     * key's daily limit, or fails with `DailyLimitReached`, sends `key.daily_limit_reached`; if the limit is raised, the
     * next one may follow on the same day. If the store is unavailable, it fails with
     * `Unavailable`, and the charge may have been made or not. It never fails otherwise while that is unknown.
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
      | OrganizationSuspended
      | PriceAboveDailyLimit
      | Unavailable
    >
    /**
     * Sets the threshold below which the balance is low, a whole number above 0 (any other number is a defect), or null
     * for none.
     *
     * When a charge or a correction takes the balance below the threshold, or a new threshold is above the balance, one event
     * `credits.low` is sent to each of the organization's webhooks, in the same transaction. The next event requires
     * that the balance has reached the threshold again.
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
