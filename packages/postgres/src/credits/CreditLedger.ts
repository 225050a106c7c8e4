/**
 * Credit accounts on PostgreSQL. Charges go by group commit: of each account one batch of a replica is under way,
 * together with those of other accounts, in one call of a function that decides on each charge while it holds the
 * account's lock.
 */
import { PgTypes } from "@effect/sql-pg"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { EntryReason, LedgerEntry } from "@postcode/core/Credits"
import {
  type Charge,
  type CreditAccount,
  CreditLedger,
  type EntryFilter,
  type Grant,
  type GrantReceipt,
  otherAmount,
  type ThresholdReceipt
} from "@postcode/core/credits/CreditLedger"
import { type Conflict, type NotFound, notFound, type Unavailable } from "@postcode/core/Errors"
import type { PageRequest } from "@postcode/core/Page"
import { StoreMeter } from "@postcode/core/store/StoreMeter"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { asking } from "../connection/Database.ts"
import { numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { isStorable } from "../connection/StorableText.ts"
import { type IdentifiedCharge, makeChargeTogether } from "./ChargeBatches.ts"
import { newEntryId } from "./EntryId.ts"
import { makeGroupCommit } from "./GroupCommit.ts"

/**
 * A charge is committed by itself, whatever transaction its caller may be in; a grant belongs to its caller's. When a
 * replica's layer ends, the charges that wait are still made.
 */
export const layerCreditLedger: Layer.Layer<CreditLedger, never, SqlClient.SqlClient> = Layer.effect(
  CreditLedger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const meter = yield* StoreMeter
    const chargeTogether = makeChargeTogether(sql)
    const write = yield* makeGroupCommit({
      groupOf: ({ charge: { environment, organization_id } }: IdentifiedCharge) => `${environment} ${organization_id}`,
      commit: (batches) => {
        meter?.batch(batches.reduce((charges, { length }) => charges + length, 0))
        return chargeTogether(batches)
      },
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

/**
 * Charges that wait or are under way, of all accounts: as many as a database that is slow catches up with in a second.
 */
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
  if (!isStorable(organization_id)) return Effect.fail(notFound("organization"))
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
        return Effect.fail(notFound("organization"))
    }
  })
}

interface ThresholdRow {
  readonly balance: number
  readonly changed: boolean
}

const setThreshold = (
  sql: SqlClient.SqlClient,
  { environment, organization_id }: CreditAccount,
  threshold: number | null
): Effect.Effect<ThresholdReceipt, NotFound | Unavailable> => {
  if (threshold !== null && !(isWholeAmount(threshold) && threshold > 0)) {
    return Effect.die(notAnAmount("threshold", threshold))
  }
  if (!isStorable(organization_id)) return Effect.fail(notFound("organization"))
  const set = sql<ThresholdRow>`SELECT balance, changed FROM postcode.set_low_balance_threshold(
    ${organization_id}, ${environment}, ${threshold === null ? null : PgTypes.int8(BigInt(threshold))}::bigint)`
  return Effect.flatMap(asking(set), ([row]) =>
    row === undefined ? Effect.fail(notFound("organization")) : Effect.succeed(row)
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
  { environment, organization_id }: CreditAccount,
  page: PageRequest,
  { reference }: EntryFilter = {}
) {
  const before = yield* numberBefore(page)
  if (!isStorable(organization_id)) return yield* Effect.fail(notFound("organization"))
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
  if (first === undefined) return yield* Effect.fail(notFound("organization"))
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

const isWholeAmount = (amount: number): boolean => Number.isSafeInteger(amount) && amount >= 0

const notAnAmount = (of: string, amount: number): RangeError =>
  new RangeError(`the amount of a ${of}: expected whole credits, found ${amount}`)
