/**
 * Reports repeated wrong passwords in the audit logs of the account's organizations. At most one event per account, hour
 * and thread, so that an attacker cannot fill the log.
 */
import { Clock, Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { auditedAll } from "../audit/audit.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import type { Account } from "./Account.ts"
import { accountEntries } from "./accountEntry.ts"

/** Wrong passwords within an hour that count as guessing. */
const guessesToReport = 5

/**
 * Counts a wrong password for an account. It never fails, and no request waits for its writes: timing must not reveal
 * whether the account exists.
 */
export const noticeGuessing: Effect.Effect<
  (account: Account) => Effect.Effect<void>,
  never,
  AuditLog | Secrets | Transactions
> = Effect.gen(function* () {
  const withAudit = yield* auditedAll
  /** Wrong passwords in the current hour by account; bounded by the number of accounts. */
  const guesses = new Map<string, number>()
  let present_hour = 0

  return Effect.fnUntraced(function* (account) {
    const hour = Math.floor((yield* Clock.currentTimeMillis) / 3_600_000)
    if (hour !== present_hour) guesses.clear()
    present_hour = hour
    const count = (guesses.get(account.id) ?? 0) + 1
    guesses.set(account.id, count)
    if (count !== guessesToReport) return
    const noting = withAudit(Effect.void, () =>
      accountEntries(account, "account.sign_in_failed", "nobody", { wrong_passwords: count })
    )
    const lost = (cause: unknown) => Effect.logWarning("failed sign-ins could not be recorded", cause)
    yield* Effect.forkDetach(Effect.catchCause(noting, lost))
  })
})
