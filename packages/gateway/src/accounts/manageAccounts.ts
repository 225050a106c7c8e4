/** Lists, changes and removes accounts of others. */
import { Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { type AuditEntry, auditedAll, entryOf, timestamp } from "../audit/audit.ts"
import type { Conflict, InsufficientScope, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import {
  type ManagementCall,
  type Manager,
  type MemberRole,
  permitFound,
  permitOn,
  rolesWithin
} from "../ManagementAccess.ts"
import { Organizations } from "../organizations/Organizations.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import type { Account } from "./Account.ts"
import { Accounts } from "./Accounts.ts"
import { accountEntry } from "./accountEntry.ts"
import type { ManagementKey } from "./managementKeys/ManagementKey.ts"
import { ManagementKeys } from "./managementKeys/ManagementKeys.ts"

type Refused = Conflict | InsufficientScope | NotFound | Unavailable

/**
 * For a member, accounts of other organizations fail with `NotFound`. `Conflict` if no owner or operator would remain.
 */
export interface ManageAccounts {
  /** Newest first: the members of an organization, or the operators if undefined. */
  readonly list: (
    organization_id: string | undefined,
    page: PageRequest,
    manager: Manager
  ) => Effect.Effect<Page<Account>, InsufficientScope | InvalidParameter | NotFound | Unavailable>
  /**
   * Ends the member's sessions, and revokes the pending invitations from that member and the management keys that it
   * created and that may do more than the new role.
   */
  readonly changeRole: (id: string, role: MemberRole, manager: Manager) => Effect.Effect<Account, Refused>
  /** Ends the account's sessions, and revokes its pending invitations and the management keys that it created. */
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

  /** The account, if the manager may make the call on it. */
  const reach = (id: string, manager: Manager, call: ManagementCall) =>
    permitFound(
      manager,
      call,
      Effect.map(accounts.find(id), ({ account }) => account),
      "account"
    )

  /** After the change, which waits for a key that the account is creating. */
  const revokeKeys = (id: string, keptRoles: ReadonlyArray<MemberRole>) =>
    Effect.flatMap(timestamp, (now) => managementKeys.revokeCreatedBy(id, keptRoles, now))

  return {
    list: Effect.fnUntraced(function* (organization_id, page, manager) {
      yield* permitOn(manager, organization_id === undefined ? "listOperators" : "listMembers", organization_id)
      if (organization_id !== undefined) yield* organizations.get(organization_id)
      return yield* accounts.list({ organization_id }, page)
    }),

    changeRole: Effect.fnUntraced(function* (id, role, manager) {
      const before = yield* reach(id, manager, "changeRole")
      if (before.role === role) return before
      const change = { role, ends_sessions: true, withdraws_invitations: true }
      const changed = Effect.gen(function* () {
        const { account } = yield* accounts.change(id, change)
        return { account, revoked: yield* revokeKeys(id, rolesWithin(role)) }
      })
      const { account } = yield* withAudit(changed, ({ account, revoked }) => [
        accountEntry(account, "account.role_changed", manager.actor),
        ...revoked.map((key) => revocationEntry(key, manager))
      ])
      return account
    }),

    remove: Effect.fnUntraced(function* (id, manager) {
      const account = yield* reach(id, manager, "removeAccount")
      yield* withAudit(Effect.andThen(accounts.remove(id), revokeKeys(id, [])), (revoked) => [
        accountEntry(account, "account.removed", manager.actor),
        ...revoked.map((key) => revocationEntry(key, manager))
      ])
      return account
    })
  }
})

/** The details name the account that lost permissions. */
const revocationEntry = (key: ManagementKey, { actor }: Manager): AuditEntry =>
  entryOf(actor, "management_key.revoked", key, { prefix: key.prefix, account: key.created_by })
