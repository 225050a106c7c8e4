/** Shows an invitation on the page that accepts it, without using it up. */
import { Effect, type Redacted } from "effect"
import { timestamp } from "../../audit/audit.ts"
import type { InvalidToken, RateLimitExceeded, Unavailable } from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import { Organizations } from "../../organizations/Organizations.ts"
import { Secrets } from "../../store/Secrets.ts"
import { type Invitation, invalidInvitation } from "../Account.ts"
import { Accounts } from "../Accounts.ts"
import { limitAttempts } from "../limitAttempts.ts"

/** The part of an invitation that the bearer of its token sees. */
export type ShownInvitation = Pick<Invitation, "email" | "expires_at" | "role"> & {
  /** A member's organization; absent for an operator. */
  readonly organization_name?: string
}

/** The token and the caller. */
export interface Look {
  readonly token: Redacted.Redacted<string>
  /** The client's address for rate limits. */
  readonly address: string
}

/** An invalid token fails and counts as an attempt, as in `acceptInvitation`. */
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
    if (invitation === undefined) return yield* invalidInvitation
    const { email, expires_at, organization_id, role } = invitation
    const shown = { role, ...(email !== undefined && { email }), expires_at }
    if (organization_id === undefined) return shown
    // Impossible: invitations require an existing organization, and organizations are never deleted.
    const { name } = yield* Effect.catchTag(organizations.get(organization_id), "NotFound", Effect.die)
    return { ...shown, organization_name: name }
  })
})
