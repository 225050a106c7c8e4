/**
 * All rules about charges and corrections. A store reads an account, calls `decideCharges` or `decideCorrection` and
 * writes the decision, all without another change of the account in between.
 */
import { Result } from "effect"
import {
  Conflict,
  type DailyLimitReached,
  dailyLimitError,
  IdempotencyKeyReused,
  InsufficientCredits,
  type InvalidApiKey,
  type KybRequired,
  keyExpired,
  notVerified,
  type OrganizationSuspended,
  organizationSuspended,
  type PriceAboveDailyLimit,
  unknownKey
} from "../Errors.ts"
import type { AccessLevel } from "../levels/AccessLevel.ts"
import {
  type Charge,
  type ChargeReceipt,
  type Correction,
  type CreditAccount,
  type EntryReceipt,
  type Grant,
  GrantLowered,
  idempotencyRetention_ms,
  otherAmount,
  otherCorrection
} from "./Charge.ts"
import type { Environment } from "./Credits.ts"

/** The state of an account before the charges. */
export interface ChargeableAccount extends CreditAccount {
  readonly balance: number
  /** A balance below this is low; null if not set. */
  readonly low_balance_threshold: number | null
  /** Whether `credits.used_up` was sent for a refused charge since credits were added last. */
  readonly is_shortage_reported: boolean
  readonly organization: ChargeableOrganization
  /** The key with an id, also of another account. */
  readonly findKey: (key_id: string) => ChargeableKey | undefined
  /** What is stored for a chain and today, in UTC; undefined if nothing is. Called only for keys with a daily limit. */
  readonly findToday: (chain_id: string) => KeyDay | undefined
  /** The record of a chain and an idempotency key. Expired records are ignored. */
  readonly findRecord: (chain_id: string, key: string) => IdempotencyRecord | undefined
}

/** The facts of an organization that decide whether its keys can be charged. */
export interface ChargeableOrganization {
  /** The highest level that it is served. */
  readonly granted_level: AccessLevel
  /** Neither suspended nor closed. */
  readonly is_active: boolean
  /** See `verificationFault`. */
  readonly is_verified: boolean
}

/** The facts of a key that decide whether it can be charged. */
export interface ChargeableKey extends CreditAccount {
  readonly id: string
  /** Keys of a chain share their days and idempotency records. */
  readonly chain_id: string
  /** Undefined without a limit. */
  readonly daily_credit_limit: number | undefined
  /** Milliseconds since 1970; undefined if it never expires. */
  readonly expires_at_ms: number | undefined
  readonly is_revoked: boolean
}

/**
 * Whether a key has expired: from its time of expiry on.
 *
 * @param expires_at undefined if it never expires; both times are milliseconds since 1970, or ISO 8601 as
 *   `Date.toISOString` writes it, so that string order is time order
 */
export const hasExpired = <Time extends number | string>(expires_at: Time | undefined, now: Time): boolean =>
  expires_at !== undefined && expires_at <= now

/** Why an organization may not use its keys of an environment: live keys need a verified one. Undefined if it may. */
export const verificationFault = (environment: Environment, is_verified: boolean): KybRequired | undefined =>
  environment === "live" && !is_verified ? notVerified : undefined

/** A day of a chain of keys, from 00:00 to 24:00 UTC. */
export interface KeyDay {
  /** Credits charged by its keys with a daily limit. */
  readonly charged: number
  /** The highest limit for which `key.daily_limit_reached` was sent; undefined if it was not. */
  readonly reported_limit?: number | undefined
}

/** Charges under an idempotency key. */
export interface IdempotencyRecord {
  readonly fingerprint: string
  /** Sum of all charges so far, in credits. */
  readonly charged: number
  /** Milliseconds since 1970. */
  readonly expires_at_ms: number
}

/** The reason of a refused charge. */
export type ChargeRefusal =
  | DailyLimitReached
  | GrantLowered
  | IdempotencyKeyReused
  | InsufficientCredits
  | InvalidApiKey
  | KybRequired
  | OrganizationSuspended
  | PriceAboveDailyLimit

