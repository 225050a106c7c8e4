/** Creates the first operator of an instance through a link that is valid once. */
import { Clock, Effect, Redacted } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited, entryOf, newId, timestamp } from "../audit/audit.ts"
import type { Unavailable } from "../Errors.ts"
import { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { invitation_ms, tokenLength } from "./Account.ts"
import { Accounts } from "./Accounts.ts"

/** The invitation of the first operator. */
export interface InstanceClaim {
  readonly token: Redacted.Redacted<string>
  /** Whether the claim is valid: not expired, and there is no operator. */
  readonly isOpen: Effect.Effect<boolean, Unavailable>
}

/**
 * Creates a claim and its audit entry; undefined if there is an operator. Each replica creates one at start; accepting
 * any of them invalidates all.
 */
export const claimInstance: Effect.Effect<
  Effect.Effect<InstanceClaim | undefined, Unavailable>,
  never,
  Accounts | AuditLog | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const secrets = yield* Secrets
  const identify = yield* newId
  const withAudit = yield* audited

  return Effect.gen(function* () {
    if (yield* accounts.hasOperator()) return undefined
    const token = Redacted.make(secrets.random(tokenLength))
    const now_ms = yield* Clock.currentTimeMillis
    const invitation = {
      id: identify("inv"),
      role: "operator",
      created_by: "service",
      created_at: new Date(now_ms).toISOString(),
      expires_at: new Date(now_ms + invitation_ms).toISOString(),
      is_claim: true
    } as const
    const hash = secrets.hash(token)
    // Impossible failures: a claim has neither an organization nor an inviting account.
    const store = Effect.catchTag(
      accounts.invite(invitation, hash),
      ["Conflict", "InvalidToken", "NotFound"],
      Effect.die
    )
    yield* withAudit(store, () => entryOf("service", "invitation.created", invitation, { role: invitation.role }))
    const isOpen = Effect.map(
      Effect.flatMap(timestamp, (now) => accounts.invitationOf(hash, now)),
      (found) => found !== undefined
    )
    return { token, isOpen }
  })
})
