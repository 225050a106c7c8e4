/** Limits sign-in attempts per address, per address and account, and per account. */
import { Effect, Redacted } from "effect"
import type { RateLimitExceeded } from "../Errors.ts"
import { RateLimiter } from "../limits/RateLimiter.ts"
import { takeFromLimit } from "../limits/takeFromLimit.ts"
import { Secrets } from "../store/Secrets.ts"
import { accountAttempts_per_minute, addressAttempts_per_minute, allAttempts_per_minute } from "./Account.ts"

/** Each call counts one attempt and fails if a limit is reached. */
export interface Attempts {
  readonly ofAddress: (address: string) => Effect.Effect<void, RateLimitExceeded>
  /**
   * An attempt above the address's limit does not count against the account, so one address uses at most a sixth of the
   * account's limit.
   *
   * @param name an email address, with or without an account, or the id of an account or a credential
   */
  readonly atAccount: (name: string, address: string) => Effect.Effect<void, RateLimitExceeded>
}

/**
 * `addressAttempts_per_minute` from an address; at an account, `accountAttempts_per_minute` from one address and
 * `allAttempts_per_minute` from all. The limiter gets a keyed hash of the account.
 */
export const limitAttempts: Effect.Effect<Attempts, never, RateLimiter | Secrets> = Effect.gen(function* () {
  const limiter = yield* RateLimiter
  const secrets = yield* Secrets
  return {
    ofAddress: (address) => takeFromLimit(limiter, `sign_in_address:${address}`, addressAttempts_per_minute),
    atAccount: (name, address) => {
      const account = secrets.hashIdentifier(Redacted.make(name))
      // Suspended: a limiter may count when called, so the second call must wait for the first decision.
      return Effect.flatMap(
        takeFromLimit(limiter, `sign_in:${account} from ${address}`, accountAttempts_per_minute),
        () => takeFromLimit(limiter, `sign_in_account:${account}`, allAttempts_per_minute)
      )
    }
  }
})
