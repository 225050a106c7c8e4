/** Port: counts requests in a sliding window of one minute. */
import { Context, Effect, Exit } from "effect"

/** Length of the window in seconds. */
export const window_s = 60

/** Default requests per minute of a secret key and of an address. */
export const defaultRateLimit_per_minute = 600

/** Default requests per minute of a publishable key, over all addresses: thousands of visitors may share it. */
export const defaultPublishableRateLimit_per_minute = 6_000

/** Default requests per minute of all keys of an organization together. */
export const defaultOrganizationRateLimit_per_minute = 6_000

/**
 * The subject of a limit. Requests count for a chain of API keys, an organization's secret keys, its publishable keys
 * (`organization_visitors`) or a network address. Widget sessions count for an address or an identifier. Console
 * sign-in attempts count for an address, an address at an account, or an account. A client can use many addresses and
 * identifiers, so a limiter at capacity must not evict keys and organizations for them, see `isOfCustomer`.
 */
export type RateSubject =
  | `key:${string}`
  | `organization:${string}`
  | `organization_visitors:${string}`
  | `address:${string}`
  | `session_address:${string}`
  | `identifier:${string}`
  | `sign_in_address:${string}`
  | `sign_in:${string}`
  | `sign_in_account:${string}`
  | `device_login:${string}`

/** Whether a subject is a key or an organization. The number of those is bounded by what was created. */
export const isOfCustomer = (subject: RateSubject): boolean =>
  subject.startsWith("key:") || subject.startsWith("organization")

/** How many requests per minute a subject is allowed. */
export interface RateLimit {
  readonly subject: RateSubject
  readonly limit: number
}

/** The decision and the remaining quota. */
export interface RateDecision {
  readonly allowed: boolean
  readonly limit: number
  /** Number of further requests that are allowed now. */
  readonly remaining: number
  /** Whole seconds until the window is empty, rounded up; 0 if it is empty. */
  readonly reset_s: number
  /**
   * Whole seconds until one more request is allowed, rounded up; 0 if it is allowed now. If requests were refused, the
   * earliest time at which all of them may be allowed, above 0.
   */
  readonly retry_after_s: number
}

/** A decision about a request, and the subject whose limit made it. */
export interface SubjectDecision {
  readonly subject: RateSubject
  readonly decision: RateDecision
}

/** Of two decisions about a request, the one that refuses it, or else has fewer requests left. The first one allows it. */
export const stricterOf = (first: SubjectDecision, second: SubjectDecision): SubjectDecision =>
  !second.decision.allowed || second.decision.remaining < first.decision.remaining ? second : first

export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /**
     * Counts `cost` requests of a subject if they are within its limit, else none. A cost of 0 reads the state without
     * counting and is always allowed. No interval of `window_s` seconds has more than `limit` allowed requests, and a
     * subject that requests continuously gets at least 95 % of them. `reset_s` and `retry_after_s` never exceed
     * `window_s`. If the store is unavailable, local limits apply; this never fails.
     *
     * A store may decide synchronously when called and return a completed effect, so callers run each effect once and
     * immediately.
     */
    readonly take: (subject: RateSubject, limit: number, cost: number) => Effect.Effect<RateDecision>
    /**
     * Counts `cost` requests under one or more limits, in order: each counts what the one before it allows. Returns the
     * decision that refuses, or else has the fewest requests left. It is one call, so that a store can find out about all
     * limits at the same time.
     */
    readonly takeAll: (limits: ReadonlyArray<RateLimit>, cost: number) => Effect.Effect<SubjectDecision>
  }
>()("@postcode/gateway/RateLimiter") {}

/** `takeAll` of a limiter that has only `take`. */
export const takeInOrder =
  (take: RateLimiter["Service"]["take"]): RateLimiter["Service"]["takeAll"] =>
  (limits, cost) => {
    const decide = ({ limit, subject }: RateLimit): Effect.Effect<SubjectDecision> =>
      Effect.mapEager(take(subject, limit, cost), (decision) => ({ subject, decision }))
    const [first, ...others] = limits
    if (first === undefined) return Effect.die(new RangeError("expected a limit"))
    return others.reduce(
      (former, limit) =>
        Effect.flatMapEager(former, (one) =>
          one.decision.allowed ? Effect.mapEager(decide(limit), (other) => stricterOf(one, other)) : Exit.succeed(one)
        ),
      decide(first)
    )
  }
