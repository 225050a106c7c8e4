/**
 * The errors of core's decisions. They are independent of HTTP: an adapter maps each tag to a status and a code. A
 * message says what was wrong and what would be right; it never contains a key, a token or an identifier.
 */
import { Data } from "effect"

/**
 * The balance is lower than the cost; nothing was charged. Amounts in credits. `balance` is undefined if the caller may
 * not see it; the message then has no numbers. `buy_url` is the page where the organization buys credits, if there is one.
 */
export class InsufficientCredits extends Data.TaggedError("InsufficientCredits")<{
  readonly required: number
  readonly balance: number | undefined
  readonly buy_url?: string | undefined
}> {
  override get message(): string {
    if (this.balance === undefined) return "the account has too few credits for this request: nothing was charged"
    const buy = this.buy_url === undefined ? "" : `; buy credits at ${this.buy_url}`
    return `this request costs ${inCredits(this.required)} and the balance is ${this.balance}: nothing was charged${buy}`
  }
}

/**
 * The charge would exceed the key's daily limit; nothing was charged. Amounts in credits. `balance` is undefined if the
 * caller may not see it; the message then has no amounts. The day ends after `retry_after_s` seconds.
 */
export class DailyLimitReached extends Data.TaggedError("DailyLimitReached")<{
  readonly required: number
  readonly limit: number
  readonly balance: number | undefined
  readonly retry_after_s: number
}> {
  override get message(): string {
    const nextDay = `the next day begins at 00:00 UTC, in ${this.retry_after_s} s`
    if (this.balance === undefined)
      return `this key has reached its daily credit limit: nothing was charged; ${nextDay}`
    return `this key can spend ${inCredits(this.limit)} a day, and this request costs ${this.required}: nothing was charged; ${nextDay}`
  }
}

/**
 * This one request costs more than the key's daily limit, so it can never succeed; nothing was charged. Amounts in
 * credits.
 */
export class PriceAboveDailyLimit extends Data.TaggedError("PriceAboveDailyLimit")<{
  readonly required: number
  readonly limit: number
}> {
  override get message(): string {
    return `daily_credit_limit: this request costs ${inCredits(this.required)} and its key can spend ${inCredits(this.limit)} a day, so it fails every day: nothing was charged; request less at once, or use a key with a higher limit`
  }
}

/** The error of a charge that the key's daily limit refuses. */
export const dailyLimitError = (
  refused: Pick<DailyLimitReached, "balance" | "limit" | "required" | "retry_after_s">
): DailyLimitReached | PriceAboveDailyLimit =>
  refused.required > refused.limit
    ? new PriceAboveDailyLimit({ required: refused.required, limit: refused.limit })
    : new DailyLimitReached(refused)

/** The Idempotency-Key was already used for another request. */
export class IdempotencyKeyReused extends Data.TaggedError("IdempotencyKeyReused") {
  override get message(): string {
    return "this Idempotency-Key was used for another request in the last 24 hours: use a new one for each request"
  }
}

/** A key was sent that is malformed, unknown, revoked or expired. */
export class InvalidApiKey extends Data.TaggedError("InvalidApiKey")<{ readonly message: string }> {}

/** The error for a well-formed key that is unknown or revoked. */
export const unknownKey = new InvalidApiKey({ message: "the API key is unknown or revoked" })

/** The error for an expired key. Only a caller with the whole key gets it. */
export const keyExpired = new InvalidApiKey({ message: "the API key has expired: create a new one" })

/** Live keys need a verified business. */
export class KybRequired extends Data.TaggedError("KybRequired")<{ readonly message: string }> {}

/** The error for a live key of an unverified organization. */
export const notVerified = new KybRequired({
  message: "the organization of this live key is not verified: have its business verified, or use a test key"
})

/** The organization is suspended or closed. */
export class OrganizationSuspended extends Data.TaggedError("OrganizationSuspended")<{ readonly message: string }> {}

/** The error for a key, or a widget session, of a suspended organization. */
export const organizationSuspended = new OrganizationSuspended({
  message:
    "the organization of this key is suspended: its members see the reason in the console, and only the operator of this service can resume it"
})

/** The request conflicts with the current state. */
export class Conflict extends Data.TaggedError("Conflict")<{ readonly message: string }> {}

const inCredits = (amount: number): string => (amount === 1 ? "1 credit" : `${amount} credits`)
