/**
 * Someone who keeps guessing a password is noted in the audit log, where whoever runs the account's organization looks.
 * Not each wrong password is, or anybody could fill the log: one event an account and hour, from each thread at most.
 */
import { Clock, Effect } from "effect"
import type { AuditLog } from "../audit/AuditLog.ts"
import { audited } from "../audit/audit.ts"
import type { Secrets } from "../store/Secrets.ts"
import type { Transactions } from "../store/Transactions.ts"
import type { Account } from "./Account.ts"
import { accountEntry } from "./accountEntry.ts"

/** How many wrong passwords within an hour are more than slips. */
const noted_guesses = 5

/**
 * Counts a wrong password for an account. It never fails, and what it writes nobody waits for: the time of an answer must
 * not say that there is such an account.
 */
export const noticeGuessing: Effect.Effect<
  (account: Account) => Effect.Effect<void>,
  never,
  AuditLog | Secrets | Transactions
> = Effect.gen(function* () {
  const withAudit = yield* audited
  /** Wrong passwords of the present hour by account; there are no more than there are accounts. */
  const guesses = new Map<string, number>()
  let present_hour = 0

  return Effect.fnUntraced(function* (account) {
    const hour = Math.floor((yield* Clock.currentTimeMillis) / 3_600_000)
    if (hour !== present_hour) guesses.clear()
    present_hour = hour
    const count = (guesses.get(account.id) ?? 0) + 1
    guesses.set(account.id, count)
    if (count !== noted_guesses) return
    const noting = withAudit(Effect.void, () => ({
      ...accountEntry(account, "account.sign_in_failed", "nobody"),
      details: { role: account.role, wrong_passwords: count }
    }))
    const lost = (cause: unknown) => Effect.logWarning("guesses at an account were not noted", cause)
    yield* Effect.forkDetach(Effect.catchCause(noting, lost))
  })
})
