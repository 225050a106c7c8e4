/**
 * Changes the address of an account. The new one confirms it, and the former one can undo it for 7 days, because
 * an intruder changes the address first.
 */
import { Clock, Effect, Redacted } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { auditedAll, timestamp } from "../audit/audit.ts"
import {
  Conflict,
  type InsufficientScope,
  type InvalidParameter,
  type InvalidToken,
  type RateLimitExceeded,
  type Unavailable
} from "../Errors.ts"
import type { RateLimiter } from "../limits/RateLimiter.ts"
import type { Manager } from "../ManagementAccess.ts"
import { Notices } from "../notices/Notices.ts"
import { type NoticePorts, notifying } from "../notices/notify.ts"
import { Secrets } from "../store/Secrets.ts"
import { Transactions } from "../store/Transactions.ts"
import { type Account, checkPassword, readEmail, tokenLength } from "./Account.ts"
import { Accounts } from "./Accounts.ts"
import { accountEntries } from "./accountEntry.ts"
import { noMail, type PasswordByLink } from "./forgottenPassword.ts"
import { limitAttempts } from "./limitAttempts.ts"
import { type AccountLink, invalidLink, linkLifetime_ms } from "./links/AccountLink.ts"
import { AccountLinks } from "./links/AccountLinks.ts"
import { type Confirmation, ownCredentials } from "./ownCredentials.ts"
import { Passwords } from "./Passwords.ts"
import type { ConsoleSessions } from "./sessions/ConsoleSessions.ts"
import { type SignedIn, startConsoleSession } from "./sessions/startConsoleSession.ts"

/** A link to an address, and the client's address for rate limits. */
export interface AddressByLink {
  readonly token: Redacted.Redacted<string>
  readonly address: string
}

/** Each step is one transaction with its notice and its audit entries. */
export interface OwnAddress {
  /** Sends a link to the new address; nothing if it has an account, which nothing shows. */
  readonly request: (
    confirmation: Confirmation & { readonly email: string },
    manager: Manager
  ) => Effect.Effect<void, InsufficientScope | InvalidParameter | InvalidToken | RateLimitExceeded | Unavailable>
  /** Sets the address to which the link was sent, and sends a link to the former one. */
  readonly confirm: (
    link: AddressByLink
  ) => Effect.Effect<Pick<Account, "email">, InvalidToken | RateLimitExceeded | Unavailable>
  /**
   * Sets the former address again with a new password, ends all sessions, and signs in. Fails with `Conflict` if the
   * address has another account by now.
   */
  readonly undo: (
    link: PasswordByLink
  ) => Effect.Effect<SignedIn, Conflict | InvalidParameter | InvalidToken | RateLimitExceeded | Unavailable>
}

/** For the signed-in account, and for the holders of links. */
export const ownAddress: Effect.Effect<
  OwnAddress,
  never,
  Accounts | AccountLinks | AuditLog | ConsoleSessions | NoticePorts | Passwords | RateLimiter | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const links = yield* AccountLinks
  const notices = yield* Notices
  const passwords = yield* Passwords
  const secrets = yield* Secrets
  const own = yield* ownCredentials
  const attempts = yield* limitAttempts
  const start = yield* startConsoleSession
  const notify = yield* notifying
  const withAudit = yield* auditedAll
  const { atomically } = yield* Transactions

  const addLink = Effect.fnUntraced(function* (fields: Pick<AccountLink, "account_id" | "email" | "is_void" | "kind">) {
    const token = Redacted.make(secrets.random(tokenLength))
    const now_ms = yield* Clock.currentTimeMillis
    const expires_at = new Date(now_ms + linkLifetime_ms[fields.kind]).toISOString()
    yield* links.add(secrets.hash(token), { ...fields, created_at: new Date(now_ms).toISOString(), expires_at })
    return { token, expires_at }
  })

  const confirmed = Effect.fnUntraced(function* (hash: string, now: string) {
    const { account_id = "", email = "" } = (yield* links.take(hash, "new_address", now)) ?? {}
    const { account: before, epoch } = yield* Effect.catchTag(accounts.find(account_id), "NotFound", () => invalidLink)
    // Another account has the address by now.
    const change = accounts.change(account_id, { email, epoch, ends_sessions: false })
    const { account } = yield* Effect.catchTags(change, { Conflict: () => invalidLink, NotFound: () => invalidLink })
    yield* links.end(account_id, "reset_password")
    const link = yield* addLink({ kind: "former_address", email: before.email, account_id, is_void: false })
    yield* notify({ kind: "address_changed", facts: {}, email: before.email, account_id, link })
    return account
  })

  const undone = Effect.fnUntraced(function* (hash: string, hashed: string, now: string) {
    const { account_id, email } = (yield* links.take(hash, "former_address", now)) ?? {}
    if (account_id === undefined || email === undefined) return yield* invalidLink
    yield* links.end(account_id, "new_address")
    yield* links.end(account_id, "reset_password")
    const change = accounts.change(account_id, { email, password: hashed, ends_sessions: true })
    return yield* Effect.catchTags(change, { Conflict: () => addressTaken, NotFound: () => invalidLink })
  })

  return {
    request: Effect.fnUntraced(function* ({ email: raw, ...confirmation }, manager) {
      const credentials = yield* own.of(manager, "changeAddress")
      if (!notices.isOn()) return yield* noMail
      const email = yield* Effect.fromResult(readEmail(raw))
      yield* own.confirm(credentials, confirmation)
      const { id: account_id } = credentials.account
      const send = Effect.gen(function* () {
        const isTaken = (yield* accounts.findByEmail(email)) !== undefined
        yield* links.end(account_id, "new_address")
        const link = yield* addLink({ kind: "new_address", email, account_id, is_void: isTaken })
        const to = { email, account_id, client: confirmation.address, isWithheld: isTaken }
        yield* notify({ kind: "confirm_new_address", facts: {}, ...to, link })
      })
      yield* withAudit(atomically(send), () => accountEntries(credentials.account, "account.address_requested"))
    }),

    confirm: Effect.fnUntraced(function* ({ address, token }) {
      yield* attempts.ofAddress(address)
      const changed = confirmed(secrets.hash(token), yield* timestamp)
      const { email } = yield* withAudit(changed, (account) => accountEntries(account, "account.address_changed"))
      return { email }
    }),

    undo: Effect.fnUntraced(function* ({ address, password, token }) {
      yield* attempts.ofAddress(address)
      const hash = secrets.hash(token)
      const now = yield* timestamp
      const { email } = (yield* links.find(hash, "former_address", now)) ?? {}
      yield* Effect.fromResult(checkPassword(password, email))
      const hashed = yield* passwords.hash(password)
      const changed = undone(hash, hashed, now)
      return yield* start(
        yield* withAudit(changed, ({ account }) => accountEntries(account, "account.address_restored"))
      )
    })
  }
})

const addressTaken = new Conflict({
  message: "another account has this address by now: tell the operator of this service"
})
