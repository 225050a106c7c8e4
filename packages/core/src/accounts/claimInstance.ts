/** How the first operator comes to an instance that has none: by a link that counts once. */
import { Clock, Effect, Redacted } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited, newId, timestamp } from "../audit/audit.ts"
import type { Unavailable } from "../Errors.ts"
import { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { invitation_ms, tokenLength } from "./Account.ts"
import { Accounts } from "./Accounts.ts"

/** An invitation for the first operator. */
export interface InstanceClaim {
  readonly token: Redacted.Redacted<string>
  /** Whether it still counts: it has not expired, and there is no operator. */
  readonly isOpen: Effect.Effect<boolean, Unavailable>
}

/**
 * Makes a claim, with its entry of the audit log; undefined if there is an operator. Each replica that starts makes its
 * own; the first one that is accepted ends all.
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
    // It belongs to no organization and nobody's account makes it, so neither can be missing.
    const store = Effect.catchTag(accounts.invite(invitation, hash), ["InvalidToken", "NotFound"], Effect.die)
    const { created_by: actor, id: subject, role } = invitation
    yield* withAudit(store, () => ({ actor, action: "invitation.created", subject, details: { role } }))
    const isOpen = Effect.map(
      Effect.flatMap(timestamp, (now) => accounts.invitationOf(hash, now)),
      (found) => found !== undefined
    )
    return { token, isOpen }
  })
})
