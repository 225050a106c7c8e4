/** Lists, changes and removes accounts of others. */
import { Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { type AuditEntry, auditedAll, entryOf, timestamp } from "../audit/audit.ts"
import {
  type Conflict,
  type InsufficientScope,
  type InvalidParameter,
  type NotFound,
  notFound,
  type Unavailable
} from "../Errors.ts"
import { type Manager, type MemberRole, permit, permitOn, rolesWithin } from "../ManagementAccess.ts"
import { Organizations } from "../organizations/Organizations.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { type Account, type Member, memberOf, membershipIn } from "./Account.ts"
import { Accounts } from "./Accounts.ts"
import { accountEntries, memberEntry } from "./accountEntry.ts"
import type { ManagementKey } from "./managementKeys/ManagementKey.ts"
import { ManagementKeys } from "./managementKeys/ManagementKeys.ts"

type Refused = Conflict | InsufficientScope | NotFound | Unavailable

/** A member of an organization, by the ids of both. */
export interface MemberId {
  readonly organization_id: string
  readonly account_id: string
}

/** For a member, other organizations fail with `NotFound`. `Conflict` if no owner or operator would remain. */
export interface ManageAccounts {
  /** Newest first: the members of an organization, or the operators if undefined. */
  readonly list: (
    organization_id: string | undefined,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<Member>, InsufficientScope | InvalidParameter | NotFound | Unavailable>
  /**
   * Takes effect at the member's next request. Revokes the pending invitations from that member to the organization, and
   * the management keys that it created there and that may do more than the new role.
   */
  readonly changeRole: (id: MemberId, role: MemberRole, manager: Manager) => Effect.Effect<Member, Refused>
  /**
   * Ends a membership. Revokes the member's pending invitations to the organization and the management keys that it
   * created there. An account that then belongs to nothing is removed.
   */
  readonly removeMember: (id: MemberId, manager: Manager) => Effect.Effect<Member, Refused>
  /** The same for one's own membership, in any role. */
  readonly leave: (organization_id: string, manager: Manager) => Effect.Effect<Member, Refused>
  /** Removes an account everywhere: its sessions, pending invitations and the management keys that it created. */
  readonly remove: (id: string, manager: Manager) => Effect.Effect<Account, Refused>
}

/** Every change is stored in one transaction with its audit entries. */
export const manageAccounts: Effect.Effect<
  ManageAccounts,
  never,
  Accounts | AuditLog | ManagementKeys | Organizations | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const organizations = yield* Organizations
  const managementKeys = yield* ManagementKeys
  const withAudit = yield* auditedAll

  const memberAt = Effect.fnUntraced(function* ({ account_id, organization_id }: MemberId) {
    const { account } = yield* accounts.find(account_id)
    const membership = membershipIn(account, organization_id)
    // An account of other organizations is answered like an unknown id.
    return membership === undefined ? yield* notFound("account") : memberOf(account, membership)
  })

  /** After the change, which waits for a key that the account is creating. */
  const revokeKeys = (id: string, organization_id: string | undefined, keptRoles: ReadonlyArray<MemberRole>) =>
    Effect.flatMap(timestamp, (now) => managementKeys.revokeCreatedBy(id, organization_id, keptRoles, now))

  const endMembership = Effect.fnUntraced(function* ({ account_id, organization_id }: MemberId, manager: Manager) {
    const ended = Effect.gen(function* () {
      const departure = yield* accounts.leave(account_id, organization_id)
      return { ...departure, revoked: yield* revokeKeys(account_id, organization_id, []) }
    })
    const { member } = yield* withAudit(ended, ({ member, revoked, was_removed }) => [
      memberEntry(member, was_removed ? "account.removed" : "account.left", manager.actor),
      ...revoked.map((key) => revocationEntry(key, manager))
    ])
    return member
  })

  return {
    list: Effect.fnUntraced(function* (organization_id, page, manager) {
      yield* permitOn(manager, organization_id === undefined ? "listOperators" : "listMembers", organization_id)
      if (organization_id !== undefined) yield* organizations.get(organization_id)
      return yield* accounts.list({ organization_id }, page)
    }),

    changeRole: Effect.fnUntraced(function* (id, role, manager) {
      const { account_id, organization_id } = id
      yield* permitOn(manager, "changeRole", organization_id)
      const before = yield* memberAt(id)
      if (before.role === role) return before
      const changed = Effect.gen(function* () {
        const member = yield* accounts.changeRole(account_id, organization_id, role)
        return { member, revoked: yield* revokeKeys(account_id, organization_id, rolesWithin(role)) }
      })
      const { member } = yield* withAudit(changed, ({ member, revoked }) => [
        memberEntry(member, "account.role_changed", manager.actor),
        ...revoked.map((key) => revocationEntry(key, manager))
      ])
      return member
    }),

    removeMember: (id, manager) =>
      Effect.andThen(permitOn(manager, "removeMember", id.organization_id), endMembership(id, manager)),

    leave: (organization_id, manager) =>
      Effect.andThen(
        permit(manager, "leaveOrganization"),
        endMembership({ account_id: manager.actor, organization_id }, manager)
      ),

    remove: Effect.fnUntraced(function* (id, manager) {
      yield* permit(manager, "removeAccount")
      const { account } = yield* accounts.find(id)
      yield* withAudit(Effect.andThen(accounts.remove(id), revokeKeys(id, undefined, [])), (revoked) => [
        ...accountEntries(account, "account.removed", manager.actor),
        ...revoked.map((key) => revocationEntry(key, manager))
      ])
      return account
    })
  }
})

/** The details name the account that lost permissions. */
const revocationEntry = (key: ManagementKey, { actor }: Manager): AuditEntry =>
  entryOf(actor, "management_key.revoked", key, { prefix: key.prefix, account: key.created_by })
