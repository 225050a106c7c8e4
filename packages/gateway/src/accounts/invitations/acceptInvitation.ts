/** Creates the account of an invitation and signs in to it. The first operator claims the instance this way. */
import { Effect, type Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { auditedAll, newId, timestamp } from "../../audit/audit.ts"
import type { Conflict, InvalidParameter, InvalidToken, RateLimitExceeded, Unavailable } from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { checkPassword, emailExpected, type Invitation, invalidInvitation, otherEmail, readEmail } from "../Account.ts"
import { Accounts } from "../Accounts.ts"
import { accountEntries } from "../accountEntry.ts"
import { limitAttempts } from "../limitAttempts.ts"
import { Passwords } from "../Passwords.ts"
import type { ConsoleSessions } from "../sessions/ConsoleSessions.ts"
import { type SignedIn, startConsoleSession } from "../sessions/startConsoleSession.ts"

/** The request. */
export interface Acceptance {
  readonly token: Redacted.Redacted<string>
  /** Required for a claim. For any other invitation it may only repeat the invitation's address. */
  readonly email?: string | undefined
  readonly name: string
  readonly password: Redacted.Redacted<string>
  /** The client's address for rate limits. */
  readonly address: string
}

/**
 * Used, expired and unknown tokens and addresses with an account fail alike, after the same password hashing. Only a
 * claim fails with `Conflict` if the address has an account, because the operator of the instance chooses that address.
 */
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
  const withAudit = yield* auditedAll

  return Effect.fnUntraced(function* ({ address, email: raw, name, password, token }) {
    yield* attempts.ofAddress(address)
    const sent = raw === undefined ? undefined : yield* Effect.fromResult(readEmail(raw))
    const hash = secrets.hash(token)
    const now = yield* timestamp
    const invitation = yield* accounts.invitationOf(hash, now)
    const email = invitation === undefined ? "" : yield* emailOf(invitation, sent)
    yield* Effect.fromResult(checkPassword(password, email))
    // Before any check, so that timing does not reveal the reason of a failure.
    const hashed = yield* passwords.hash(password)
    if (invitation === undefined) return yield* invalidInvitation
    const account = { id: identify("acc"), email, name, created_at: now, password: hashed }
    const accepted = yield* Effect.catchTags(
      withAudit(accounts.accept(hash, account, now), ({ account }) =>
        accountEntries(account, "account.created", account.id, { invitation: invitation.id })
      ),
      {
        // A concurrent request accepted it first.
        NotFound: () => invalidInvitation,
        Conflict: (taken): Effect.Effect<never, Conflict | InvalidToken> =>
          invitation.is_claim ? taken : invalidInvitation
      }
    )
    return yield* start(accepted)
  })
})

/** The email of the new account. A different email in the request is refused in any case. */
const emailOf = ({ email }: Invitation, sent: string | undefined): Effect.Effect<string, InvalidParameter> => {
  if (email === undefined) return sent === undefined ? emailExpected : Effect.succeed(sent)
  return sent === undefined || sent === email ? Effect.succeed(email) : otherEmail
}
