/**
 * Starts a widget session: identifier, kind of key, limits, proof, token, audit entry, and last the charge. No account is
 * looked up, so neither the answer nor its timing depends on one.
 */

import type { Charge } from "@postcode/core/Credits"
import { Effect, type Redacted } from "effect"
import { AuditLog } from "../../audit/AuditLog.ts"
import { type AuditEntry, newId, timestamp } from "../../audit/audit.ts"
import type { CreditLedger } from "../../credits/CreditLedger.ts"
import { chargeKey, type Receipt } from "../../credits/charges/chargeKey.ts"
import { idempotencyOf } from "../../credits/idempotency.ts"
import { Prices } from "../../credits/Prices.ts"
import { KeyTypeNotAllowed, type UseCaseError } from "../../Errors.ts"
import type { Principal } from "../../keys/ApiKey.ts"
import { RateLimiter } from "../../limits/RateLimiter.ts"
import { takeFromLimit } from "../../limits/takeFromLimit.ts"
import { type IdentifierHashes, Secrets } from "../../store/Secrets.ts"
import { type IdentifierType, readIdentifier } from "../endUsers/EndUserIdentifier.ts"
import type { ProofKeys } from "../endUsers/ProofKeys.ts"
import { proofWithoutIdentifier, proveEndUser } from "../endUsers/proveEndUser.ts"
import type { WidgetSettings } from "../WidgetSettings.ts"
import { SessionTokens } from "./SessionTokens.ts"
import {
  defaultSessionRateLimit_per_minute,
  identifierRateLimit_per_minute,
  sessionLifetime_s,
  type WidgetSession
} from "./WidgetSession.ts"

/** The end user and the caller. */
export interface SessionRequest {
  readonly principal: Principal
  /** Undefined for a visitor without one: the session has the same price and limits, and no bookmarks. */
  readonly identifier: Redacted.Redacted<string> | undefined
  /** The kind of the identifier, if the client sent it; undefined if not. */
  readonly identifier_type: IdentifierType | undefined
  /** With which the organization's server vouches for the end user; undefined without one. */
  readonly proof: Redacted.Redacted<string> | undefined
  /** The web origin of the page; undefined outside a browser. The key's origins were checked before. */
  readonly origin: string | undefined
  /** The client's address for rate limits. */
  readonly address: string
  readonly request_id: string
  readonly idempotency_key: string | undefined
}

/** A session and its charge. */
export interface StartedSession {
  readonly token: Redacted.Redacted<string>
  readonly expires_in_s: number
  readonly receipt: Receipt
}

/**
 * Starts a session for a known or unknown end user.
 *
 * The audit entry is written before the charge, because nothing after the charge may fail. So a session whose charge
 * fails has an audit entry, too.
 *
 * @param addressLimit sessions per minute for one address
 */
export const startSession = (
  addressLimit = defaultSessionRateLimit_per_minute
): Effect.Effect<
  (request: SessionRequest) => Effect.Effect<StartedSession, UseCaseError>,
  never,
  AuditLog | CreditLedger | ProofKeys | RateLimiter | Secrets | SessionTokens | WidgetSettings
> =>
  Effect.gen(function* () {
    const auditLog = yield* AuditLog
    const charge = yield* chargeKey
    const prices = yield* Prices
    const secrets = yield* Secrets
    const tokens = yield* SessionTokens
    const identify = yield* newId
    const limit = yield* limitSessions(addressLimit)
    const prove = yield* proveEndUser

    return Effect.fnUntraced(function* (request) {
      const { address, idempotency_key, identifier, identifier_type, origin, principal, proof } = request
      const { chain_id, environment, key_id, kind, organization_id } = principal
      const normalized = yield* Effect.fromResult(readIdentifier(identifier, identifier_type))
      if (proof !== undefined && normalized === undefined) return yield* proofWithoutIdentifier
      if (kind !== "publishable") return yield* publishableOnly
      const identifier_hashes = normalized && secrets.identifierHashes(normalized)
      yield* limit(organization_id, address, identifier_hashes)
      if (proof !== undefined && normalized !== undefined) {
        yield* prove({ proof, organization_id, identifier: normalized })
      }
      const proven = proof === undefined ? {} : ({ proven: true } as const)
      const shared = idempotency_key && { shared_id: secrets.hashSent(`${chain_id ?? key_id} ${idempotency_key}`) }
      const user = { identifier_hashes, ...proven }
      const session: WidgetSession = { key_id, organization_id, environment, origin, ...user, ...shared }
      const token = yield* tokens.sign(session)
      yield* auditLog.append({ id: identify("evt"), at: yield* timestamp, ...entryOf(session) })
      const receipt = yield* Effect.catchTag(
        charge(principal, chargeOf(secrets, request, identifier_hashes, prices.widget_session)),
        "GrantLowered",
        // Only a charge for a level can fail with it.
        Effect.die
      )
      return { token, expires_in_s: sessionLifetime_s, receipt }
    })
  })

const publishableOnly = new KeyTypeNotAllowed({
  message: "widget sessions are started with a publishable key, svc_pk_…: a secret key must not leave your servers"
})

/** Counts a session under its address, then under its identifier within the organization. */
const limitSessions = (addressLimit: number) =>
  Effect.map(
    RateLimiter,
    (limiter) => (organization_id: string, address: string, hashes: IdentifierHashes | undefined) =>
      Effect.andThen(
        takeFromLimit(limiter, `session_address:${address}`, addressLimit),
        // Counted after the address passes and per organization, so that nobody can lock an end user out elsewhere.
        Effect.suspend(() =>
          hashes === undefined
            ? Effect.void
            : takeFromLimit(limiter, `identifier:${organization_id}:${hashes[0]}`, identifierRateLimit_per_minute)
        )
      )
  )

const entryOf = (session: WidgetSession): AuditEntry => ({
  actor: session.key_id,
  action: "widget_session.requested",
  subject: session.identifier_hashes?.[0] ?? session.key_id,
  organization_id: session.organization_id,
  details: {
    environment: session.environment,
    ...(session.proven && { proven: "yes" }),
    ...(session.origin !== undefined && { origin: session.origin })
  }
})

const chargeOf = (
  secrets: Secrets["Service"],
  { idempotency_key, principal, request_id }: SessionRequest,
  identifier_hashes: IdentifierHashes | undefined,
  amount: number
): Charge => ({
  organization_id: principal.organization_id,
  environment: principal.environment,
  key_id: principal.key_id,
  amount,
  reason: "widget_session",
  request_id,
  ...(idempotency_key !== undefined && {
    idempotency: idempotencyOf(secrets, idempotency_key, ["widget_session", ...(identifier_hashes?.slice(0, 1) ?? [])])
  })
})
