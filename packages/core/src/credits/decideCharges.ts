/**
 * Whether credits are taken: every rule about a charge is here. A store reads what it knows of an account, calls
 * `decideCharges`, and writes what that answers, all in one step that no other change of the account comes between.
 */
import { Result } from "effect"
import {
  type Conflict,
  type DailyLimitReached,
  dailyLimitError,
  IdempotencyKeyReused,
  InsufficientCredits,
  type InvalidApiKey,
  type KybRequired,
  type PriceAboveDailyLimit
} from "../Errors.ts"
import { type ApiKeyRecord, authorizeVerified, hasExpired, keyExpired, unknownKey } from "../keys/ApiKey.ts"
import type { Organization } from "../organizations/Organization.ts"
import { dayOf } from "../usage/UsageCounts.ts"
import type { LowBalance } from "../webhooks/Webhook.ts"
import {
  type Charge,
  type ChargeReceipt,
  type CreditAccount,
  GrantLowered,
  type GrantReceipt,
  idempotencyRetention_ms,
  otherAmount
} from "./CreditLedger.ts"

/** What a store knows of an account before it charges it. */
export interface ChargeableAccount extends CreditAccount {
  readonly balance: number
  /** Below this the balance is low; null if it never is. */
  readonly low_balance_threshold: number | null
  readonly organization: Pick<Organization, "granted_level" | "kyb_status">
  /** The key with an id, whosever it is. */
  readonly findKey: (key_id: string) => ChargeableKey | undefined
  /** Credits that a key with a daily limit was charged today, in UTC. No other key is asked about. */
  readonly chargedToday: (key_id: string) => number
  /** What was charged under an idempotency key of an API key. A record that has expired counts as none. */
  readonly findRecord: (key_id: string, key: string) => IdempotencyRecord | undefined
}

/** What a store knows of a key. */
export type ChargeableKey = Pick<
  ApiKeyRecord,
  "daily_credit_limit" | "environment" | "expires_at" | "id" | "organization_id" | "revoked_at"
>

/** What was charged under an idempotency key. */
export interface IdempotencyRecord {
  readonly fingerprint: string
  /** All that was taken under it so far, in credits. */
  readonly charged: number
  /** When it ends, in ms since 1970. */
  readonly expires_at_ms: number
}

/** Why a charge takes nothing. */
export type ChargeRefusal =
  | DailyLimitReached
  | GrantLowered
  | IdempotencyKeyReused
  | InsufficientCredits
  | InvalidApiKey
  | KybRequired
  | PriceAboveDailyLimit

/** What becomes of a batch of charges, and what is to be written. */
export interface ChargeDecision {
  /** One for each charge, in their order. */
  readonly outcomes: ReadonlyArray<Result.Result<ChargeReceipt, ChargeRefusal>>
  readonly balance: number
  /** New entries of the ledger, in order. */
  readonly entries: ReadonlyArray<ChargeEntry>
  /** By the id of each key with a daily limit that was charged: all that it was charged today. */
  readonly charged_today: ReadonlyMap<string, number>
  /** New records, and those that take the place of one before. */
  readonly records: ReadonlyArray<ChangedRecord>
  /** What the organization's webhooks are told, if the balance has become low. */
  readonly low_balance: LowBalance | undefined
}

/** An entry that is to be written. */
export interface ChargeEntry {
  /** The place of its charge in the batch. */
  readonly index: number
  readonly charge: Charge
  /** Negative. */
  readonly amount: number
  readonly balance_after: number
}

/** A record that is to be written, and whose it is. */
export interface ChangedRecord extends IdempotencyRecord {
  readonly key_id: string
  readonly key: string
}

/**
 * Decides charges on one account, in the order of their arrival. Each takes all that is due or nothing: one that is
 * refused leaves no trace, and those after it may pass. The order of the checks is the one that `CreditLedger.charge`
 * documents.
 *
 * @param account undefined if there is none: then there is no key of it either
 * @param now_ms the time by the store's clock, in ms since 1970
 */
export const decideCharges = (
  account: ChargeableAccount | undefined,
  charges: ReadonlyArray<Charge>,
  now_ms: number
): ChargeDecision => {
  if (account === undefined) return { ...nothing, outcomes: charges.map(() => Result.fail(unknownKey)) }
  const batch = new ChargeBatch(account, now_ms)
  const outcomes = charges.map((charge, index) => batch.decide(charge, index))
  const { balance, charged_today, entries } = batch
  const wasLow = lowBalance(account, account.balance) !== undefined
  return {
    outcomes,
    balance,
    entries,
    charged_today,
    records: [...batch.records.values()],
    low_balance: wasLow ? undefined : lowBalance(account, balance)
  }
}

/** What webhooks are told of an account with a balance; undefined if that is not low. */
export const lowBalance = (
  {
    environment,
    low_balance_threshold: threshold,
    organization_id
  }: Pick<ChargeableAccount, "environment" | "low_balance_threshold" | "organization_id">,
  balance: number
): LowBalance | undefined =>
  threshold === null || balance >= threshold ? undefined : { organization_id, environment, balance, threshold }

