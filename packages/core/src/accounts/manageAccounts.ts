/** Lists, changes and removes accounts of others. */
import { Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited } from "../audit/audit.ts"
import type { Conflict, InsufficientScope, InvalidParameter, NotFound, Unavailable } from "../Errors.ts"
import { Organizations } from "../organizations/Organizations.ts"
import type { Page, PageRequest } from "../Page.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import type { Account } from "./Account.ts"
import { Accounts } from "./Accounts.ts"
import { accountEntry } from "./accountEntry.ts"
import { type ManagementCall, type Manager, type MemberRole, permitFound, permitOn } from "./ManagementAccess.ts"

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
  /** Ends the member's sessions and revokes the pending invitations from that member. */
  readonly changeRole: (id: string, role: MemberRole, manager: Manager) => Effect.Effect<Account, Refused>
  /** Ends the account's sessions and revokes its pending invitations. */
  readonly remove: (id: string, manager: Manager) => Effect.Effect<Account, Refused>
}

/** Every change is stored in one transaction with its audit entry. */
export const manageAccounts: Effect.Effect<
  ManageAccounts,
  never,
  Accounts | AuditLog | Organizations | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const organizations = yield* Organizations
  const withAudit = yield* audited

  /** The account, if the manager may make the call on it. */
  const reach = (id: string, manager: Manager, call: ManagementCall) =>
    permitFound(
      manager,
      call,
      Effect.map(accounts.find(id), ({ account }) => account),
      "account"
    )

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
      const { account } = yield* withAudit(accounts.change(id, change), ({ account }) =>
        accountEntry(account, "account.role_changed", manager.actor)
      )
      return account
    }),

    remove: Effect.fnUntraced(function* (id, manager) {
      const account = yield* reach(id, manager, "removeAccount")
      yield* withAudit(accounts.remove(id), () => accountEntry(account, "account.removed", manager.actor))
      return account
    })
  }
})
