/** Signs in with email and password. Neither the answer nor its timing reveals whether the email has an account. */
import { Effect, type Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { auditedAll } from "../../audit/audit.ts"
import { parseEmail } from "../../Email.ts"
import { InvalidToken, type RateLimitExceeded, type Unavailable } from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import type { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { Accounts } from "../Accounts.ts"
import { accountEntries } from "../accountEntry.ts"
import { limitAttempts } from "../limitAttempts.ts"
import { noticeGuessing } from "../noticeGuessing.ts"
import { Passwords } from "../Passwords.ts"
import type { ConsoleSessions } from "./ConsoleSessions.ts"
import { type SignedIn, startConsoleSession } from "./startConsoleSession.ts"

/** The request. */
export interface SignInRequest {
  readonly email: string
  readonly password: Redacted.Redacted<string>
  /** The client's address for rate limits. */
  readonly address: string
}

/** A wrong password and an unknown email both fail with `InvalidToken`. */
export const signIn: Effect.Effect<
  (request: SignInRequest) => Effect.Effect<SignedIn, InvalidToken | RateLimitExceeded | Unavailable>,
  never,
  Accounts | AuditLog | ConsoleSessions | Passwords | RateLimiter | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const passwords = yield* Passwords
  const attempts = yield* limitAttempts
  const start = yield* startConsoleSession
  const withAudit = yield* auditedAll
  const notice = yield* noticeGuessing

  return Effect.fnUntraced(function* ({ address, email: raw, password }) {
    const email = parseEmail(raw)
    yield* attempts.ofAddress(address)
    yield* attempts.atAccount(email ?? raw, address)
    // An invalid address is searched like any other, so that the timing is the same.
    const found = yield* accounts.findByEmail(email ?? "")
    const isRight = yield* passwords.verify(password, found?.password)
    if (found !== undefined && !isRight) yield* notice(found.account)
    if (found === undefined || !isRight) return yield* wrongEmailOrPassword
    return yield* withAudit(start(found), ({ account }) => accountEntries(account, "account.signed_in"))
  })
})

const wrongEmailOrPassword = new InvalidToken({ message: "the email address or the password is wrong" })
