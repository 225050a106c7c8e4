/** Sign in with email and password. Nothing about the answer, its time included, says whether anyone has the email. */
import { Effect, type Redacted } from "effect"
import type { AuditLog } from "../../audit/AuditLog.ts"
import { audited } from "../../audit/audit.ts"
import { InvalidToken, type RateLimitExceeded, type Unavailable } from "../../Errors.ts"
import type { RateLimiter } from "../../limits/RateLimiter.ts"
import type { Secrets } from "../../store/Secrets.ts"
import type { Transactions } from "../../store/Transactions.ts"
import { Accounts } from "../Accounts.ts"
import { accountEntry } from "../accountEntry.ts"
import { parseEmail } from "../Email.ts"
import { limitAttempts } from "../limitAttempts.ts"
import { noticeGuessing } from "../noticeGuessing.ts"
import { Passwords } from "../Passwords.ts"
import type { ConsoleSessions } from "./ConsoleSessions.ts"
import { type SignedIn, startConsoleSession } from "./startConsoleSession.ts"

/** What somebody gives who wants to be let in. */
export interface SignInRequest {
  readonly email: string
  readonly password: Redacted.Redacted<string>
  /** Where the request comes from, as it is counted. */
  readonly address: string
}

/** A wrong password and an email that nobody has fail alike, with `InvalidToken`. */
export const signIn: Effect.Effect<
  (request: SignInRequest) => Effect.Effect<SignedIn, InvalidToken | RateLimitExceeded | Unavailable>,
  never,
  Accounts | AuditLog | ConsoleSessions | Passwords | RateLimiter | Secrets | Transactions
> = Effect.gen(function* () {
  const accounts = yield* Accounts
  const passwords = yield* Passwords
  const attempts = yield* limitAttempts
  const start = yield* startConsoleSession
  const withAudit = yield* audited
  const notice = yield* noticeGuessing

  return Effect.fnUntraced(function* ({ address, email: raw, password }) {
    const email = parseEmail(raw)
    yield* attempts.ofAddress(address)
    yield* attempts.atAccount(email ?? raw, address)
    // What is no address belongs to nobody; nobody is looked for all the same, as for any other.
    const found = yield* accounts.findByEmail(email ?? "")
    const isRight = yield* passwords.verify(password, found?.password)
    if (found !== undefined && !isRight) yield* notice(found.account)
    if (found === undefined || !isRight) return yield* wrongEmailOrPassword
    return yield* withAudit(start(found), ({ account }) => accountEntry(account, "account.signed_in"))
  })
})

const wrongEmailOrPassword = new InvalidToken({ message: "the email address or the password is wrong" })
