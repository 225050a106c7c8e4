/** Use cases on one's own account. */
import { Effect, type Redacted } from "effect"
import type { AuditAction, AuditLog } from "../audit/AuditLog.ts"
import { auditedAll } from "../audit/audit.ts"
import type { InsufficientScope, InvalidParameter, InvalidToken, RateLimitExceeded, Unavailable } from "../Errors.ts"
import type { RateLimiter } from "../limits/RateLimiter.ts"
import type { Manager } from "../ManagementAccess.ts"
import type { AccountNotice } from "../notices/Notice.ts"
import { type NoticePorts, notified } from "../notices/notify.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { type Account, checkPassword, invalidConsoleSession } from "./Account.ts"
import { type AccountChange, Accounts } from "./Accounts.ts"
import { accountEntries } from "./accountEntry.ts"
import { type Confirmation, ownCredentials } from "./ownCredentials.ts"
import { Passwords } from "./Passwords.ts"
import { ConsoleSessions } from "./sessions/ConsoleSessions.ts"
import { type SignedIn, startConsoleSession } from "./sessions/startConsoleSession.ts"

type Refused = InsufficientScope | InvalidToken | Unavailable

/** For console sessions only: the operator token fails with `InsufficientScope`. */
export interface OwnAccount {
  readonly get: (manager: Manager) => Effect.Effect<Account, Refused>
  readonly rename: (name: string, manager: Manager) => Effect.Effect<Account, Refused>
  /** Ends all sessions and returns a new one. Wrong current passwords are limited as sign-in attempts are. */
  readonly changePassword: (
    passwords: Confirmation & { readonly next: Redacted.Redacted<string> },
    manager: Manager
  ) => Effect.Effect<SignedIn, InvalidParameter | RateLimitExceeded | Refused>
  readonly signOut: (manager: Manager) => Effect.Effect<void, Refused>
  /** Ends all sessions of the account, including the current one. */
  readonly signOutEverywhere: (manager: Manager) => Effect.Effect<void, Refused>
}

/** Every change is stored in one transaction with its audit entry, and with the mail that warns of it. */
export const ownAccount: Effect.Effect<
  OwnAccount,
  never,
  Accounts | AuditLog | ConsoleSessions | NoticePorts | Passwords | RateLimiter | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const passwords = yield* Passwords
  const sessions = yield* ConsoleSessions
  const own = yield* ownCredentials
  const start = yield* startConsoleSession
  const withAudit = yield* auditedAll
  const withNotices = yield* notified

  const change = (id: string, change: Partial<AccountChange>, action: AuditAction, notice?: AccountNotice) => {
    const changed = withAudit(accounts.change(id, { ends_sessions: false, ...change }), ({ account }) =>
      accountEntries(account, action)
    )
    return withNotices(changed, () => (notice === undefined ? [] : [notice])).pipe(
      Effect.catchTag("NotFound", () => invalidConsoleSession),
      // Only a change of address can fail with it.
      Effect.catchTag("Conflict", Effect.die)
    )
  }

  const changePassword: OwnAccount["changePassword"] = Effect.fnUntraced(function* (
    { next, ...confirmation },
    manager
  ) {
    const credentials = yield* own.of(manager, "changePassword")
    const { account, epoch } = credentials
    yield* Effect.fromResult(checkPassword(next, account.email))
    yield* own.confirm(credentials, confirmation)
    const hashed = yield* passwords.hash(next)
    // The epoch prevents overwriting a password that was changed after the confirmation.
    const changed = { password: hashed, epoch, ends_sessions: true }
    const notice = { kind: "password_changed", facts: { how: "changed" }, account_id: account.id } as const
    return yield* start(yield* change(account.id, changed, "account.password_changed", notice))
  })

  return {
    get: (manager) => Effect.map(own.of(manager, "getOwnAccount"), ({ account }) => account),

    rename: Effect.fnUntraced(function* (name, manager) {
      const { account: before } = yield* own.of(manager, "renameOwnAccount")
      if (before.name === name) return before
      const { account } = yield* change(before.id, { name }, "account.renamed")
      return account
    }),

    changePassword,

    signOut: Effect.fnUntraced(function* (manager) {
      const { account } = yield* own.of(manager, "signOut")
      yield* withAudit(sessions.end(manager.session_hash ?? ""), () => accountEntries(account, "account.signed_out"))
    }),

    signOutEverywhere: Effect.fnUntraced(function* (manager) {
      const { account } = yield* own.of(manager, "signOutEverywhere")
      const notice = { kind: "signed_out_everywhere", facts: {}, account_id: account.id } as const
      yield* change(account.id, { ends_sessions: true }, "account.signed_out_everywhere", notice)
    })
  }
})
