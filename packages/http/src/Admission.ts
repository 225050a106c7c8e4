/** Who is calling, and whether they may call now: the first two checks of every request. */
import type { Principal } from "@postcode/core/ApiKey"
import type { InvalidApiKey, Unavailable } from "@postcode/core/Errors"
import { authenticate } from "@postcode/core/operations/authenticate"
import type { ApiKeys } from "@postcode/core/ports/ApiKeys"
import { defaultRateLimit_per_minute, type RateDecision, RateLimiter } from "@postcode/core/ports/RateLimiter"
import type { Secrets } from "@postcode/core/ports/Secrets"
import { Effect, Exit, Result } from "effect"
import type { HttpRequest } from "./HttpMessage.ts"

/** The limits of those that have none of their own. */
export interface AdmissionOptions {
  /** Requests a minute of a key that has no limit of its own; 600 unless told. */
  readonly keyRateLimit_per_minute?: number
  /** Requests a minute of an address that sends no key, or bad ones; 600 unless told. */
  readonly addressRateLimit_per_minute?: number
}

/** The key that was sent: none, in force, or refused. One that cannot be checked now counts as none. */
export type Identified = Result.Result<Principal | undefined, InvalidApiKey>

export interface Admission {
  readonly identified: Identified
  /** Why the key that was sent could not be checked, if so. */
  readonly unchecked: Unavailable | undefined
  readonly decision: RateDecision
  /** Whether the limit refuses this request. */
  readonly limited: boolean
}

/**
 * Checks the key, then counts the request: under the key, or, without one that holds, under the address. A refused key
 * is counted too, so guessing is limited like anything else. While keys cannot be checked, whoever sends one is let in as
 * without a key, since what is free needs no store; see `Dispatch` for what is not.
 *
 * @param addressOf what the address of a request's client is counted under
 * @param free whether to look at the limit without counting. It holds for no refused key: guessing is never free
 */
export const makeAdmission = (
  options: AdmissionOptions,
  addressOf: (request: HttpRequest) => string
): Effect.Effect<
  (request: HttpRequest, free: boolean) => Effect.Effect<Admission>,
  never,
  ApiKeys | RateLimiter | Secrets
> =>
  Effect.gen(function* () {
    const identify = yield* authenticate
    const limiter = yield* RateLimiter
    const keyLimit = options.keyRateLimit_per_minute ?? defaultRateLimit_per_minute
    const addressLimit = options.addressRateLimit_per_minute ?? defaultRateLimit_per_minute

    const count = (request: HttpRequest, identified: Identified, cost: number): Effect.Effect<RateDecision> => {
      const principal = Result.isSuccess(identified) ? identified.success : undefined
      if (principal !== undefined) {
        return limiter.take(`key:${principal.key_id}`, principal.rate_limit_per_minute ?? keyLimit, cost)
      }
      return limiter.take(`address:${addressOf(request)}`, addressLimit, cost)
    }

    return (request, free) => {
      const key = request.header("x-api-key")
      const checking: Effect.Effect<Checked> = key === undefined ? anonymous : Effect.result(identify(key))
      return Effect.flatMapEager(checking, (checked) => {
        const unchecked =
          Result.isFailure(checked) && checked.failure._tag === "Unavailable" ? checked.failure : undefined
        const identified = unchecked === undefined ? (checked as Identified) : withoutKey
        const cost = free && Result.isSuccess(identified) ? 0 : 1
        return Effect.mapEager(count(request, identified, cost), (decision) => ({
          identified,
          unchecked,
          decision,
          limited: cost === 1 && !decision.allowed
        }))
      })
    }
  })

type Checked = Result.Result<Principal | undefined, InvalidApiKey | Unavailable>

const withoutKey: Identified = Result.succeed(undefined)
const anonymous: Effect.Effect<Checked> = Exit.succeed(withoutKey)
