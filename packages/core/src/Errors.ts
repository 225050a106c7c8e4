/**
 * The closed set of errors that core answers with. They know nothing of HTTP: an adapter maps each tag to its own
 * status and code. A message says what was wrong and what would be right; it never holds a key, a token or an
 * identifier.
 */
import { Data } from "effect"

/** A parameter is missing or malformed. */
export class InvalidParameter extends Data.TaggedError("InvalidParameter")<{
  readonly parameter: string
  readonly message: string
}> {}

/** No key was sent where one is needed. */
export class AuthenticationRequired extends Data.TaggedError("AuthenticationRequired")<{ readonly message: string }> {}

/** A key was sent that is malformed, unknown, revoked or expired. */
export class InvalidApiKey extends Data.TaggedError("InvalidApiKey")<{ readonly message: string }> {}

/** A bearer token was sent that is not in force here. */
export class InvalidToken extends Data.TaggedError("InvalidToken")<{ readonly message: string }> {}

/**
 * The account does not hold what the answer costs; nothing was charged. Amounts in credits. The balance is undefined where
 * the caller may not see it, and the message has no numbers then.
 */
export class InsufficientCredits extends Data.TaggedError("InsufficientCredits")<{
  readonly required: number
  readonly balance: number | undefined
}> {
  override get message(): string {
    if (this.balance === undefined) return "the account has too few credits for this request: nothing was charged"
    return `this request costs ${inCredits(this.required)} and the balance is ${this.balance}: nothing was charged`
  }
}

/**
 * The charge would bring what its key has charged today above the key's own limit; nothing was charged. Amounts in
 * credits; the balance is undefined where the caller may not see it, and the message names no amount then. The day ends
 * after `retry_after_s` seconds.
 */
export class DailyLimitReached extends Data.TaggedError("DailyLimitReached")<{
  readonly required: number
  readonly limit: number
  readonly balance: number | undefined
  readonly retry_after_s: number
}> {
  override get message(): string {
    const nextDay = `the next day begins at 00:00 UTC, in ${this.retry_after_s} s`
    if (this.balance === undefined) return `this key may charge no more today: nothing was charged; ${nextDay}`
    return `this key may charge ${inCredits(this.limit)} a day, and this request, which costs ${this.required}, would exceed it: nothing was charged; ${nextDay}`
  }
}

/**
 * The request alone costs more than its key may charge in a day, so it succeeds on no day and with no balance; nothing was
 * charged. Amounts in credits.
 */
export class PriceAboveDailyLimit extends Data.TaggedError("PriceAboveDailyLimit")<{
  readonly required: number
  readonly limit: number
}> {
  override get message(): string {
    return `daily_credit_limit: this request costs ${inCredits(this.required)} and its key may charge ${inCredits(this.limit)} a day, so it fails on every day: nothing was charged; request less at once, or use a key with a higher limit`
  }
}

/** What a charge fails with that its key's daily limit refuses. */
export const dailyLimitError = (
  refused: Pick<DailyLimitReached, "balance" | "limit" | "required" | "retry_after_s">
): DailyLimitReached | PriceAboveDailyLimit =>
  refused.required > refused.limit
    ? new PriceAboveDailyLimit({ required: refused.required, limit: refused.limit })
    : new DailyLimitReached(refused)

/** The key lacks the scope that the request needs. */
export class InsufficientScope extends Data.TaggedError("InsufficientScope")<{ readonly message: string }> {}

/** The level asked for is above what is allowed. */
export class InsufficientLevel extends Data.TaggedError("InsufficientLevel")<{ readonly message: string }> {}

/** A publishable key was used from a web origin that it does not list. */
export class OriginNotAllowed extends Data.TaggedError("OriginNotAllowed")<{ readonly message: string }> {}

/** The kind of the key is not the one that the request needs. */
export class KeyTypeNotAllowed extends Data.TaggedError("KeyTypeNotAllowed")<{ readonly message: string }> {}

/** Live keys need a verified business. */
export class KybRequired extends Data.TaggedError("KybRequired")<{ readonly message: string }> {}

/** There is nothing under the id that was given. */
export class NotFound extends Data.TaggedError("NotFound")<{ readonly message: string }> {}

/** What has an id. */
export type Thing =
  | "access request"
  | "account"
  | "delivery"
  | "end user"
  | "invitation"
  | "key"
  | "organization"
  | "passkey"
  | "webhook"

/** What an id fails with that leads nowhere. */
export const notFound = (what: Thing): NotFound => new NotFound({ message: `there is no ${what} with this id` })

/** The request contradicts what is already there. */
export class Conflict extends Data.TaggedError("Conflict")<{ readonly message: string }> {}

/** Another request was sent under the same Idempotency-Key before. */
export class IdempotencyKeyReused extends Data.TaggedError("IdempotencyKeyReused") {
  override get message(): string {
    return "this Idempotency-Key was used for another request in the last 24 hours: take a new one for each request"
  }
}

/** Too many requests; the next one may pass after `retry_after_s` seconds. */
export class RateLimitExceeded extends Data.TaggedError("RateLimitExceeded")<{ readonly retry_after_s: number }> {
  override get message(): string {
    return `too many requests: try again in ${this.retry_after_s} s`
  }
}

/** A store is out of reach; nothing was changed or charged that the caller could not repeat safely. */
export class Unavailable extends Data.TaggedError("Unavailable")<{ readonly retry_after_s: number }> {
  override get message(): string {
    return `the service is not available right now: try again in ${this.retry_after_s} s`
  }
}

/** Every error that an operation of core can end in. */
export type CoreError =
  | InvalidParameter
  | AuthenticationRequired
  | InvalidApiKey
  | InvalidToken
  | InsufficientCredits
  | DailyLimitReached
  | PriceAboveDailyLimit
  | InsufficientScope
  | InsufficientLevel
  | OriginNotAllowed
  | KeyTypeNotAllowed
  | KybRequired
  | NotFound
  | Conflict
  | IdempotencyKeyReused
  | RateLimitExceeded
  | Unavailable

const inCredits = (amount: number): string => (amount === 1 ? "1 credit" : `${amount} credits`)