/** The outcomes of a batch of charges, and the changes to write. */
export interface ChargeDecision {
  /** One for each charge, in order. */
  readonly outcomes: ReadonlyArray<Result.Result<ChargeReceipt, ChargeRefusal>>
  readonly balance: number
  /** New entries of the ledger, in order. */
  readonly entries: ReadonlyArray<ChargeEntry>
  /** Changed days, by chain. */
  readonly days: ReadonlyMap<string, KeyDay>
  /** New and changed records. */
  readonly records: ReadonlyArray<ChangedRecord>
  readonly is_shortage_reported: boolean
  /** The events for webhooks. */
  readonly events: ReadonlyArray<CreditEvent>
}

/** The data of the events that charges and corrections send, by type. */
export interface CreditEventData {
  /** A balance fell below its threshold. */
  readonly "credits.low": OfAccount & { readonly balance: number; readonly threshold: number }
  /**
   * A balance reached 0; or, once until credits are added, a charge was refused because it costs more than the rest of
   * the balance.
   */
  readonly "credits.used_up": OfAccount & { readonly balance: number }
  /** A charge used up the key's daily limit, or was refused because of it. Once a day for each limit. */
  readonly "key.daily_limit_reached": OfAccount & {
    readonly key_id: string
    readonly daily_credit_limit: number
    readonly credits_today: number
  }
}

// Not an interface: only a type alias is assignable to a record.
type OfAccount = { readonly organization_id: string; readonly environment: Environment }

/** An event that a charge or a correction sends. */
export type CreditEvent = {
  readonly [Type in keyof CreditEventData]: { readonly type: Type; readonly data: CreditEventData[Type] }
}[keyof CreditEventData]

/** An entry to write. */
export interface ChargeEntry {
  /** The index of its charge in the batch. */
  readonly index: number
  readonly charge: Charge
  /** Negative. */
  readonly amount: number
  readonly balance_after: number
}

/** A record to write, with its keys. */
export interface ChangedRecord extends IdempotencyRecord {
  readonly chain_id: string
  readonly key: string
}

/**
 * Decides charges on one account, in order of arrival. Each takes all due credits or nothing: a refused charge changes
 * nothing, and later ones may succeed. `CreditLedger.charge` documents the order of the checks.
 *
 * @param account undefined if it does not exist; then no key is valid
 * @param now_ms the time by the store's clock, in milliseconds since 1970
 */
export const decideCharges = (
  account: ChargeableAccount | undefined,
  charges: ReadonlyArray<Charge>,
  now_ms: number
): ChargeDecision => {
  if (account === undefined) return { ...noChanges, outcomes: charges.map(() => Result.fail(unknownKey)) }
  const batch = new ChargeBatch(account, now_ms)
  const outcomes = charges.map((charge, index) => batch.decide(charge, index))
  const { balance, days, entries, is_shortage_reported } = batch
  return {
    outcomes,
    balance,
    entries,
    days,
    records: [...batch.records.values()],
    is_shortage_reported,
    events: [...batch.events, ...fallen(account, balance)]
  }
}

/** A correction of a balance. */
export interface CorrectionDecision {
  readonly balance: number
  /** The events for webhooks. */
  readonly events: ReadonlyArray<CreditEvent>
}

/** Decides a correction under a new reference. `Conflict` if the balance would be negative. */
export const decideCorrection = (
  account: WatchedAccount & Pick<ChargeableAccount, "balance">,
  { amount }: Pick<Correction, "amount">
): Result.Result<CorrectionDecision, Conflict> => {
  const balance = account.balance + amount
  return balance < 0
    ? Result.fail(
        new Conflict({ message: `amount: the balance is ${account.balance}, and a correction takes at most that` })
      )
    : Result.succeed({ balance, events: fallen(account, balance) })
}

/** An account with its threshold. */
export type WatchedAccount = Pick<ChargeableAccount, "environment" | "low_balance_threshold" | "organization_id">

/** The event of an account with a balance; none if the balance is not low. */
export const lowBalance = (
  { environment, low_balance_threshold: threshold, organization_id }: WatchedAccount,
  balance: number
): ReadonlyArray<CreditEvent> =>
  threshold === null || balance >= threshold
    ? []
    : [{ type: "credits.low", data: { organization_id, environment, balance, threshold } }]

