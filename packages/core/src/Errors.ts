/**
 * The closed set of core's errors. They are independent of HTTP: an adapter maps each tag to a status and a code. A
 * message says what was wrong and what would be right; it never contains a key, a token or an identifier.
 */
import { Data } from "effect"

/** A parameter is missing or malformed. */
export class InvalidParameter extends Data.TaggedError("InvalidParameter")<{
  readonly parameter: string
  readonly message: string
}> {}

/** No key was sent where one is needed. */
export class AuthRequired extends Data.TaggedError("AuthRequired")<{ readonly message: string }> {}

/** A key was sent that is malformed, unknown, revoked or expired. */
export class InvalidApiKey extends Data.TaggedError("InvalidApiKey")<{ readonly message: string }> {}

/** The bearer token is not valid here. */
export class InvalidToken extends Data.TaggedError("InvalidToken")<{ readonly message: string }> {}

/**
 * The balance is lower than the cost; nothing was charged. Amounts in credits. `balance` is undefined if the caller may
 * not see it; the message then has no numbers.
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

/** The key lacks the scope that the request needs. */
export class InsufficientScope extends Data.TaggedError("InsufficientScope")<{ readonly message: string }> {}

/** The requested level is above the permitted one. */
export class LevelNotGranted extends Data.TaggedError("LevelNotGranted")<{ readonly message: string }> {}

/** A publishable key was used from a web origin that is not in its list. */
export class OriginNotAllowed extends Data.TaggedError("OriginNotAllowed")<{ readonly message: string }> {}

/** A secret key was used from an IP address that is not in its list. */
export class AddressNotAllowed extends Data.TaggedError("AddressNotAllowed")<{ readonly message: string }> {}

/** The request needs another kind of key. */
export class KeyTypeNotAllowed extends Data.TaggedError("KeyTypeNotAllowed")<{ readonly message: string }> {}

/** Live keys need a verified business. */
export class KybRequired extends Data.TaggedError("KybRequired")<{ readonly message: string }> {}

/** The organization is suspended or closed. */
export class OrganizationSuspended extends Data.TaggedError("OrganizationSuspended")<{ readonly message: string }> {}

/** No resource has the given id. */
export class NotFound extends Data.TaggedError("NotFound")<{ readonly message: string }> {}

/** A kind of resource with an id. */
export type ResourceKind =
  | "access request"
  | "account"
  | "delivery"
  | "end user"
  | "invitation"
  | "key"
  | "management key"
  | "organization"
  | "passkey"
  | "webhook"

/** The error for an unknown id. */
export const notFound = (what: ResourceKind): NotFound => new NotFound({ message: `there is no ${what} with this id` })

/** The changes since this version of the directory can no longer be read. */
export class VersionExpired extends Data.TaggedError("VersionExpired")<{ readonly message: string }> {}

/** The request conflicts with the current state. */
export class Conflict extends Data.TaggedError("Conflict")<{ readonly message: string }> {}

/** The Idempotency-Key was already used for another request. */
export class IdempotencyKeyReused extends Data.TaggedError("IdempotencyKeyReused") {
  override get message(): string {
    return "this Idempotency-Key was used for another request in the last 24 hours: use a new one for each request"
  }
}

/** Too many requests; retry after `retry_after_s` seconds. */
export class RateLimitExceeded extends Data.TaggedError("RateLimitExceeded")<{ readonly retry_after_s: number }> {
  override get message(): string {
    return `too many requests: try again in ${this.retry_after_s} s`
  }
}

/**
 * A widget session has made as many calls of a kind as it may. It ends within `retry_after_s` seconds; another session
 * can call at once.
 */
export class SessionLimitReached extends Data.TaggedError("SessionLimitReached")<{
  readonly limit: number
  /** The limited calls, in the plural. */
  readonly calls: string
  readonly retry_after_s: number
}> {
  override get message(): string {
    return `this session has made its ${this.limit} ${this.calls}: start another session`
  }
}

/** A store is unavailable. Repeating the request is safe. */
export class Unavailable extends Data.TaggedError("Unavailable")<{ readonly retry_after_s: number }> {
  override get message(): string {
    return `the service is not available right now: try again in ${this.retry_after_s} s`
  }
}

/** Every error of core's use cases. */
export type CoreError =
  | InvalidParameter
  | AuthRequired
  | InvalidApiKey
  | InvalidToken
  | InsufficientCredits
  | DailyLimitReached
  | PriceAboveDailyLimit
  | InsufficientScope
  | LevelNotGranted
  | OriginNotAllowed
  | AddressNotAllowed
  | KeyTypeNotAllowed
  | KybRequired
  | OrganizationSuspended
  | NotFound
  | VersionExpired
  | Conflict
  | IdempotencyKeyReused
  | RateLimitExceeded
  | SessionLimitReached
  | Unavailable

const inCredits = (amount: number): string => (amount === 1 ? "1 credit" : `${amount} credits`)
