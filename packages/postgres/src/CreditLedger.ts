/**
 * Credit accounts on PostgreSQL. Charges go by group commit: of each account one batch of a replica is under way, in one
 * call of the function `postcode.charge_account`, which decides on each charge while it holds the account's lock.
 */
import { PgTypes } from "@effect/sql-pg"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import { keyExpired, keyNotInForce } from "@postcode/core/ApiKey"
import type { EntryReason, LedgerEntry } from "@postcode/core/Credits"
import {
  Conflict,
  DailyLimitReached,
  IdempotencyKeyReused,
  InsufficientCredits,
  type NotFound,
  type Unavailable
} from "@postcode/core/Errors"
import type { PageRequest } from "@postcode/core/Page"
import {
  type Account,
  type Charge,
  type ChargeReceipt,
  CreditLedger,
  type EntryFilter,
  type Grant,
  GrantLowered,
  type GrantReceipt,
  type ThresholdReceipt
} from "@postcode/core/ports/CreditLedger"
import { Effect, Exit, Layer, Result } from "effect"
import { SqlClient } from "effect/sql"
import { asking, databaseAway } from "./Database.ts"
import { newEntryId } from "./EntryId.ts"
import { makeGroupCommit } from "./GroupCommit.ts"
import { noSuchOrganization } from "./Organizations.ts"
import { numberBefore, pageOf, rowsOfPage } from "./Paging.ts"
import { type Known, repeatUntilKnown } from "./RepeatUntilKnown.ts"

/**
 * A charge is committed by itself, whatever transaction its caller may be in; a grant belongs to its caller's. When a
 * replica's layer ends, the charges that wait are still made.
 */
export const layerCreditLedger: Layer.Layer<CreditLedger, never, SqlClient.SqlClient> = Layer.effect(
  CreditLedger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const write = yield* makeGroupCommit({
      groupOf: ({ charge: { environment, organization_id } }: IdentifiedCharge) => `${environment} ${organization_id}`,
      commit: (batch) => Effect.map(repeatUntilKnown(chargeBatch(sql, batch)), (known) => exitsOf(batch, known)),
      maximumBatch,
      maximumPending
    })

    return CreditLedger.of({
      grant: (grant) => Effect.suspend(() => makeGrant(sql, grant)),
      charge: (charge) =>
        Effect.suspend(() => {
          const mistake = mistakeIn(charge)
          return mistake === undefined ? write({ id: newEntryId(), charge }) : Effect.die(mistake)
        }),
      setThreshold: (account, threshold) => Effect.suspend(() => setThreshold(sql, account, threshold)),
      statement: (account, page, filter) => asking(readStatement(sql, account, page, filter))
    })
  })
)

/** Charges in one transaction. It is held up by each one, so more would not pass much faster, but fail together. */
const maximumBatch = 500

/** Charges that wait or are under way, of all accounts: as many as a database that is slow catches up with in a second. */
const maximumPending = 10_000

/**
 * Deletes what is known of idempotency keys that expired, a few at a time, and answers how many they were. They count no
 * longer anyway; this keeps the table from growing.
 */
export const forgetExpiredIdempotencyKeys: Effect.Effect<number, Unavailable, SqlClient.SqlClient> = Effect.gen(
  function* () {
    const sql = yield* SqlClient.SqlClient
    let forgotten = 0
    for (;;) {
      const rows = yield* asking(sql`
        DELETE FROM postcode.idempotency_keys r
        USING (
          SELECT organization_id, key_id, idempotency_key FROM postcode.idempotency_keys
          WHERE expires_at <= now() ORDER BY expires_at LIMIT ${expiredAtATime} FOR UPDATE SKIP LOCKED
        ) AS expired
        WHERE r.organization_id = expired.organization_id AND r.key_id = expired.key_id
          AND r.idempotency_key = expired.idempotency_key
        RETURNING 1`)
      forgotten += rows.length
      if (rows.length < expiredAtATime) return forgotten
    }
  }
)

const expiredAtATime = 1_000

/** Deletes what keys charged on days that are over. The day before stays, should another clock be behind midnight. */
export const forgetPastKeyDays = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`DELETE FROM postcode.key_days WHERE day < (now() AT TIME ZONE 'UTC')::date - 1`
)

/** A charge, and the id of the entry that it is to be: by it the database knows a charge that it made already. */
interface IdentifiedCharge {
  readonly id: string
  readonly charge: Charge
}

