/** The account of whoever manages, and whether they know its password. */
import { Effect, type Redacted } from "effect"
import {
  type InsufficientScope,
  InvalidParameter,
  type InvalidToken,
  type RateLimitExceeded,
  type Unavailable
} from "../Errors.ts"
import type { RateLimiter } from "../limits/RateLimiter.ts"
import type { Secrets } from "../store/Secrets.ts"
import { consoleSessionNotInForce } from "./Account.ts"
import { Accounts, type Credentials } from "./Accounts.ts"
import { limitAttempts } from "./limitAttempts.ts"
import { type ManagementCall, type Manager, permit } from "./ManagementAccess.ts"
import { Passwords } from "./Passwords.ts"

/** What shows that whoever has the session knows the account's password. */
export interface Confirmation {
  readonly present: Redacted.Redacted<string>
  /** Where the request comes from, as it is counted. */
  readonly address: string
}

/** What every operation on one's own account begins with. */
export interface OwnCredentials {
  /** Those of a session that may make the call. An account that was removed meanwhile took the session with it. */
  readonly of: (
    manager: Manager,
    call: ManagementCall
  ) => Effect.Effect<Credentials, InsufficientScope | InvalidToken | Unavailable>
  /** Fails unless it is their password. Guessing is limited as signing in is: a session may have been left open. */
  readonly confirm: (
    credentials: Credentials,
    confirmation: Confirmation
  ) => Effect.Effect<void, InvalidParameter | RateLimitExceeded | Unavailable>
}

/** Changes nothing, but for the attempts that it counts. */
export const ownCredentials: Effect.Effect<OwnCredentials, never, Accounts | Passwords | RateLimiter | Secrets> =
  Effect.gen(function* () {
    const accounts = yield* Accounts
    const passwords = yield* Passwords
    const attempts = yield* limitAttempts

    return {
      of: (manager, call) =>
        Effect.andThen(
          permit(manager, call),
          Effect.catchTag(accounts.find(manager.actor), "NotFound", () => consoleSessionNotInForce)
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
