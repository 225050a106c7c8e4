/**
 * Replaces a forgotten password with a link that is sent by mail. Until the link is opened, nothing shows whether the
 * address has an account.
 */
import { Clock, Effect, Redacted } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { auditedAll, timestamp } from "../audit/audit.ts"
import {
  InsufficientScope,
  type InvalidParameter,
  type InvalidToken,
  type RateLimitExceeded,
  type Unavailable
} from "../Errors.ts"
import type { RateLimiter } from "../limits/RateLimiter.ts"
import { Notices } from "../notices/Notices.ts"
import { type NoticePorts, notified, notifying } from "../notices/notify.ts"
import { Secrets } from "../store/Secrets.ts"
import { Transactions } from "../store/Transactions.ts"
import { checkPassword, readEmail, tokenLength } from "./Account.ts"
import { Accounts } from "./Accounts.ts"
import { accountEntries } from "./accountEntry.ts"
import { limitAttempts } from "./limitAttempts.ts"
import { invalidLink, linkLifetime_ms } from "./links/AccountLink.ts"
import { AccountLinks } from "./links/AccountLinks.ts"
import { Passwords } from "./Passwords.ts"
import type { ConsoleSessions } from "./sessions/ConsoleSessions.ts"
import { type SignedIn, startConsoleSession } from "./sessions/startConsoleSession.ts"

/** A link and what it needs to work. */
export interface PasswordByLink {
  readonly token: Redacted.Redacted<string>
  readonly password: Redacted.Redacted<string>
  /** The client's address for rate limits. */
  readonly address: string
}

/** For anyone, from the service's own pages. */
export interface ForgottenPassword {
  /** Sends a link to the address, if it has an account. Fails with `InsufficientScope` on a service without mail. */
  readonly request: (
    email: string,
    address: string
  ) => Effect.Effect<void, InsufficientScope | InvalidParameter | RateLimitExceeded | Unavailable>
  /** Sets the password, ends all sessions and other such links of the account, and signs in. Passkeys stay. */
  readonly reset: (
    reset: PasswordByLink
  ) => Effect.Effect<SignedIn, InvalidParameter | InvalidToken | RateLimitExceeded | Unavailable>
}

/** Each step is one transaction with its notice and its audit entries. */
export const forgottenPassword: Effect.Effect<
  ForgottenPassword,
  never,
  Accounts | AccountLinks | AuditLog | ConsoleSessions | NoticePorts | Passwords | RateLimiter | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const links = yield* AccountLinks
  const passwords = yield* Passwords
  const secrets = yield* Secrets
  const attempts = yield* limitAttempts
  const start = yield* startConsoleSession
  const notify = yield* notifying
  const notices = yield* Notices
  const withAudit = yield* auditedAll
  const withNotices = yield* notified
  const { atomically } = yield* Transactions

  const send = Effect.fnUntraced(function* (email: string, client: string, now_ms: number) {
    const token = Redacted.make(secrets.random(tokenLength))
    const account_id = yield* accounts.idOfEmail(email)
    const expires_at = new Date(now_ms + linkLifetime_ms.reset_password).toISOString()
    yield* links.add(secrets.hash(token), {
      kind: "reset_password",
      email,
      account_id: account_id ?? "acc_none",
      created_at: new Date(now_ms).toISOString(),
      expires_at,
      is_void: account_id === undefined
    })
    const to = { email, client, account_id, isWithheld: account_id === undefined }
    yield* notify({ kind: "reset_password", facts: {}, ...to, link: { token, expires_at } })
  })

  return {
    request: Effect.fnUntraced(function* (raw, address) {
      yield* attempts.ofAddress(address)
      if (!notices.isOn()) return yield* noMail
      const email = yield* Effect.fromResult(readEmail(raw))
      yield* attempts.atAccount(`forgotten ${email}`, address)
      yield* atomically(send(email, address, yield* Clock.currentTimeMillis))
    }),

    reset: Effect.fnUntraced(function* ({ address, password, token }) {
      yield* attempts.ofAddress(address)
      const hash = secrets.hash(token)
      const now = yield* timestamp
      const { email } = (yield* links.find(hash, "reset_password", now)) ?? {}
      yield* Effect.fromResult(checkPassword(password, email))
      const hashed = yield* passwords.hash(password)
      const changed = Effect.gen(function* () {
        const link = yield* links.take(hash, "reset_password", now)
        if (link?.account_id === undefined) return yield* invalidLink
        yield* links.end(link.account_id, "reset_password")
        const change = { password: hashed, ends_sessions: true }
        const credentials = yield* accounts.change(link.account_id, change).pipe(
          Effect.catchTag("NotFound", () => invalidLink),
          // Only a change of address can fail with it.
          Effect.catchTag("Conflict", Effect.die)
        )
        // The address was changed after the link was sent: its mailbox no longer belongs to the account.
        if (credentials.account.email !== link.email) return yield* invalidLink
        return credentials
      })
      const noted = withNotices(
        withAudit(changed, ({ account }) => accountEntries(account, "account.password_reset")),
        ({ account }) => [{ kind: "password_changed", facts: { how: "reset" }, account_id: account.id }]
      )
      return yield* start(yield* noted)
    })
  }
})

/** The error for what needs mail, on a service that sends none. */
export const noMail = new InsufficientScope({
  message: "this service sends no mail: ask an owner of your organization, or its operator, to invite you again"
})
