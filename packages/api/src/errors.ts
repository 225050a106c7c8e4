/** The format of every error, and the closed table of codes by status. */
import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** Every error code by its HTTP status. The service returns no other. */
export const errorCodes = {
  400: ["invalid_parameter", "invalid_body"],
  401: ["auth_required", "invalid_api_key", "invalid_token"],
  402: ["insufficient_credits"],
  403: [
    "insufficient_scope",
    "level_not_granted",
    "origin_not_allowed",
    "address_not_allowed",
    "key_type_not_allowed",
    "kyb_required",
    "organization_suspended"
  ],
  404: ["not_found"],
  405: ["method_not_allowed"],
  409: ["conflict"],
  410: ["version_expired"],
  413: ["payload_too_large"],
  415: ["unsupported_media_type"],
  422: ["idempotency_key_reused"],
  429: ["rate_limit_exceeded"],
  500: ["internal_error"],
  503: ["service_unavailable"]
} as const

/** An HTTP status of an error. */
export type ErrorStatus = keyof typeof errorCodes

/** The error code, for programs. */
export type ErrorCode = (typeof errorCodes)[ErrorStatus][number]

/** Every error code of the endpoints for OAuth: RFC 6749, 5.2, and RFC 8628, 3.5. Their status is 400. */
export const oauthErrorCodes = [
  "invalid_request",
  "invalid_grant",
  "unsupported_grant_type",
  "authorization_pending",
  "slow_down",
  "access_denied",
  "expired_token"
] as const

/** An error code of an endpoint for OAuth. */
export type OAuthErrorCode = (typeof oauthErrorCodes)[number]

/** The error body: a code for programs, a message for people. */
export interface ErrorBody {
  readonly error: { readonly code: ErrorCode; readonly message: string }
}

const errorAt = <const S extends ErrorStatus>(status: S) =>
  Schema.Struct({ error: Schema.Struct({ code: Schema.Literals(errorCodes[status]), message: Schema.String }) })
    .annotate({ identifier: `Error${status}` })
    .pipe(HttpApiSchema.status(status))

const invalid = errorAt(400)
const unauthorized = errorAt(401)
const paymentRequired = errorAt(402)
const forbidden = errorAt(403)
const notFound = errorAt(404)
const conflict = errorAt(409)
const expired = errorAt(410)
const tooLarge = errorAt(413)
const unsupported = errorAt(415)
const reused = errorAt(422)
const limited = errorAt(429)
const internal = errorAt(500)
const unavailable = errorAt(503)

const oauthRefused = Schema.Struct({ error: Schema.Literals(oauthErrorCodes), error_description: Schema.String })
  .annotate({ identifier: "OAuthError" })
  .pipe(HttpApiSchema.status(400))

/** Errors of every endpoint: a publishable key that is sent from another origin is refused everywhere. */
const always = [invalid, unauthorized, forbidden, limited, internal, unavailable] as const
const withBody = [tooLarge, unsupported] as const
const ofOAuth = [oauthRefused, ...always.filter((error) => error !== invalid)] as const

/** The errors of each kind of endpoint. */
export const failures = {
  read: always,
  oauthRead: ofOAuth,
  oauth: [...ofOAuth, ...withBody],
  write: [...always, ...withBody],
  save: [...always, ...withBody, conflict],
  pricedRead: [...always, paymentRequired, reused],
  changes: [...always, paymentRequired, expired, reused],
  pricedWrite: [...always, ...withBody, paymentRequired, reused],
  managementRead: [...always, notFound],
  managementFind: [...always, ...withBody, notFound],
  managementWrite: [...always, ...withBody, notFound, conflict],
  managementChange: [...always, notFound, conflict]
} as const