/** What a grant of a reference comes to that was granted before: the receipt of then, or `Conflict` for another amount. */
export const repeatedGrant = (
  former: Pick<GrantReceipt, "balance" | "entry_id"> & { readonly amount: number },
  amount: number
): Result.Result<GrantReceipt, Conflict> =>
  former.amount === amount
    ? Result.succeed({ entry_id: former.entry_id, balance: former.balance, repeated: true })
    : Result.fail(otherAmount)

/**
 * Checks an amount of credits. No request is let through with another one, so it is a mistake of the program.
 *
 * @throws RangeError if it is not whole, or less than the minimum
 */
export const assertCredits = (of: "charge" | "grant" | "threshold", amount: number, minimum: number): void => {
  if (Number.isSafeInteger(amount) && amount >= minimum) return
  throw new RangeError(`the amount of a ${of}: expected whole credits from ${minimum} on, found ${amount}`)
}

const nothing: Omit<ChargeDecision, "outcomes"> = {
  balance: 0,
  entries: [],
  charged_today: new Map(),
  records: [],
  low_balance: undefined
}

/** An account while a batch is decided: later charges see what earlier ones took. */
class ChargeBatch {
  balance: number
  readonly entries: Array<ChargeEntry> = []
  readonly charged_today = new Map<string, number>()
  readonly records = new Map<string, ChangedRecord>()
  private readonly account: ChargeableAccount
  private readonly now_ms: number

  constructor(account: ChargeableAccount, now_ms: number) {
    this.account = account
    this.now_ms = now_ms
    this.balance = account.balance
  }

  decide(charge: Charge, index: number): Result.Result<ChargeReceipt, ChargeRefusal> {
    const key = this.account.findKey(charge.key_id)
    if (key === undefined) return Result.fail(unknownKey)
    const refused = this.refuseKey(key) ?? this.refuseLevel(charge)
    if (refused !== undefined) return Result.fail(refused)
    const record = this.recordOf(charge)
    if (record !== undefined && record.fingerprint !== charge.idempotency?.fingerprint) {
      return Result.fail(new IdempotencyKeyReused())
    }
    const due = Math.max(0, charge.amount - (record?.charged ?? 0))
    const unpaid = this.refuseAmount(key, due)
    if (unpaid !== undefined) return Result.fail(unpaid)
    if (due > 0) this.take(charge, key, due, index)
    if (due > 0 || record === undefined) this.remember(charge, due, record)
    return Result.succeed({ charged: due, balance: this.balance })
  }

  private refuseKey({
    environment,
    expires_at,
    organization_id,
    revoked_at
  }: ChargeableKey): ChargeRefusal | undefined {
    const { account } = this
    const isOfAccount = organization_id === account.organization_id && environment === account.environment
    if (!isOfAccount || revoked_at !== undefined) return unknownKey
    if (expires_at === undefined) return undefined
    return hasExpired(expires_at, new Date(this.now_ms).toISOString()) ? keyExpired : undefined
  }

  private refuseLevel({ level }: Charge): ChargeRefusal | undefined {
    const { environment, organization } = this.account
    const { granted_level, kyb_status } = organization
    const verified = authorizeVerified({ environment, organization_verified: kyb_status === "verified" })
    if (Result.isFailure(verified)) return verified.failure
    return level !== undefined && level > granted_level ? new GrantLowered({ granted_level }) : undefined
  }

  private refuseAmount(key: ChargeableKey, due: number): ChargeRefusal | undefined {
    const { balance } = this
    const { daily_credit_limit: limit } = key
    if (due > 0 && limit !== undefined && this.chargedToday(key.id) + due > limit) {
      return dailyLimitError({ required: due, limit, balance, retry_after_s: untilNextDay_s(this.now_ms) })
    }
    return due > balance ? new InsufficientCredits({ required: due, balance }) : undefined
  }

  private take(charge: Charge, key: ChargeableKey, due: number, index: number): void {
    if (key.daily_credit_limit !== undefined) this.charged_today.set(key.id, this.chargedToday(key.id) + due)
    this.balance -= due
    this.entries.push({ index, charge, amount: -due, balance_after: this.balance })
  }

  private chargedToday(key_id: string): number {
    return this.charged_today.get(key_id) ?? this.account.chargedToday(key_id)
  }

  private recordOf({ idempotency, key_id }: Charge): IdempotencyRecord | undefined {
    if (idempotency === undefined) return undefined
    const record =
      this.records.get(recordName(key_id, idempotency.key)) ?? this.account.findRecord(key_id, idempotency.key)
    return record !== undefined && record.expires_at_ms > this.now_ms ? record : undefined
  }

  /** It counts from its first charge on, however much later ones add. */
  private remember({ idempotency, key_id }: Charge, due: number, record: IdempotencyRecord | undefined): void {
    if (idempotency === undefined) return
    this.records.set(recordName(key_id, idempotency.key), {
      key_id,
      ...idempotency,
      charged: (record?.charged ?? 0) + due,
      expires_at_ms: record?.expires_at_ms ?? this.now_ms + idempotencyRetention_ms
    })
  }
}

/** Ids of keys hold no space. */
const recordName = (key_id: string, key: string): string => `${key_id} ${key}`

/** Seconds until the next day begins in UTC, rounded up. */
const untilNextDay_s = (at_ms: number): number => Math.ceil(((dayOf(at_ms) + 1) * day_ms - at_ms) / 1_000)

const day_ms = 86_400_000
