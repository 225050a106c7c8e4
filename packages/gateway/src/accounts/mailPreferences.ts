/** Which mail an account gets, of the kinds that can be switched off. */
import { Effect, type Redacted } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { auditedAll } from "../audit/audit.ts"
import { type InsufficientScope, InvalidToken, type Unavailable } from "../Errors.ts"
import { type ManagementCall, type Manager, permit, type Role } from "../ManagementAccess.ts"
import { type OptionalNotice, optionalNoticesOf } from "../notices/Notice.ts"
import { NoticeSecrets } from "../notices/NoticeSecrets.ts"
import { Notices } from "../notices/Notices.ts"
import { subscriptionOf } from "../notices/unsubscribe.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import { type Account, invalidConsoleSession } from "./Account.ts"
import { Accounts } from "./Accounts.ts"
import { accountEntries } from "./accountEntry.ts"

/** A kind of mail that the account's roles get, and whether it is on. */
export interface MailPreference {
  readonly kind: OptionalNotice
  readonly is_on: boolean
}

type Refused = InsufficientScope | InvalidToken | Unavailable

/** For console sessions, except `unsubscribe`. */
export interface MailPreferences {
  readonly get: (manager: Manager) => Effect.Effect<ReadonlyArray<MailPreference>, Refused>
  /** Switches exactly these kinds off. Kinds of other roles stay as they are. */
  readonly set: (
    off: ReadonlyArray<OptionalNotice>,
    manager: Manager
  ) => Effect.Effect<ReadonlyArray<MailPreference>, Refused>
  /**
   * Switches the kind of a link off, for the account that the link was sent to. Anybody with the link can do it: it does
   * nothing else. Also succeeds if that was done before, or if the account is gone.
   */
  readonly unsubscribe: (
    token: Redacted.Redacted<string>
  ) => Effect.Effect<{ readonly kind: OptionalNotice }, InvalidToken | Unavailable>
}

/** Every change is stored in one transaction with its audit entry. */
export const mailPreferences: Effect.Effect<
  MailPreferences,
  never,
  Accounts | AuditLog | NoticeSecrets | Notices | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const notices = yield* Notices
  const links = yield* NoticeSecrets
  const withAudit = yield* auditedAll

  const accountOf = (manager: Manager, call: ManagementCall) =>
    Effect.andThen(
      permit(manager, call),
      Effect.catchTag(accounts.find(manager.actor), "NotFound", () => invalidConsoleSession)
    )

  const shown = (account: Account, off: ReadonlyArray<OptionalNotice>): ReadonlyArray<MailPreference> =>
    optionalNoticesOf(rolesOf(account)).map((kind) => ({ kind, is_on: !off.includes(kind) }))

  const switchOff = (account: Account, off: ReadonlyArray<OptionalNotice>) =>
    withAudit(notices.switchOff(account.id, off), () =>
      accountEntries(account, "account.mail_changed", account.id, { off: off.join(" ") })
    )

  return {
    get: Effect.fnUntraced(function* (manager) {
      const { account } = yield* accountOf(manager, "getMailPreferences")
      return shown(account, yield* notices.switchedOff(account.id))
    }),

    set: Effect.fnUntraced(function* (off, manager) {
      const { account } = yield* accountOf(manager, "setMailPreferences")
      const before = yield* notices.switchedOff(account.id)
      const own = optionalNoticesOf(rolesOf(account))
      const after = [...before.filter((kind) => !own.includes(kind)), ...own.filter((kind) => off.includes(kind))]
      yield* switchOff(account, after)
      return shown(account, after)
    }),

    unsubscribe: Effect.fnUntraced(function* (token) {
      const subscription = subscriptionOf(links, token)
      if (subscription === undefined) return yield* invalidLink
      const { account_id, kind } = subscription
      const found = yield* Effect.catchTag(accounts.find(account_id), "NotFound", () => Effect.undefined)
      const off = yield* notices.switchedOff(account_id)
      if (found !== undefined && !off.includes(kind)) yield* switchOff(found.account, [...off, kind])
      return { kind }
    })
  }
})

/** In all of its organizations, and in the instance. */
const rolesOf = ({ is_operator, memberships }: Account): ReadonlyArray<Role> => [
  ...(is_operator ? (["operator"] as const) : []),
  ...memberships.map(({ role }) => role)
]

const invalidLink = new InvalidToken({
  message: "the link is not valid: use the link of the mail as a whole, or switch mail off under Your account"
})
