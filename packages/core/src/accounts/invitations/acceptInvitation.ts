/** Make the account that an invitation is for, and sign in to it. The first operator claims the instance in this way. */
import { Effect, type Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { audited, newId, timestamp } from "../../audit/audit.ts"
import type { Conflict, InvalidParameter, InvalidToken, RateLimitExceeded, Unavailable } from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import {
  checkPassword,
  emailExpected,
  type Invitation,
  invitationNotInForce,
  otherEmail,
  readEmail
} from "../Account.ts"
import { Accounts } from "../Accounts.ts"
import { accountEntry } from "../accountEntry.ts"
import { limitAttempts } from "../limitAttempts.ts"
import { Passwords } from "../Passwords.ts"
import type { ConsoleSessions } from "../sessions/ConsoleSessions.ts"
import { type SignedIn, startConsoleSession } from "../sessions/startConsoleSession.ts"

/** What is sent to make the account of an invitation. */
export interface Acceptance {
  readonly token: Redacted.Redacted<string>
  /** Needed for a claim alone: any other invitation has the address of its account, and this can only repeat it. */
  readonly email?: string | undefined
  readonly name: string
  readonly password: Redacted.Redacted<string>
  /** Where the request comes from, as it is counted. */
  readonly address: string
}

/**
 * The same token again, one that ended, one whose address has an account, and one that never was fail alike, after the same
 * work on the password. A claim fails with `Conflict` where the address has an account: it belongs to the operator of the
 * instance, who chooses the address.
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
  const withAudit = yield* audited

  return Effect.fnUntraced(function* ({ address, email: raw, name, password, token }) {
    yield* attempts.ofAddress(address)
    const sent = raw === undefined ? undefined : yield* Effect.fromResult(readEmail(raw))
    yield* Effect.fromResult(checkPassword(password))
    const hash = secrets.hash(token)
    const now = yield* timestamp
    const invitation = yield* accounts.invitationOf(hash, now)
    const email = invitation === undefined ? "" : yield* emailOf(invitation, sent)
    // Before anything tells the reasons apart by the time of the answer.
    const hashed = yield* passwords.hash(password)
    if (invitation === undefined) return yield* invitationNotInForce
    const account = { id: identify("acc"), email, name, created_at: now, password: hashed }
    const accepted = yield* Effect.catchTags(
      withAudit(accounts.accept(hash, account, now), ({ account }) => ({
        ...accountEntry(account, "account.created"),
        details: { role: account.role, invitation: invitation.id }
      })),
      {
        // Another request was quicker.
        NotFound: () => invitationNotInForce,
        Conflict: (taken): Effect.Effect<never, Conflict | InvalidToken> =>
          invitation.is_claim ? taken : invitationNotInForce
      }
    )
    return yield* start(accepted)
  })
})

/** The address of an invitation's account. What is sent beside the invitation's own is refused, whoever has it. */
const emailOf = ({ email }: Invitation, sent: string | undefined): Effect.Effect<string, InvalidParameter> => {
  if (email === undefined) return sent === undefined ? emailExpected : Effect.succeed(sent)
  return sent === undefined || sent === email ? Effect.succeed(email) : otherEmail
}
