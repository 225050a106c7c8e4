/** Make the account that an invitation is for, and sign in to it. The first operator claims the instance in this way. */
import { Effect, type Redacted } from "effect"
import { checkPassword, invitationNotInForce, readEmail } from "../Account.ts"
import type { Conflict, InvalidParameter, InvalidToken, RateLimitExceeded, Unavailable } from "../Errors.ts"
import { Accounts } from "../ports/Accounts.ts"
import type { AuditLog } from "../ports/AuditLog.ts"
import type { ConsoleSessions } from "../ports/ConsoleSessions.ts"
import { Passwords } from "../ports/Passwords.ts"
import type { RateLimiter } from "../ports/RateLimiter.ts"
import { Secrets } from "../ports/Secrets.ts"
import type { Transactions } from "../ports/Transactions.ts"
import { accountEntry } from "./accountEntry.ts"
import { audited, newId, timestamp } from "./audit.ts"
import { limitAttempts } from "./limitAttempts.ts"
import { type SignedIn, startConsoleSession } from "./startConsoleSession.ts"

/** What somebody who was invited sends to have an account. */
export interface Acceptance {
  readonly token: Redacted.Redacted<string>
  readonly email: string
  readonly name: string
  readonly password: Redacted.Redacted<string>
  /** Where the request comes from, as it is counted. */
  readonly address: string
}

/** The same token again, one that ended, and one that never was fail alike. */
export const acceptInvitation: Effect.Effect<
  (
    acceptance: Acceptance
  ) => Effect.Effect<SignedIn, Conflict | InvalidParameter | InvalidToken | RateLimitExceeded | Unavailable>,
  never,
  Accounts | AuditLog | ConsoleSessions | Passwords | RateLimiter | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const passwords = yield* Passwords
  const secrets = yield* Secrets
  const attempts = yield* limitAttempts
  const identify = yield* newId
  const start = yield* startConsoleSession
  const withAudit = yield* audited

  return Effect.fnUntraced(function* ({ address, email: raw, name, password, token }) {
    yield* attempts.ofAddress(address)
    const email = yield* Effect.fromResult(readEmail(raw))
    yield* Effect.fromResult(checkPassword(password))
    const hash = secrets.hash(token)
    const now = yield* timestamp
    // Only who was invited is worth the work on a password.
    const invitation = yield* accounts.invitationOf(hash, now)
    if (invitation === undefined) return yield* invitationNotInForce
    const account = { id: identify("acc"), email, name, created_at: now, password: yield* passwords.hash(password) }
    const accepted = yield* Effect.catchTag(
      withAudit(accounts.accept(hash, account, now), ({ account }) => ({
        ...accountEntry(account, "account.created"),
        details: { role: account.role, invitation: invitation.id }
      })),
      "NotFound",
      // Someone else was quicker.
      () => invitationNotInForce
    )
    return yield* start(accepted)
  })
})
