/** The first two checks of every request: the key with its web origin, and the rate limits. */

import {
  type AddressNotAllowed,
  type InvalidApiKey,
  InvalidParameter,
  type OrganizationSuspended,
  type OriginNotAllowed,
  RateLimitExceeded,
  type Unavailable
} from "@postcode/gateway/Errors"
import {
  authorizeActive,
  authorizeAddress,
  authorizeOrigin,
  type KeyKind,
  type Principal
} from "@postcode/gateway/keys/ApiKey"
import type { ApiKeys } from "@postcode/gateway/keys/ApiKeys"
import { authenticate } from "@postcode/gateway/keys/authenticate"
import {
  defaultOrganizationRateLimit_per_minute,
  defaultPublishableRateLimit_per_minute,
  defaultRateLimit_per_minute,
  type RateDecision,
  type RateLimit,
  RateLimiter,
  type RateSubject
} from "@postcode/gateway/limits/RateLimiter"
import type { Secrets } from "@postcode/gateway/store/Secrets"
import { Effect, Exit, Result } from "effect"
import type { Addresses } from "../input/ClientAddress.ts"
import type { HttpRequest } from "../server/HttpMessage.ts"

/** The default limits, in requests a minute. */
export interface AdmissionOptions {
  /** Of a secret key that sets no limit; 600 by default. */
  readonly keyRateLimit_per_minute?: number | undefined
  /** Of a publishable key that sets no limit, from all addresses together; 6,000 by default. */
  readonly publishableKeyRateLimit_per_minute?: number | undefined
  /** Of an organization that sets no limit, over all its keys; 6,000 by default. */
  readonly organizationRateLimit_per_minute?: number | undefined
  /** Of an address that sends no key, a publishable key or a refused one; 600 by default. */
  readonly addressRateLimit_per_minute?: number | undefined
}

/** The default limits, in requests a minute. */
export interface RateLimits {
  readonly keys: Readonly<Record<KeyKind, number>>
  readonly organization: number
  readonly address: number
}

export const rateLimitsOf = (options: AdmissionOptions): RateLimits => ({
  keys: {
    secret: options.keyRateLimit_per_minute ?? defaultRateLimit_per_minute,
    publishable: options.publishableKeyRateLimit_per_minute ?? defaultPublishableRateLimit_per_minute
  },
  organization: options.organizationRateLimit_per_minute ?? defaultOrganizationRateLimit_per_minute,
  address: options.addressRateLimit_per_minute ?? defaultRateLimit_per_minute
})

/** The key that was sent: none, active, or refused. One that cannot be checked now counts as none. */
export type Identified = Result.Result<Principal | undefined, InvalidApiKey>

/** The kinds of rate limits. */
export type LimitedBy = "address" | "key" | "organization"

/** Why an active key is refused on every endpoint. */
type Forbidden = AddressNotAllowed | OrganizationSuspended | OriginNotAllowed

export interface Admission {
  readonly identified: Identified
  /** The web origin of the page that sent the request; undefined without a browser. */
  readonly origin: string | undefined
  /** Set if the key is active, and must not be used now, from this origin or from this address. */
  readonly forbidden: Forbidden | undefined
  /** Set if the key could not be checked. */
  readonly unchecked: Unavailable | undefined
  /**
   * Of the limits that apply, the one that refuses the request, or the one with the fewest requests left. Replaced when a
   * batch counts its items.
   */
  decision: RateDecision
  /** The limit that refuses this request. */
  limited: LimitedBy | undefined
  /** Counts further requests under the same limits. */
  readonly countMore: (cost: number) => Effect.Effect<Counted>
}

/**
 * Counts the items of a batch after the first one, which was counted as the request. Fails if a limit refuses them; if
 * it could never allow so many, with `InvalidParameter`.
 *
 * @param parameter the list of items in the body
 */
export const countItems = (
  admission: Admission,
  parameter: string,
  items: number
): Effect.Effect<void, InvalidParameter | RateLimitExceeded> =>
  Effect.flatMapEager(admission.countMore(items - 1), ({ decision, limited }): Refusable => {
    admission.decision = decision
    admission.limited = limited
    if (limited === undefined) return Exit.void
    const { limit, retry_after_s } = decision
    if (items <= limit) return Exit.fail(new RateLimitExceeded({ retry_after_s }))
    const message = `${parameter}: each of them counts as one request, and ${limit} requests a minute are allowed: send at most ${limit}`
    return Exit.fail(new InvalidParameter({ parameter, message }))
  })

