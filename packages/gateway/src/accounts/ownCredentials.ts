/** The caller's own account and the confirmation of its password. */
import { Effect, type Redacted } from "effect"
import {
  type InsufficientScope,
  InvalidParameter,
  type InvalidToken,
  type RateLimitExceeded,
  type Unavailable
} from "../Errors.ts"
import type { RateLimiter } from "../limits/RateLimiter.ts"
import { type ManagementCall, type Manager, permit } from "../ManagementAccess.ts"
import type { Secrets } from "../store/Secrets.ts"
import { invalidConsoleSession } from "./Account.ts"
import { Accounts, type Credentials } from "./Accounts.ts"
import { limitAttempts } from "./limitAttempts.ts"
import { Passwords } from "./Passwords.ts"

/** Proof that the session's user knows the account's password. */
export interface Confirmation {
  readonly present: Redacted.Redacted<string>
  /** The client's address for rate limits. */
  readonly address: string
}

/** The first step of every use case on one's own account. */
export interface OwnCredentials {
  /** The credentials of a session that may make the call. Removing an account also ends its sessions. */
  readonly of: (
    manager: Manager,
    call: ManagementCall
  ) => Effect.Effect<Credentials, InsufficientScope | InvalidToken | Unavailable>
  /** Fails if the password is wrong. Attempts are limited as for sign-in, because a session may be left open. */
  readonly confirm: (
    credentials: Credentials,
    confirmation: Confirmation
  ) => Effect.Effect<void, InvalidParameter | RateLimitExceeded | Unavailable>
}

/** Changes nothing except the counters of attempts. */
export const ownCredentials: Effect.Effect<OwnCredentials, never, Accounts | Passwords | RateLimiter | Secrets> =
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const passwords = yield* Passwords
    const attempts = yield* limitAttempts

    return {
      of: (manager, call) =>
        Effect.andThen(
          permit(manager, call),
          Effect.catchTag(accounts.find(manager.actor), "NotFound", () => invalidConsoleSession)
        ),

      confirm: Effect.fnUntraced(function* ({ account, password }, { address, present }) {
        yield* attempts.atAccount(account.id, address)
        if (!(yield* passwords.verify(present, password))) return yield* wrongPassword
      })
    }
  })

const wrongPassword = new InvalidParameter({
  parameter: "present_password",
  message: "present_password: this is not the account's password"
})
