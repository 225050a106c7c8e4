/** The only table from errors to answers: tag → status and code. */
import { type ErrorBody, type ErrorCode, type ErrorStatus, errorCodes, type OAuthErrorCode } from "@postcode/api"
import type { UseCaseError } from "@postcode/gateway/Errors"
import { Data } from "effect"

/** The body as a whole is invalid, not one of its fields. */
export class InvalidBody extends Data.TaggedError("InvalidBody")<{ readonly message: string }> {}

/** The bytes are not a valid HTTP request. */
export class InvalidRequest extends Data.TaggedError("InvalidRequest")<{ readonly message: string }> {}

/** The body is too long. */
export class PayloadTooLarge extends Data.TaggedError("PayloadTooLarge")<{ readonly message: string }> {}

/** The media type, charset or encoding of the body is not supported. */
export class UnsupportedMediaType extends Data.TaggedError("UnsupportedMediaType")<{ readonly message: string }> {}

/** The path exists, but does not support this method. */
export class MethodNotAllowed extends Data.TaggedError("MethodNotAllowed")<{
  readonly allow: string
  readonly message: string
}> {}

/** A refusal in the words of OAuth, only of endpoints that speak it. */
export class OAuthRefused extends Data.TaggedError("OAuthRefused")<{
  readonly error: OAuthErrorCode
  readonly message: string
}> {}

/** All failures of a request, except defects. */
export type GatewayError =
  | UseCaseError
  | InvalidBody
  | InvalidRequest
  | PayloadTooLarge
  | UnsupportedMediaType
  | MethodNotAllowed
  | OAuthRefused

/** Status and code of each error. */
export const errorTable = {
  InvalidParameter: [400, "invalid_parameter"],
  InvalidBody: [400, "invalid_body"],
  InvalidRequest: [400, "invalid_parameter"],
  OAuthRefused: [400, "invalid_parameter"],
  PriceAboveDailyLimit: [400, "invalid_parameter"],
  AuthRequired: [401, "auth_required"],
  InvalidApiKey: [401, "invalid_api_key"],
  InvalidToken: [401, "invalid_token"],
  InsufficientCredits: [402, "insufficient_credits"],
  DailyLimitReached: [429, "rate_limit_exceeded"],
  InsufficientScope: [403, "insufficient_scope"],
  LevelNotGranted: [403, "level_not_granted"],
  OriginNotAllowed: [403, "origin_not_allowed"],
  AddressNotAllowed: [403, "address_not_allowed"],
  KeyTypeNotAllowed: [403, "key_type_not_allowed"],
  KybRequired: [403, "kyb_required"],
  OrganizationSuspended: [403, "organization_suspended"],
  NotFound: [404, "not_found"],
  MethodNotAllowed: [405, "method_not_allowed"],
  Conflict: [409, "conflict"],
  VersionExpired: [410, "version_expired"],
  PayloadTooLarge: [413, "payload_too_large"],
  UnsupportedMediaType: [415, "unsupported_media_type"],
  IdempotencyKeyReused: [422, "idempotency_key_reused"],
  RateLimitExceeded: [429, "rate_limit_exceeded"],
  SessionLimitReached: [429, "rate_limit_exceeded"],
  Unavailable: [503, "service_unavailable"]
} as const satisfies Record<GatewayError["_tag"], readonly [ErrorStatus, ErrorCode]>

/** The response to a failure, before the conventions' headers. */
export interface Failure {
  readonly status: number
  readonly body: ErrorBody
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The answer to an error: status, envelope, and the headers of this error only.
 *
 * @param support_contact the operator's, which errors name that only the operator can help with
 */
export const toFailure = (error: GatewayError, support_contact?: string): Failure => {
  const [status, code] = errorTable[error._tag]
  const isForOperator = error._tag === "KybRequired" || error._tag === "InsufficientCredits"
  const contact = isForOperator && support_contact !== undefined ? `; questions: ${support_contact}` : ""
  return { status, body: { error: { code, message: error.message + contact } }, headers: ownHeaders(error) }
}

/** The answer to a defect. It does not reveal the cause, which the log has under the request id. */
export const internalError: Failure = {
  status: 500,
  body: {
    error: { code: errorCodes[500][0], message: "the service failed; the log has the cause under the request id" }
  },
  headers: {}
}

const ownHeaders = (error: GatewayError): Readonly<Record<string, string>> => {
  switch (error._tag) {
    case "MethodNotAllowed":
      return { allow: error.allow }
    case "RateLimitExceeded":
    case "SessionLimitReached":
    case "Unavailable":
      return { "retry-after": String(error.retry_after_s) }
    case "DailyLimitReached":
      return { "retry-after": String(error.retry_after_s), ...nothingCharged(error.balance) }
    case "InsufficientCredits":
      return nothingCharged(error.balance)
    default:
      return noHeaders
  }
}

/** Without a balance that the caller may see, no credit headers are sent. */
const nothingCharged = (balance: number | undefined): Readonly<Record<string, string>> =>
  balance === undefined ? noHeaders : { "x-credits-charged": "0", "x-credits-remaining": String(balance) }

const noHeaders = {}