/** The events of a new balance: if it is low and was not, and if it is 0 and was not. */
const fallen = (
  account: WatchedAccount & Pick<ChargeableAccount, "balance">,
  balance: number
): ReadonlyArray<CreditEvent> => [
  ...(lowBalance(account, account.balance).length > 0 ? [] : lowBalance(account, balance)),
  ...(account.balance > 0 && balance === 0 ? [usedUp(account, 0)] : [])
]

const usedUp = ({ environment, organization_id }: CreditAccount, balance: number): CreditEvent => ({
  type: "credits.used_up",
  data: { organization_id, environment, balance }
})

/** The result of repeating a grant's reference: its first receipt, or `Conflict` for another amount. */
export const repeatedGrant = (
  former: FormerReceipt & Pick<Grant, "amount">,
  amount: number
): Result.Result<EntryReceipt, Conflict> =>
  former.amount === amount ? Result.succeed(repeatedReceipt(former)) : Result.fail(otherAmount)

/** The result of repeating a correction's reference: its first receipt, or `Conflict` for other content. */
export const repeatedCorrection = (
  former: FormerReceipt & CorrectionContent,
  { amount, kind, note }: CorrectionContent
): Result.Result<EntryReceipt, Conflict> =>
  former.amount === amount && former.kind === kind && former.note === note
    ? Result.succeed(repeatedReceipt(former))
    : Result.fail(otherCorrection)

/** The receipt of an earlier entry. */
type FormerReceipt = Omit<EntryReceipt, "repeated">

/** The content of a correction, which a repetition with the same reference must have, too. */
export type CorrectionContent = Pick<Correction, "amount" | "kind" | "note">

const repeatedReceipt = ({ balance, entry_id }: FormerReceipt): EntryReceipt => ({ entry_id, balance, repeated: true })

/**
 * Checks an amount of credits. Requests are validated before, so an invalid amount is a bug.
 *
 * @throws RangeError if it is not a whole number, or below the minimum
 */
export const assertCredits = (
  of: "charge" | "correction" | "grant" | "threshold",
  amount: number,
  minimum: number
): void => {
  if (Number.isSafeInteger(amount) && amount >= minimum) return
  throw new RangeError(`the amount of a ${of}: expected whole credits from ${minimum} on, found ${amount}`)
}

const noChanges: Omit<ChargeDecision, "outcomes"> = {
  balance: 0,
  entries: [],
  days: new Map(),
  records: [],
  is_shortage_reported: false,
  events: []
}

/** The state of an account within a batch: later charges see earlier ones. */
class ChargeBatch {
  balance: number
  is_shortage_reported: boolean
  readonly entries: Array<ChargeEntry> = []
  readonly days = new Map<string, KeyDay>()
  readonly records = new Map<string, ChangedRecord>()
  readonly events: Array<CreditEvent> = []
  private readonly account: ChargeableAccount
  private readonly now_ms: number

  constructor(account: ChargeableAccount, now_ms: number) {
    this.account = account
    this.now_ms = now_ms
    this.balance = account.balance
    this.is_shortage_reported = account.is_shortage_reported
  }

  decide(charge: Charge, index: number): Result.Result<ChargeReceipt, ChargeRefusal> {
    const key = this.account.findKey(charge.key_id)
    if (key === undefined) return Result.fail(unknownKey)
    const refused = this.refuseKey(key) ?? this.refuseOrganization(charge)
    if (refused !== undefined) return Result.fail(refused)
    const record = this.recordOf(charge, key)
    if (record !== undefined && record.fingerprint !== charge.idempotency?.fingerprint) {
      return Result.fail(new IdempotencyKeyReused())
    }
    const due = Math.max(0, charge.amount - (record?.charged ?? 0))
    const unpaid = this.refuseAmount(key, due)
    if (unpaid !== undefined) return Result.fail(unpaid)
    if (due > 0) this.take(charge, key, due, index)
    if (due > 0 || record === undefined) this.remember(charge, key, due, record)
    return Result.succeed({ charged: due, balance: this.balance })
  }

