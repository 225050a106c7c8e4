/** Port: counts requests in a window of one minute that slides. */
import { Context, type Effect } from "effect"
import type { KeyKind } from "../keys/ApiKey.ts"

/** How many seconds a limit is for. */
export const window_s = 60

/** Requests a minute of a secret key and of an address, by default. */
export const defaultRateLimit_per_minute = 600

/** Requests a minute of a publishable key from all addresses together, by default. Thousands of visitors may share it. */
export const defaultPublishableRateLimit_per_minute = 6_000

/** Requests a minute of all keys of an organization together, by default. */
export const defaultOrganizationRateLimit_per_minute = 6_000

/** How many requests a minute a key of each kind may make that has no limit of its own. */
export const KeyRateLimits = Context.Reference<Readonly<Record<KeyKind, number>>>("@postcode/core/KeyRateLimits", {
  defaultValue: () => ({ secret: defaultRateLimit_per_minute, publishable: defaultPublishableRateLimit_per_minute })
})

/**
 * What is counted: the requests of an API key, of an organization's secret keys, of its publishable keys
 * (`organization_visitors`), or of a network address; the widget sessions of an address, or those of an identifier;
 * attempts to sign in to the console: of an address, of an address at an account, and at an account. Anyone can come from
 * many addresses and with many identifiers, so a limiter that runs out of room for them must not forget a key or an
 * organization in their place, see `isOfCustomer`.
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

/** Whether a subject is a key or an organization: there are only as many of them as were created. */
export const isOfCustomer = (subject: RateSubject): boolean =>
  subject.startsWith("key:") || subject.startsWith("organization")

/** Whether a request passes, and how much is left. */
export interface RateDecision {
  readonly allowed: boolean
  readonly limit: number
  /** How many more requests pass now. */
  readonly remaining: number
  /** Seconds until the window is full again, whole, rounded up; 0 if it is. */
  readonly reset_s: number
  /** Seconds until one more request passes, whole, rounded up; 0 if one does now. */
  readonly retry_after_s: number
}

export class RateLimiter extends Context.Service<
  RateLimiter,
  {
    /**
     * Counts `cost` requests of a subject if they fit under its limit, and none if they do not. A cost of 0 looks
     * without counting, and says that it is allowed. In no stretch of `window_s` seconds are more than `limit` requests
     * allowed, and a subject that keeps asking gets at least 95 % of them. Neither `reset_s` nor `retry_after_s` is ever
     * above `window_s`. A store that is away never makes this fail: local limits hold then.
     *
     * A store that can decide at once may do so when it is called, and answer the outcome itself: whoever calls runs
     * what it gets once, and at once.
     */
    readonly take: (subject: RateSubject, limit: number, cost: number) => Effect.Effect<RateDecision>
  }
>()("@postcode/core/RateLimiter") {}
