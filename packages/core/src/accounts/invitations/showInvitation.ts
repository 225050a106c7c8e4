/** What an invitation is for, so that the page that accepts it can say so. Looking does not use it up. */
import { Effect, type Redacted } from "effect"
import { timestamp } from "../../audit/audit.ts"
import type { InvalidToken, RateLimitExceeded, Unavailable } from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { Secrets } from "../../store/Secrets.ts"
import { type Invitation, invitationNotInForce } from "../Account.ts"
import { Accounts } from "../Accounts.ts"
import { limitAttempts } from "../limitAttempts.ts"

/** What is told of an invitation to whoever has its token. */
export type ShownInvitation = Pick<Invitation, "email" | "expires_at" | "role"> & {
  /** Of a member's organization; absent where an operator is invited. */
  readonly organization_name?: string
}

/** Which invitation, and who looks. */
export interface Look {
  readonly token: Redacted.Redacted<string>
  /** Where the request comes from, as it is counted. */
  readonly address: string
}

/** A token that does not count fails as it does where it is accepted, and counts as an attempt as it does there. */
export const showInvitation: Effect.Effect<
  (look: Look) => Effect.Effect<ShownInvitation, InvalidToken | RateLimitExceeded | Unavailable>,
  never,
  Accounts | Organizations | RateLimiter | Secrets
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const organizations = yield* Organizations
  const secrets = yield* Secrets
  const attempts = yield* limitAttempts

  return Effect.fnUntraced(function* ({ address, token }) {
    yield* attempts.ofAddress(address)
    const invitation = yield* accounts.invitationOf(secrets.hash(token), yield* timestamp)
    if (invitation === undefined) return yield* invitationNotInForce
    const { email, expires_at, organization_id, role } = invitation
    const shown = { role, ...(email !== undefined && { email }), expires_at }
    if (organization_id === undefined) return shown
    // An invitation is stored for an organization that is there, and none goes away.
    const { name } = yield* Effect.catchTag(organizations.get(organization_id), "NotFound", Effect.die)
    return { ...shown, organization_name: name }
  })
})
