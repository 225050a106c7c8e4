/** How often someone may try to sign in: each address for itself, and each account, whoever tries. */
import { Effect, Redacted } from "effect"
import { accountAttempts_per_minute, addressAttempts_per_minute } from "../Account.ts"
import type { RateLimitExceeded } from "../Errors.ts"
import { RateLimiter } from "../ports/RateLimiter.ts"
import { Secrets } from "../ports/Secrets.ts"
import { takeFromLimit } from "./takeFromLimit.ts"

/** Each counts one attempt, and fails where the minute has had as many as it may. */
export interface Attempts {
  readonly ofAddress: (address: string) => Effect.Effect<void, RateLimitExceeded>
  /** @param name an email address, whether or not it has an account, or an account's id */
  readonly ofAccount: (name: string) => Effect.Effect<void, RateLimitExceeded>
}

/**
 * `addressAttempts_per_minute` from an address, `accountAttempts_per_minute` at an account, which the limiter knows by
 * a keyed hash alone.
 */
export const limitAttempts: Effect.Effect<Attempts, never, RateLimiter | Secrets> = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const secrets = yield* Secrets
  return {
    ofAddress: (address) => takeFromLimit(limiter, `sign_in_address:${address}`, addressAttempts_per_minute),
    ofAccount: (name) =>
      takeFromLimit(limiter, `sign_in:${secrets.hashIdentifier(Redacted.make(name))}`, accountAttempts_per_minute)
  }
})
