/**
 * What the database decides on charges: on those of one account, or of several at once. Each charge has the id of the
 * entry that it is to be; by it the database knows one that it made already.
 */
import { PgTypes } from "@effect/sql-pg"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { keyExpired, keyNotInForce, notVerified } from "@postcode/core/ApiKey"
import { type Charge, type ChargeReceipt, type CreditLedger, GrantLowered } from "@postcode/core/credits/CreditLedger"
import { dailyLimitError, IdempotencyKeyReused, InsufficientCredits, type Unavailable } from "@postcode/core/Errors"
import { Effect, Exit } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { databaseAway } from "../connection/Database.ts"
import { type Known, type Run, repeatUntilKnown, runOnce } from "../connection/RepeatUntilKnown.ts"
import { columnOf } from "../connection/SqlArrays.ts"
import type { BatchOutcome } from "./GroupCommit.ts"

/** A charge, and the id of the entry that it is to be. */
export interface IdentifiedCharge {
  readonly id: string
  readonly charge: Charge
}

/** Charges of one account, in the order of their arrival. */
type Batch = ReadonlyArray<IdentifiedCharge>

type Failure = Effect.Error<ReturnType<CreditLedger["Service"]["charge"]>>
type Outcome = BatchOutcome<ChargeReceipt, Failure>

type ChargeTogether = (
  batches: ReadonlyArray<Batch>
) => Effect.Effect<ReadonlyArray<Effect.Effect<Outcome, Unavailable>>>

/**
 * Answers how to charge batches of different accounts in one transaction. An account that somebody else holds just then
 * is charged by itself, which waits for it; and so is each one where that transaction fails, so none fails for another's
 * sake. That would hide a mistake in the transaction, so the first such failure in a row is logged.
 */
export const makeChargeTogether = (sql: SqlClient): ChargeTogether => {
  let isMistaken = false
  const report = ({ answer, mistake }: Run<unknown>): Effect.Effect<void> => {
    const isFirst = mistake !== undefined && !isMistaken
    isMistaken = mistake !== undefined || (isMistaken && answer === undefined)
    return isFirst ? Effect.logError(`accounts are not charged together, but one by one: ${mistake}`) : Effect.void
  }
  return (batches) =>
    Effect.flatMap(runOnce(chargeAccounts(sql, batches)), (run) =>
      Effect.as(report(run), outcomesOf(sql, batches, run))
    )
}

const outcomesOf = (
  sql: SqlClient,
  batches: ReadonlyArray<Batch>,
  run: Run<RowsOfBatches>
): ReadonlyArray<Effect.Effect<Outcome, Unavailable>> =>
  batches.map((batch, i) => {
    const rows = run.answer?.[i]
    if (rows !== undefined) return Exit.succeed(outcomeOf(batch, { answer: rows, mayFollow: false }))
    return Effect.map(repeatUntilKnown(chargeAccount(sql, batch), run), (known) => outcomeOf(batch, known))
  })

interface ChargedRow {
  readonly outcome:
    | "charged"
    | "daily_limit"
    | "expired"
    | "insufficient"
    | "level_lowered"
    | "no_key"
    | "not_verified"
    | "reused"
  readonly amount: number
  readonly balance: number
  readonly granted_level: AccessLevel
  /** Of the key; it says nothing but where that was reached. */
  readonly daily_limit: number
  /** Seconds until midnight UTC, by the database's clock. */
  readonly day_ends_in: number
}

/** The rows of each batch; undefined where somebody else holds the account. */
type RowsOfBatches = ReadonlyArray<ReadonlyArray<ChargedRow> | undefined>

const chargeAccounts = (sql: SqlClient, batches: ReadonlyArray<Batch>): Effect.Effect<RowsOfBatches, SqlError> => {
  const accounts = batches.map(([first]) => first?.charge)
  const places = batches.flatMap((batch, i) => batch.map(() => i + 1))
  const answered = sql<ChargedRow & { readonly number: number }>`
    SELECT number, outcome, amount, balance, granted_level, daily_limit, day_ends_in FROM postcode.charge_accounts(
    ${columnOf(PgTypes.OID.text, accounts, (account) => account?.organization_id)},
    ${columnOf(PgTypes.OID.text, accounts, (account) => account?.environment)},
    ${columnOf(PgTypes.OID.int4, places, (place) => place)},
    ${columns(sql, batches.flat())})`
  return Effect.map(answered, (rows) => {
    const byPlace = batches.map((): Array<ChargedRow> => [])
    for (const row of rows) byPlace[(places[row.number - 1] as number) - 1]?.push(row)
    return byPlace.map((own) => (own.length === 0 ? undefined : own))
  })
}

const chargeAccount = (sql: SqlClient, batch: Batch): Effect.Effect<ReadonlyArray<ChargedRow>, SqlError> => {
  const [first] = batch
  return sql<ChargedRow>`SELECT outcome, amount, balance, granted_level, daily_limit, day_ends_in
    FROM postcode.charge_account(
    ${first?.charge.organization_id}, ${first?.charge.environment},
    ${columns(sql, batch)})`
}

/** What both functions are told of each charge. */
const columns = (sql: SqlClient, batch: Batch) => {
  const texts = (fieldOf: (charge: IdentifiedCharge) => string | null) => columnOf(PgTypes.OID.text, batch, fieldOf)
  return sql`
    ${texts(({ id }) => id)},
    ${texts(({ charge }) => charge.key_id)},
    ${columnOf(PgTypes.OID.int8, batch, ({ charge }) => BigInt(charge.amount))},
    ${columnOf(PgTypes.OID.int2, batch, ({ charge }) => charge.level ?? null)},
    ${texts(({ charge }) => charge.reason)},
    ${texts(({ charge }) => charge.request_id)},
    ${texts(({ charge }) => charge.idempotency?.key ?? null)},
    ${texts(({ charge }) => charge.idempotency?.fingerprint ?? null)}`
}

const outcomeOf = (batch: Batch, { answer, mayFollow }: Known<ReadonlyArray<ChargedRow>>): Outcome =>
  batch.map((_, i) => {
    const row = answer[i]
    if (row === undefined) return Exit.die(new Error("the database answered fewer charges than it was given"))
    // What is refused now might have been charged by a run that is still to come.
    return row.outcome !== "charged" && mayFollow ? Exit.fail(databaseAway) : exitOf(row)
  })

const exitOf = (row: ChargedRow): Exit.Exit<ChargeReceipt, Failure> => {
  const { amount, balance, day_ends_in, granted_level } = row
  switch (row.outcome) {
    case "charged":
      return Exit.succeed({ charged: amount, balance })
    case "insufficient":
      return Exit.fail(new InsufficientCredits({ required: amount, balance }))
    case "daily_limit":
      return Exit.fail(
        dailyLimitError({ required: amount, limit: row.daily_limit, balance, retry_after_s: day_ends_in })
      )
    case "not_verified":
      return Exit.fail(notVerified)
    case "level_lowered":
      return Exit.fail(new GrantLowered({ granted_level }))
    case "no_key":
      return Exit.fail(keyNotInForce)
    case "expired":
      return Exit.fail(keyExpired)
    case "reused":
      return Exit.fail(new IdempotencyKeyReused())
  }
}
