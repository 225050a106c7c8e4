/** Starts the console session of an authenticated account, with a new token. */
import { Clock, Effect, Redacted } from "effect"
import type { Unavailable } from "../../Errors.ts"
import { Secrets } from "../../store/Secrets.ts"
import { type Account, sessionIdle_ms, tokenLength } from "../Account.ts"
import type { Credentials } from "../Accounts.ts"
import { ConsoleSessions } from "./ConsoleSessions.ts"

/** A signed-in account. */
export interface SignedIn {
  readonly account: Account
  /** The token is never returned again. */
  readonly token: Redacted.Redacted<string>
}

/** The session lasts for `sessionIdle_ms` and is extended by use. */
export const startConsoleSession: Effect.Effect<
  (credentials: Pick<Credentials, "account" | "epoch">) => Effect.Effect<SignedIn, Unavailable>,
  never,
  ConsoleSessions | Secrets
> = Effect.gen(function* () {
  const sessions = yield* ConsoleSessions
  const secrets = yield* Secrets

  return Effect.fnUntraced(function* ({ account, epoch }) {
    const token = Redacted.make(secrets.random(tokenLength))
    const now_ms = yield* Clock.currentTimeMillis
    yield* sessions.start(secrets.hash(token), {
      account_id: account.id,
      epoch,
      created_at: new Date(now_ms).toISOString(),
      ends_at: new Date(now_ms + sessionIdle_ms).toISOString()
    })
    return { account, token }
  })
})