interface ChargedRow {
  readonly outcome: "charged" | "daily_limit" | "expired" | "insufficient" | "level_lowered" | "no_key" | "reused"
  readonly amount: number
  readonly balance: number
  readonly granted_level: AccessLevel
  /** Of the key; null if it has none. */
  readonly daily_limit: number
  readonly day_ends_in: number
}

const chargeBatch = (sql: SqlClient.SqlClient, batch: ReadonlyArray<IdentifiedCharge>) => {
  const [first] = batch
  const texts = (fieldOf: (charge: IdentifiedCharge) => string | null) => column(batch, fieldOf, PgTypes.OID.text)
  return sql<ChargedRow>`SELECT outcome, amount, balance, granted_level, daily_limit, day_ends_in
    FROM postcode.charge_account(
    ${first?.charge.organization_id}, ${first?.charge.environment},
    ${texts(({ id }) => id)},
    ${texts(({ charge }) => charge.key_id)},
    ${column(batch, ({ charge }) => BigInt(charge.amount), PgTypes.OID.int8)},
    ${column(batch, ({ charge }) => charge.level ?? null, PgTypes.OID.int2)},
    ${texts(({ charge }) => charge.reason)},
    ${texts(({ charge }) => charge.request_id)},
    ${texts(({ charge }) => charge.idempotency?.key ?? null)},
    ${texts(({ charge }) => charge.idempotency?.fingerprint ?? null)}
  )`
}

const column = (
  batch: ReadonlyArray<IdentifiedCharge>,
  fieldOf: (charge: IdentifiedCharge) => unknown,
  type: number
): PgTypes.Parameter => Result.getOrThrow(PgTypes.array(batch.map(fieldOf), type))

type ChargeFailure = Effect.Error<ReturnType<CreditLedger["Service"]["charge"]>>

const exitsOf = (
  batch: ReadonlyArray<IdentifiedCharge>,
  { answer, mayFollow }: Known<ReadonlyArray<ChargedRow>>
): ReadonlyArray<Exit.Exit<ChargeReceipt, ChargeFailure>> =>
  batch.map((_, i) => {
    const row = answer[i]
    if (row === undefined)
      return Exit.die(new Error("postcode.charge_account answered fewer charges than it was given"))
    // What is refused now might have been charged by a run that is still to come.
    return row.outcome !== "charged" && mayFollow ? Exit.fail(databaseAway) : exitOf(row)
  })