/**
 * Checks the key and its origin, then counts the request.
 *
 * Each limit counts what the one before it allows. A request with a secret key counts under the key and then under its
 * organization, which bounds all its keys together. A publishable key is public on web pages, so anyone can send it:
 * its requests count under the address first, as without a key. They use a separate window of the organization, so that
 * visitors do not consume the quota of its servers. A request whose key or origin is refused counts under the address
 * alone: this limits guessing, and pages of other origins cannot exhaust the quota of a key. The same applies to keys of
 * suspended organizations. While keys cannot be
 * checked, requests with a key are admitted as anonymous, because free requests need no store; `Dispatch` handles the
 * others.
 */
export const makeAdmission = (
  limits: RateLimits,
  addresses: Addresses
): Effect.Effect<
  /**
   * @param origin the web origin that the key must allow; undefined without a browser
   * @param free whether to read the limits without counting. A refused key or origin always counts
   */
  (request: HttpRequest, origin: string | undefined, free: boolean) => Effect.Effect<Admission>,
  never,
  ApiKeys | RateLimiter | Secrets
> =>
  Effect.gen(function* () {
    const identify = yield* authenticate
    const count = makeCount(yield* RateLimiter, limits, addresses.subjectOf)

    return (request, origin, free) => {
      const key = request.header("x-api-key")
      const checking: Effect.Effect<Checked> = key === undefined ? anonymous : Effect.result(identify(key))
      return Effect.flatMapEager(checking, (checked) => {
        const unchecked =
          Result.isFailure(checked) && checked.failure._tag === "Unavailable" ? checked.failure : undefined
        const identified = unchecked === undefined ? (checked as Identified) : withoutKey
        const principal = Result.isSuccess(identified) ? identified.success : undefined
        const forbidden = principal === undefined ? undefined : refuse(principal, origin, () => addresses.of(request))
        const isRefused = Result.isFailure(identified) || forbidden !== undefined
        const countMore = (cost: number) => count(request, isRefused ? undefined : principal, cost)
        return Effect.mapEager(countMore(free && !isRefused ? 0 : 1), ({ decision, limited }) => ({
          identified,
          origin,
          forbidden,
          unchecked,
          decision,
          limited,
          countMore
        }))
      })
    }
  })

type Refusable = Exit.Exit<void, InvalidParameter | RateLimitExceeded>
type Checked = Result.Result<Principal | undefined, InvalidApiKey | Unavailable>
interface Counted {
  readonly decision: RateDecision
  readonly limited: LimitedBy | undefined
}

/** Counts a request under the limits that apply to its caller. */
const makeCount = (
  limiter: RateLimiter["Service"],
  limits: RateLimits,
  addressOf: (request: HttpRequest) => string
): ((request: HttpRequest, principal: Principal | undefined, cost: number) => Effect.Effect<Counted>) => {
  const ofAddress = (request: HttpRequest): RateLimit => ({
    subject: `address:${addressOf(request)}`,
    limit: limits.address
  })

  /** By chain, so that a key and its successor share one limit while both are active. */
  const ofKey = ({ chain_id, key_id, kind, rate_limit_per_minute }: Principal): RateLimit => ({
    subject: `key:${chain_id ?? key_id}`,
    limit: rate_limit_per_minute ?? limits.keys[kind]
  })

  const ofOrganization = ({ kind, organization_id, organization_rate_limit_per_minute }: Principal): RateLimit => ({
    subject: kind === "secret" ? `organization:${organization_id}` : `organization_visitors:${organization_id}`,
    limit: organization_rate_limit_per_minute ?? limits.organization
  })

  const limitsOf = (request: HttpRequest, principal: Principal | undefined): ReadonlyArray<RateLimit> => {
    if (principal === undefined) return [ofAddress(request)]
    const ofCustomer = [ofKey(principal), ofOrganization(principal)]
    return principal.kind === "secret" ? ofCustomer : [ofAddress(request), ...ofCustomer]
  }

  return (request, principal, cost) =>
    Effect.mapEager(limiter.takeAll(limitsOf(request, principal), cost), ({ decision, subject }) => ({
      decision,
      limited: decision.allowed ? undefined : kindOf(subject)
    }))
}

const kindOf = (subject: RateSubject): LimitedBy => {
  if (subject.startsWith("key:")) return "key"
  return subject.startsWith("address:") ? "address" : "organization"
}

const refuse = (principal: Principal, origin: string | undefined, addressOf: () => string): Forbidden | undefined => {
  const authorized = authorizeActive(principal).pipe(
    Result.andThen(() => authorizeOrigin(principal, origin)),
    Result.andThen(() => authorizeAddress(principal, addressOf))
  )
  return Result.isFailure(authorized) ? authorized.failure : undefined
}

const withoutKey: Identified = Result.succeed(undefined)
const anonymous: Effect.Effect<Checked> = Exit.succeed(withoutKey)
