/** The organizations of one's own account, to switch between them. */
import { Effect } from "effect"
import type { InsufficientScope, InvalidToken, Unavailable } from "../Errors.ts"
import type { RateLimiter } from "../limits/RateLimiter.ts"
import type { Manager } from "../ManagementAccess.ts"
import type { Organization } from "../organizations/Organization.ts"
import { Organizations } from "../organizations/Organizations.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Membership } from "./Account.ts"
import type { Accounts } from "./Accounts.ts"
import { ownCredentials } from "./ownCredentials.ts"
import type { Passwords } from "./Passwords.ts"

/** A membership, with what the account sees of the organization wherever it acts. */
export type OwnMembership = Membership & {
  readonly organization_name: string
  readonly status: Organization["status"]
}

/** For console sessions only, in the order of joining. */
export const ownOrganizations: Effect.Effect<
  (manager: Manager) => Effect.Effect<ReadonlyArray<OwnMembership>, InsufficientScope | InvalidToken | Unavailable>,
  never,
  Accounts | Organizations | Passwords | RateLimiter | Secrets
> = Effect.gen(function* () {
  const organizations = yield* Organizations
  const own = yield* ownCredentials

  return Effect.fnUntraced(function* (manager) {
    const { account } = yield* own.of(manager, "listOwnOrganizations")
    return yield* Effect.forEach(account.memberships, (membership) =>
      Effect.map(
        // Impossible: organizations are never deleted.
        Effect.catchTag(organizations.get(membership.organization_id), "NotFound", Effect.die),
        ({ name, status }) => ({ ...membership, organization_name: name, status })
      )
    )
  })
})