const exitOf = (row: ChargedRow): Exit.Exit<ChargeReceipt, ChargeFailure> => {
  const { amount, balance, day_ends_in, granted_level } = row
  switch (row.outcome) {
    case "charged":
      return Exit.succeed({ charged: amount, balance })
    case "insufficient":
      return Exit.fail(new InsufficientCredits({ required: amount, balance }))
    case "daily_limit":
      return Exit.fail(
        new DailyLimitReached({ required: amount, limit: row.daily_limit, balance, retry_after_s: day_ends_in })
      )
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

interface GrantedRow {
  readonly outcome: "conflict" | "granted" | "no_account" | "repeated"
  readonly id: string
  readonly balance: number
}

/** A grant is known by its reference, so whoever does not hear of one asks again. */
const makeGrant = (
  sql: SqlClient.SqlClient,
  { amount, environment, organization_id, reference }: Grant
): Effect.Effect<GrantReceipt, Conflict | NotFound | Unavailable> => {
  if (!(isWholeAmount(amount) && amount > 0)) return Effect.die(notAnAmount("grant", amount))
  if (!isStorable(organization_id)) return Effect.fail(noSuchOrganization)
  const granted = sql<GrantedRow>`SELECT * FROM postcode.grant_credits(
    ${organization_id}, ${environment}, ${newEntryId()}, ${PgTypes.int8(BigInt(amount))}, ${reference})`
  return Effect.flatMap(asking(granted), ([row]): Effect.Effect<GrantReceipt, Conflict | NotFound> => {
    switch (row?.outcome) {
      case "granted":
      case "repeated":
        return Effect.succeed({ entry_id: row.id, balance: row.balance, repeated: row.outcome === "repeated" })
      case "conflict":
        return Effect.fail(otherAmount)
      default:
        return Effect.fail(noSuchOrganization)
    }
  })
}

interface ThresholdRow {
  readonly balance: number
  readonly changed: boolean
}

const setThreshold = (
  sql: SqlClient.SqlClient,
  { environment, organization_id }: Account,
  threshold: number | null
): Effect.Effect<ThresholdReceipt, NotFound | Unavailable> => {
  if (threshold !== null && !(isWholeAmount(threshold) && threshold > 0)) {
    return Effect.die(notAnAmount("threshold", threshold))
  }
  if (!isStorable(organization_id)) return Effect.fail(noSuchOrganization)
  const set = sql<ThresholdRow>`SELECT balance, changed FROM postcode.set_low_balance_threshold(
    ${organization_id}, ${environment}, ${threshold === null ? null : PgTypes.int8(BigInt(threshold))}::bigint)`
  return Effect.flatMap(asking(set), ([row]) =>
    row === undefined ? Effect.fail(noSuchOrganization) : Effect.succeed(row)
  )
}

interface StatementRow {
  readonly balance: bigint
  readonly low_balance_threshold: bigint | null
  /** These are null in the one row of a page without entries. */
  readonly number: bigint | null
  readonly id: string
  readonly amount: bigint
  readonly reason: EntryReason
  readonly reference: string
  readonly key_id: string | null
  readonly level: AccessLevel | null
  readonly balance_after: bigint
  readonly created_at: Date
}

/** One statement, so that the balance is the one of the entries. */
const readStatement = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { environment, organization_id }: Account,
  page: PageRequest,
  { reference }: EntryFilter = {}
) {
  const before = yield* numberBefore(page)
  if (!isStorable(organization_id)) return yield* Effect.fail(noSuchOrganization)
  const rows = yield* sql<StatementRow>`
    SELECT a.balance, a.low_balance_threshold,
      e.number, e.id, e.amount, e.reason, e.reference, e.key_id, e.level, e.balance_after, e.created_at
    FROM postcode.credit_accounts a
    LEFT JOIN LATERAL (
      ${reference === undefined ? newestEntries(sql) : entriesOf(sql, reference)}
      WHERE e.organization_id = a.organization_id AND e.environment = a.environment AND e.number < ${before}
      ORDER BY e.number DESC LIMIT ${rowsOfPage(page)}
    ) e ON true
    WHERE a.organization_id = ${organization_id} AND a.environment = ${environment}
    ORDER BY e.number DESC`
  const [first] = rows
  if (first === undefined) return yield* Effect.fail(noSuchOrganization)
  return {
    balance: Number(first.balance),
    low_balance_threshold: first.low_balance_threshold === null ? null : Number(first.low_balance_threshold),
    entries: pageOf(rows.filter(isEntry), page, toEntry)
  }
})

const newestEntries = (sql: SqlClient.SqlClient) => sql`SELECT e.* FROM postcode.ledger_entries e`

/** Those of a reference are found by its hash, before they are put in order: there are few. */
const entriesOf = (sql: SqlClient.SqlClient, reference: string) => sql`
  SELECT e.* FROM (
    SELECT * FROM postcode.ledger_entries r
    WHERE hashtextextended(r.reference, hashtextextended(r.organization_id, 0))
        = hashtextextended(${reference}, hashtextextended(a.organization_id, 0))
      AND r.reference = ${reference} OFFSET 0
  ) e`

type EntryRow = StatementRow & { readonly number: bigint }

const isEntry = (row: StatementRow): row is EntryRow => row.number !== null

const toEntry = ({
  amount,
  balance_after,
  created_at,
  id,
  key_id,
  level,
  reason,
  reference
}: EntryRow): LedgerEntry => ({
  id,
  amount: Number(amount),
  reason,
  reference,
  key_id,
  level,
  balance_after: Number(balance_after),
  created_at: created_at.toISOString()
})

/**
 * What is wrong with a charge that no request can have asked for. It must not come into a batch, which would fail as a
 * whole.
 */
const mistakeIn = ({ amount, environment, idempotency, key_id, organization_id, request_id }: Charge) => {
  if (!isWholeAmount(amount)) return notAnAmount("charge", amount)
  const texts = [
    organization_id,
    environment,
    key_id,
    request_id,
    idempotency?.key ?? "",
    idempotency?.fingerprint ?? ""
  ]
  return texts.every(isStorable) ? undefined : new RangeError("a charge: expected texts without the character U+0000")
}

/** PostgreSQL keeps every character but one. */
const isStorable = (text: string): boolean => !text.includes("\0")

const isWholeAmount = (amount: number): boolean => Number.isSafeInteger(amount) && amount >= 0

const notAnAmount = (of: string, amount: number): RangeError =>
  new RangeError(`the amount of a ${of}: expected whole credits, found ${amount}`)

const otherAmount = new Conflict({
  message: "reference: it stands for a grant of another amount already; take a new one for each grant"
})
