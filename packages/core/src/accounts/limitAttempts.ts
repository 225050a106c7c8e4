/** Limits attempts to sign in: of each address, of each address at each account, and at each account. */
import { Effect, Redacted } from "effect"
import type { RateLimitExceeded } from "../Errors.ts"
import { RateLimiter } from "../limits/RateLimiter.ts"
import { takeFromLimit } from "../limits/takeFromLimit.ts"
import { Secrets } from "../store/Secrets.ts"
import { accountAttempts_per_minute, addressAttempts_per_minute, allAttempts_per_minute } from "./Account.ts"

/** Each counts one attempt, and fails where the minute has had as many as it may. */
export interface Attempts {
  readonly ofAddress: (address: string) => Effect.Effect<void, RateLimitExceeded>
  /**
   * An attempt that the address has used up does not count against the account, so one address takes at most a sixth of
   * what the account has.
   *
   * @param name an email address, whether or not it has an account, an account's id, or a credential's
   */
  readonly atAccount: (name: string, address: string) => Effect.Effect<void, RateLimitExceeded>
}

/**
 * `addressAttempts_per_minute` from an address; at an account `accountAttempts_per_minute` from one address and
 * `allAttempts_per_minute` from all. The limiter knows accounts by a keyed hash alone.
 */
export const limitAttempts: Effect.Effect<Attempts, never, RateLimiter | Secrets> = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const secrets = yield* Secrets
  return {
    ofAddress: (address) => takeFromLimit(limiter, `sign_in_address:${address}`, addressAttempts_per_minute),
    atAccount: (name, address) => {
      const account = secrets.hashIdentifier(Redacted.make(name))
      // A limiter may count as soon as it is called, so the second call has to wait for the first decision.
      return Effect.flatMap(
        takeFromLimit(limiter, `sign_in:${account} from ${address}`, accountAttempts_per_minute),
        () => takeFromLimit(limiter, `sign_in_account:${account}`, allAttempts_per_minute)
      )
    }
  }
})
