/** Charges, grants and corrections of a balance: what is asked for, and the receipts. */
import { Data } from "effect"
import { Conflict } from "../Errors.ts"
import type { AccessLevel } from "../levels/AccessLevel.ts"
import type { CorrectionKind, EntryReason, Environment } from "./Credits.ts"

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
  /** The level of the entry, if it is not `level`: a test key sees units of the sandbox above the grant. */
  readonly served_level?: AccessLevel
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

/** How long an idempotency key is valid: 24 hours. */
export const idempotencyRetention_ms = 24 * 60 * 60 * 1000