  private refuseKey({
    environment,
    expires_at_ms,
    is_revoked,
    organization_id
  }: ChargeableKey): ChargeRefusal | undefined {
    const { account } = this
    const isOfAccount = organization_id === account.organization_id && environment === account.environment
    if (!isOfAccount || is_revoked) return unknownKey
    return hasExpired(expires_at_ms, this.now_ms) ? keyExpired : undefined
  }

  private refuseOrganization({ level }: Charge): ChargeRefusal | undefined {
    const { environment, organization } = this.account
    const { granted_level, is_active, is_verified } = organization
    if (!is_active) return organizationSuspended
    const unverified = verificationFault(environment, is_verified)
    if (unverified !== undefined) return unverified
    return level !== undefined && level > granted_level ? new GrantLowered({ granted_level }) : undefined
  }

  private refuseAmount(key: ChargeableKey, due: number): ChargeRefusal | undefined {
    const { balance } = this
    const { daily_credit_limit: limit } = key
    const today = this.todayOf(key)
    if (due > 0 && limit !== undefined && today.charged + due > limit) {
      const refused = dailyLimitError({ required: due, limit, balance, retry_after_s: untilNextDay_s(this.now_ms) })
      if (refused._tag === "DailyLimitReached") this.reachLimit(key, limit, today)
      return refused
    }
    if (due <= balance) return undefined
    this.reportShortage()
    return new InsufficientCredits({ required: due, balance })
  }

  /** Sends one event for the rest of a balance that is not enough. At 0, the change to 0 was reported. */
  private reportShortage(): void {
    const { account, balance } = this
    if (balance === 0 || this.is_shortage_reported) return
    this.is_shortage_reported = true
    this.events.push(usedUp(account, balance))
  }

  private take(charge: Charge, key: ChargeableKey, due: number, index: number): void {
    this.balance -= due
    this.entries.push({ index, charge, amount: -due, balance_after: this.balance })
    const { daily_credit_limit: limit } = key
    if (limit === undefined) return
    const { charged, reported_limit } = this.todayOf(key)
    const today = { charged: charged + due, reported_limit }
    this.days.set(key.chain_id, today)
    if (today.charged === limit) this.reachLimit(key, limit, today)
  }

  private todayOf(key: ChargeableKey): KeyDay {
    if (key.daily_credit_limit === undefined) return unusedDay
    const { chain_id } = key
    return this.days.get(chain_id) ?? this.account.findToday(chain_id) ?? unusedDay
  }

  /** Sends one event a day for each limit, at the first charge that uses it up or exceeds it. */
  private reachLimit(key: ChargeableKey, limit: number, { charged, reported_limit = 0 }: KeyDay): void {
    if (reported_limit >= limit) return
    this.days.set(key.chain_id, { charged, reported_limit: limit })
    const { environment, organization_id } = this.account
    const data = { organization_id, environment, key_id: key.id, daily_credit_limit: limit, credits_today: charged }
    this.events.push({ type: "key.daily_limit_reached", data })
  }

  private recordOf({ idempotency }: Charge, key: ChargeableKey): IdempotencyRecord | undefined {
    if (idempotency === undefined) return undefined
    const { chain_id } = key
    const record =
      this.records.get(recordName(chain_id, idempotency.key)) ?? this.account.findRecord(chain_id, idempotency.key)
    return record !== undefined && record.expires_at_ms > this.now_ms ? record : undefined
  }

  /** The record expires 24 hours after its first charge; later charges do not extend it. */
  private remember(
    { idempotency }: Charge,
    key: ChargeableKey,
    due: number,
    record: IdempotencyRecord | undefined
  ): void {
    if (idempotency === undefined) return
    const { chain_id } = key
    this.records.set(recordName(chain_id, idempotency.key), {
      chain_id,
      ...idempotency,
      charged: (record?.charged ?? 0) + due,
      expires_at_ms: record?.expires_at_ms ?? this.now_ms + idempotencyRetention_ms
    })
  }
}

const unusedDay: KeyDay = { charged: 0 }

/** Unambiguous, because ids contain no spaces. */
const recordName = (chain_id: string, key: string): string => `${chain_id} ${key}`

/** Seconds until the next day begins in UTC, rounded up. */
const untilNextDay_s = (at_ms: number): number => Math.ceil((day_ms - (at_ms % day_ms)) / 1_000)

const day_ms = 86_400_000
