/**
 * Port: balances and their append-only ledger.
 *
 * Also with concurrent requests, a balance is the sum of its entries, it is never negative, and a charge has one entry.
 */

import type {
  Charge,
  ChargeReceipt,
  ChargeRefusal,
  Correction,
  CreditAccount,
  EntryReason,
  EntryReceipt,
  Environment,
  Grant,
  LedgerEntry
} from "@postcode/core/Credits"
import { Context, type Effect } from "effect"
import type { Conflict, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { ReportDays } from "../usage/reportDays.ts"

/** A balance and a page of its entries. */
export interface Statement {
  readonly balance: number
  /** A balance below this is low; null if not set. */
  readonly low_balance_threshold: number | null
  /** The entries that are no longer listed, because their months are archived; null if there are none. */
  readonly archived: ArchivedEntries | null
  readonly entries: Page<LedgerEntry>
}

/** The entries of archived months. */
export interface ArchivedEntries {
  /** All entries before this month are in the archive: `2026-01`, in UTC. */
  readonly before: string
  readonly entries: number
  /** The balance after the last of them. */
  readonly balance: number
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

/** The sums of all organizations' entries of an environment on a day. */
export interface CreditDay {
  /** Day in UTC, `2026-01-31`. */
  readonly date: string
  /** What new organizations started with. */
  readonly opening: number
  readonly granted: number
  /** Corrections by kind: what was added minus what was taken. */
  readonly refunded: number
  readonly adjusted: number
  /** What requests cost: 0 or more. */
  readonly charged: number
}

/** The sum that an entry counts in. */
export const sumOf = (reason: EntryReason): Exclude<keyof CreditDay, "date"> => {
  switch (reason) {
    case "opening":
      return "opening"
    case "grant":
      return "granted"
    case "refund":
      return "refunded"
    case "adjustment":
      return "adjusted"
    default:
      return "charged"
  }
}

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
     * would be negative. A balance that falls below its threshold sends `credits.low`, and one that reaches 0
     * `credits.used_up`, as with a charge.
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
     * next one may follow on the same day.
     *
     * A charge that takes the balance to 0 sends `credits.used_up`. So does the first one that fails with
     * `InsufficientCredits` while the balance is above 0, once until credits are added. If the store is unavailable, it fails with
     * `Unavailable`, and the charge may have been made or not. It never fails otherwise while that is unknown.
     */
    readonly charge: (charge: Charge) => Effect.Effect<ChargeReceipt, ChargeRefusal | Unavailable>
    /**
     * Sets the threshold below which the balance is low, a whole number above 0 (any other number is a defect), or null
     * for none.
     *
     * When a charge or a correction takes the balance below the threshold, or a threshold that is set is above the balance, one
     * event `credits.low` is sent to each of the organization's webhooks, in the same transaction. The next charge sends
     * one only if the balance has reached the threshold in between. Another threshold above the balance sends one each
     * time, the same one again none.
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
    /**
     * The sums of all organizations by day, oldest first; days without entries are omitted. Exactly the sums of the
     * entries that are committed, without reading them.
     */
    readonly days: (environment: Environment, days: ReportDays) => Effect.Effect<ReadonlyArray<CreditDay>, Unavailable>
  }
>()("@postcode/gateway/CreditLedger") {}
