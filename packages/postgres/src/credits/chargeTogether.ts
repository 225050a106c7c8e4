/**
 * Charges batches of several accounts: reads the accounts, lets core decide, and writes its decisions.
 *
 * Each charge has the id of its future entry, so that a charge written by a commit in doubt is recognized.
 */

import { type ChargeReceipt, type CreditAccount, decideCharges } from "@postcode/core/Credits"
import type { CreditLedger } from "@postcode/gateway/credits/CreditLedger"
import type { Unavailable } from "@postcode/gateway/Errors"
import type { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { Effect, Exit, Result } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { BatchOutcome } from "../connection/Batcher.ts"
import { databaseUnavailable, inTransaction } from "../connection/Database.ts"
import { type Known, type Run, repeatUntilKnown, runOnce } from "../connection/transactions/RepeatUntilKnown.ts"
import type { ChargeBatch } from "./ChargeBatch.ts"
import { type BatchState, readAccounts } from "./readAccounts.ts"
import { isChange, type Writing, writeCharges } from "./writeCharges.ts"

type Failure = Effect.Error<ReturnType<CreditLedger["Service"]["charge"]>>
type Outcome = BatchOutcome<ChargeReceipt, Failure>

type ChargeTogether = (
  batches: ReadonlyArray<ChargeBatch>
) => Effect.Effect<ReadonlyArray<Effect.Effect<Outcome, Unavailable>>>

/**
 * Returns a function that charges batches of different accounts in one transaction. An account that another transaction
 * locks or changes meanwhile is charged separately, which waits for the lock. If the shared transaction fails, all are
 * charged separately, so that no account fails because of another. To reveal bugs in the shared transaction, its first
 * failure in a row is logged.
 */
export const makeChargeTogether = (sql: SqlClient, notices: NoticeLimits): ChargeTogether => {
  let isMistaken = false
  const report = ({ answer, mistake }: Run<unknown>): Effect.Effect<void> => {
    const isFirst = mistake !== undefined && !isMistaken
    isMistaken = mistake !== undefined || (isMistaken && answer === undefined)
    return isFirst ? Effect.logError(`accounts are charged one by one instead of in a batch: ${mistake}`) : Effect.void
  }
  return (batches) =>
    Effect.flatMap(runOnce(chargeAccounts(sql, batches, false, notices)), (run) =>
      Effect.as(
        report(run),
        batches.map((batch, i) => {
          const outcome = run.answer?.[i]
          if (outcome !== undefined) return Exit.succeed(outcome)
          return Effect.map(repeatUntilKnown(chargeAlone(sql, batch, notices), run), knownOutcome)
        })
      )
    )
}

/**
 * The outcome of each batch; undefined if another transaction holds or has changed the account.
 *
 * @param findWritten whether an earlier run in doubt may have written these charges
 * @param notices whether events are told by mail, too
 */
export const chargeAccounts = (
  sql: SqlClient,
  batches: ReadonlyArray<ChargeBatch>,
  findWritten: boolean,
  notices: NoticeLimits
): Effect.Effect<ReadonlyArray<Outcome | undefined>, SqlError> =>
  Effect.flatMap(readAccounts(sql, batches, findWritten), ({ now_us, states }) => {
    const decided = batches.map((batch, i) => decide(batch, states[i] as BatchState, now_us / 1_000))
    const writings = decided.flatMap(({ writing }) => (writing === undefined ? [] : [writing]))
    if (writings.length === 0) return Effect.succeed(decided.map(({ outcome }) => outcome))
    return Effect.map(writeCharges(sql, writings, now_us, notices), (written) =>
      decided.map(({ outcome, writing }) =>
        writing === undefined || written.has(writings.indexOf(writing)) ? outcome : undefined
      )
    )
  })

interface Decided {
  readonly outcome: Outcome
  /** Undefined if nothing is to be written. */
  readonly writing: Writing | undefined
}

const decide = (batch: ChargeBatch, { account, written }: BatchState, now_ms: number): Decided => {
  const unwritten = written.size === 0 ? batch : batch.filter(({ id }) => !written.has(id))
  const charges = unwritten.map(({ charge }) => charge)
  const decision = decideCharges(account, charges, now_ms)
  const outcomes = new Map(decision.outcomes.map((outcome, i) => [unwritten[i]?.id, exitOf(outcome)]))
  const outcome = batch.map(({ id }) => {
    const receipt = written.get(id)
    return receipt === undefined ? (outcomes.get(id) ?? undecided) : Exit.succeed(receipt)
  })
  const isToWrite = account !== undefined && isChange(account, decision)
  return { outcome, writing: isToWrite ? { batch: unwritten, account, decision } : undefined }
}

const undecided = Exit.die(new Error("a charge was not decided"))

const exitOf = <A, E>(result: Result.Result<A, E>): Exit.Exit<A, E> =>
  Result.isSuccess(result) ? Exit.succeed(result.success) : Exit.fail(result.failure)

/** Charges one account under its lock, which is held until the commit. */
const chargeAlone = (sql: SqlClient, batch: ChargeBatch, notices: NoticeLimits): Effect.Effect<Outcome, SqlError> =>
  inTransaction(
    sql,
    Effect.gen(function* () {
      const [first] = batch
      if (first !== undefined) yield* lockAccount(sql, first.charge)
      const [outcome] = yield* chargeAccounts(sql, [batch], true, notices)
      return outcome ?? (yield* Effect.die(new Error("an account has changed although it was locked")))
    })
  )

/** The timeout releases the lock after a second if the replica stalls. */
const lockAccount = (sql: SqlClient, { environment, organization_id }: CreditAccount) =>
  sql`SELECT set_config('idle_in_transaction_session_timeout', '1s', true) FROM postcode.credit_accounts
    WHERE organization_id = ${organization_id} AND environment = ${environment} FOR UPDATE`

/** If an earlier run may still take effect, it may make a charge that was refused here, so the outcome is unknown. */
const knownOutcome = ({ answer, mayFollow }: Known<Outcome>): Outcome =>
  answer.map((exit) => (Exit.isFailure(exit) && mayFollow ? Exit.fail(databaseUnavailable) : exit))
