/** Accepts an invitation as an account that exists: the signed-in account gets the invitation's role. */
import { Effect, type Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { audited, timestamp } from "../../audit/audit.ts"
import type { Conflict, InsufficientScope, InvalidToken, RateLimitExceeded, Unavailable } from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import type { Manager } from "../../ManagementAccess.ts"
import { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { type Account, type Invitation, invalidInvitation, memberOf, membershipIn } from "../Account.ts"
import { Accounts } from "../Accounts.ts"
import { memberEntry } from "../accountEntry.ts"
import { limitAttempts } from "../limitAttempts.ts"
import { ownCredentials } from "../ownCredentials.ts"
import type { Passwords } from "../Passwords.ts"

/** The request. */
export interface Joining {
  readonly token: Redacted.Redacted<string>
  /** The client's address for rate limits. */
  readonly address: string
}

/**
 * For console sessions only. An invitation for another address fails with `Conflict`, as does one to an organization that
 * the account belongs to, and stays valid. Invalid tokens fail and count as attempts, as in `acceptInvitation`.
 */
export const joinByInvitation: Effect.Effect<
  (
    joining: Joining,
    manager: Manager
  ) => Effect.Effect<Account, Conflict | InsufficientScope | InvalidToken | RateLimitExceeded | Unavailable>,
  never,
  Accounts | AuditLog | Passwords | RateLimiter | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const secrets = yield* Secrets
  const attempts = yield* limitAttempts
  const own = yield* ownCredentials
  const withAudit = yield* audited

  return Effect.fnUntraced(function* ({ address, token }, manager) {
    const { account } = yield* own.of(manager, "joinByInvitation")
    yield* attempts.ofAddress(address)
    const hash = secrets.hash(token)
    const now = yield* timestamp
    const invitation = yield* accounts.invitationOf(hash, now)
    if (invitation === undefined) return yield* invalidInvitation
    // A concurrent request accepted it first.
    return yield* Effect.catchTag(
      withAudit(accounts.join(hash, account.id, now), (joined) => joinedEntry(joined, invitation)),
      "NotFound",
      () => invalidInvitation
    )
  })
})

const joinedEntry = (account: Account, { id, organization_id }: Invitation) =>
  memberEntry(memberOf(account, membershipIn(account, organization_id)), "account.joined", account.id, {
    invitation: id
  })
