/**
 * The closed set of the service's errors. They are independent of HTTP: an adapter maps each tag to a status and a code.
 * A message says what was wrong and what would be right; it never contains a key, a token or an identifier.
 */
import type {
  Conflict,
  DailyLimitReached,
  IdempotencyKeyReused,
  InsufficientCredits,
  InvalidApiKey,
  KybRequired,
  OrganizationSuspended,
  PriceAboveDailyLimit
} from "@postcode/core/Credits"
import { Data } from "effect"

// biome-ignore lint/performance/noBarrelFile: one place has the whole set, also the errors that core decides.
export {
  Conflict,
  DailyLimitReached,
  dailyLimitError,
  IdempotencyKeyReused,
  InsufficientCredits,
  InvalidApiKey,
  KybRequired,
  keyExpired,
  notVerified,
  OrganizationSuspended,
  organizationSuspended,
  PriceAboveDailyLimit,
  unknownKey
} from "@postcode/core/Credits"

/** A parameter is missing or malformed. */
export class InvalidParameter extends Data.TaggedError("InvalidParameter")<{
  readonly parameter: string
  readonly message: string
}> {}

/** No key was sent where one is needed. */
export class AuthRequired extends Data.TaggedError("AuthRequired")<{ readonly message: string }> {}

/** The bearer token is not valid here. */
export class InvalidToken extends Data.TaggedError("InvalidToken")<{ readonly message: string }> {}

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
  | "notice"
  | "organization"
  | "passkey"
  | "webhook"

/** The error for an unknown id. */
export const notFound = (what: ResourceKind): NotFound => new NotFound({ message: `there is no ${what} with this id` })

/** The changes since this version of the directory can no longer be read. */
export class VersionExpired extends Data.TaggedError("VersionExpired")<{ readonly message: string }> {}

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

/** Every error of the use cases. */
export type UseCaseError =
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
