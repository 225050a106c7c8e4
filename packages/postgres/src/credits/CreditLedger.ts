/**
 * Balances on PostgreSQL. Charges use group commit: each replica writes one batch per balance at a time, together with
 * batches of other balances. Core decides on the charges.
 */
import { PgTypes } from "@effect/sql-pg"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import {
  assertCredits,
  type Charge,
  type Correction,
  type CorrectionKind,
  type CreditAccount,
  decideCorrection,
  type EntryReason,
  type EntryReceipt,
  type Grant,
  type LedgerEntry,
  lowBalance,
  repeatedCorrection,
  repeatedGrant
} from "@postcode/core/Credits"
import {
  type ArchivedEntries,
  CreditLedger,
  type EntryFilter,
  type ThresholdReceipt
} from "@postcode/gateway/credits/CreditLedger"
import { type Conflict, type NotFound, notFound, type Unavailable } from "@postcode/gateway/Errors"
import { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { type OrganizationStatus, organizationClosed } from "@postcode/gateway/organizations/Organization"
import type { PageRequest } from "@postcode/gateway/Page"
import { StoreMeter } from "@postcode/gateway/store/StoreMeter"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { makeBatcher } from "../connection/Batcher.ts"
import { asking, inTransaction } from "../connection/Database.ts"
import { numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { isStorable } from "../connection/StorableText.ts"
import { announceOn } from "../webhooks/insertEvents.ts"
import type { IdentifiedCharge } from "./ChargeBatch.ts"
import { addEntries, readCreditDays } from "./CreditDays.ts"
import { makeChargeTogether } from "./chargeTogether.ts"
import { newEntryId } from "./EntryId.ts"
import { openFrom } from "./months/StoredMonths.ts"

/**
 * A charge is committed independently of its caller's transaction; a grant or correction is part of it. When the layer's scope
 * closes, waiting charges are still written.
 */
export const layerCreditLedger: Layer.Layer<CreditLedger, never, SqlClient.SqlClient> = Layer.effect(
  CreditLedger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const meter = yield* StoreMeter
    const limits = yield* NoticeLimits
    const chargeTogether = makeChargeTogether(sql, limits)
    const write = yield* makeBatcher({
      groupOf: ({ charge: { environment, organization_id } }: IdentifiedCharge) => `${environment} ${organization_id}`,
      run: (batches) => {
        meter?.batch(batches.reduce((charges, { length }) => charges + length, 0))
        return chargeTogether(batches)
      },
      maxBatch: maxChargesPerTransaction,
      maxPending
    })

    return CreditLedger.of({
      grant: (grant) => Effect.suspend(() => makeGrant(sql, grant)),
      correct: (correction) => Effect.suspend(() => makeCorrection(sql, correction, limits)),
      charge: (charge) =>
        Effect.suspend(() => {
          assertCharge(charge)
          return write({ id: newEntryId(), charge })
        }),
      setThreshold: (account, threshold) => Effect.suspend(() => setThreshold(sql, account, threshold, limits)),
      statement: (account, page, filter) => asking(readStatement(sql, account, page, filter)),
      days: (environment, days) => asking(readCreditDays(sql, environment, days))
    })
  })
)

/** Each charge adds to the duration, so a higher number gains little throughput and fails together. */
const maxChargesPerTransaction = 500

/**
 * Waiting and running charges of all accounts: as many as a slow database can process in a second.
 */
const maxPending = 10_000

/** Deletes the daily sums of chains of keys, except those of today and yesterday, for charges around midnight. */
export const forgetPastKeyDays = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`DELETE FROM postcode.key_days WHERE day < (now() AT TIME ZONE 'UTC')::date - 1`
)

interface LockedAccount {
  readonly balance: number
  readonly entries: number
  readonly low_balance_threshold: number | null
}

/** Locks an account for a grant, a correction or a new threshold. */
const lockAccount = (
  sql: SqlClient.SqlClient,
  { environment, organization_id }: CreditAccount
): Effect.Effect<LockedAccount, NotFound | SqlError> =>
  Effect.flatMap(
    sql<LockedAccount>`SELECT balance::float8, entries::float8, low_balance_threshold::float8
      FROM postcode.credit_accounts
      WHERE organization_id = ${organization_id} AND environment = ${environment} FOR UPDATE`,
    ([account]) => (account === undefined ? Effect.fail(notFound("organization")) : Effect.succeed(account))
  )

interface GrantedRow {
  readonly entry_id: string
  readonly amount: number
  readonly balance: number
}

/** Grants are idempotent by their reference, so a caller without an answer can retry. */
const makeGrant = (
  sql: SqlClient.SqlClient,
  grant: Grant
): Effect.Effect<EntryReceipt, Conflict | NotFound | Unavailable> => {
  const { amount, environment, organization_id, reference } = grant
  assertCredits("grant", amount, 1)
  if (!isStorable(organization_id)) return Effect.fail(notFound("organization"))
  const work = Effect.gen(function* () {
    // The organization first, as when it is closed.
    const [organization] = yield* sql<{ readonly status: OrganizationStatus }>`
      SELECT status FROM postcode.organizations WHERE id = ${organization_id} FOR SHARE`
    const account = yield* lockAccount(sql, grant)
    const [given] = yield* sql<GrantedRow>`
      SELECT entry_id, amount::float8, balance_after::float8 AS balance FROM postcode.ledger_references
      WHERE organization_id = ${organization_id} AND environment = ${environment} AND purpose = 'grant'
        AND reference = ${reference}`
    if (given !== undefined) return yield* Effect.fromResult(repeatedGrant(given, amount))
    if (organization?.status === "closed") return yield* organizationClosed
    return yield* addEntry(sql, account, { ...grant, reason: "grant", balance: account.balance + amount })
  })
  return asking(inTransaction(sql, work))
}

interface CorrectedRow extends GrantedRow {
  readonly kind: CorrectionKind
  readonly note: string
}

/** Corrections are idempotent by their reference, too. */
const makeCorrection = (
  sql: SqlClient.SqlClient,
  correction: Correction,
  limits: NoticeLimits
): Effect.Effect<EntryReceipt, Conflict | NotFound | Unavailable> => {
  const { amount, environment, kind, organization_id, reference } = correction
  assertCredits("correction", Math.abs(amount), 1)
  if (!isStorable(organization_id)) return Effect.fail(notFound("organization"))
  const work = Effect.gen(function* () {
    const account = yield* lockAccount(sql, correction)
    const [given] = yield* sql<CorrectedRow>`
      SELECT entry_id, amount::float8, balance_after::float8 AS balance, reason AS kind, note
      FROM postcode.ledger_references
      WHERE organization_id = ${organization_id} AND environment = ${environment} AND purpose = 'correction'
        AND reference = ${reference}`
    if (given !== undefined) return yield* Effect.fromResult(repeatedCorrection(given, correction))
    const decision = decideCorrection({ organization_id, environment, ...account }, correction)
    const { balance, events } = yield* Effect.fromResult(decision)
    const receipt = yield* addEntry(sql, account, { ...correction, reason: kind, balance })
    yield* announceOn(sql, organization_id, events, limits)
    return receipt
  })
  return asking(inTransaction(sql, work))
}

/** An entry that is not a charge, and the balance after it. */
interface AddedEntry extends CreditAccount {
  readonly amount: number
  readonly reason: EntryReason
  readonly reference: string
  readonly note?: string | null
  readonly balance: number
}

/** Writes an entry to a locked account, and its reference. */
const addEntry = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { entries }: LockedAccount,
  { amount, balance, environment, note = null, organization_id, reason, reference }: AddedEntry
) {
  const entry_id = newEntryId()
  const number = PgTypes.int8(BigInt(entries + 1))
  yield* sql`WITH account AS (
      UPDATE postcode.credit_accounts
      SET balance = ${PgTypes.int8(BigInt(balance))}, entries = ${number}, revision = revision + 1,
        is_shortage_reported = is_shortage_reported AND ${amount <= 0}::boolean,
        last_entry_at = greatest(last_entry_at, clock_timestamp(), ${openFrom(sql)})
      WHERE organization_id = ${organization_id} AND environment = ${environment}
      RETURNING *
    ), entry AS (
      INSERT INTO postcode.ledger_entries
        (organization_id, environment, number, id, amount, reason, reference, note, balance_after, created_at)
      SELECT organization_id, environment, entries, ${entry_id}, ${PgTypes.int8(BigInt(amount))}, ${reason}::text,
        ${reference}::text, ${note}::text, balance, last_entry_at
      FROM account RETURNING *
    ), referenced AS (
      INSERT INTO postcode.ledger_references
        (organization_id, environment, purpose, reference, entry_id, amount, reason, note, balance_after)
      SELECT organization_id, environment, CASE reason WHEN 'grant' THEN 'grant' ELSE 'correction' END, reference, id,
        amount, reason, note, balance_after
      FROM entry
    )
    ${addEntries(sql, reason)}`
  return { entry_id, balance, repeated: false }
})

const setThreshold = (
  sql: SqlClient.SqlClient,
  account: CreditAccount,
  threshold: number | null,
  limits: NoticeLimits
): Effect.Effect<ThresholdReceipt, NotFound | Unavailable> => {
  const { environment, organization_id } = account
  if (threshold !== null) assertCredits("threshold", threshold, 1)
  if (!isStorable(organization_id)) return Effect.fail(notFound("organization"))
  const work = Effect.gen(function* () {
    const { balance, low_balance_threshold: former } = yield* lockAccount(sql, account)
    if (former === threshold) return { balance, changed: false }
    yield* sql`UPDATE postcode.credit_accounts
      SET low_balance_threshold = ${threshold === null ? null : PgTypes.int8(BigInt(threshold))}::bigint,
        revision = revision + 1
      WHERE organization_id = ${organization_id} AND environment = ${environment}`
    const events = lowBalance({ ...account, low_balance_threshold: threshold }, balance)
    yield* announceOn(sql, organization_id, events, limits)
    return { balance, changed: true }
  })
  return asking(inTransaction(sql, work))
}

interface StatementRow {
  readonly balance: bigint
  readonly low_balance_threshold: bigint | null
  /** Columns of the archive; null if the account has no entry there. */
  readonly archived_before: string | null
  readonly archived_entries: bigint | null
  readonly archived_balance: bigint | null
  /** Columns of the entry are null in the only row of a page without entries. */
  readonly number: bigint | null
  readonly id: string
  readonly amount: bigint
  readonly reason: EntryReason
  readonly reference: string
  readonly key_id: string | null
  readonly level: AccessLevel | null
  readonly note: string | null
  readonly balance_after: bigint
  readonly created_at: Date
}

/** One statement, so that the balance and the entries are consistent. */
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
      to_char(m.month + interval '1 month', 'YYYY-MM') AS archived_before, c.last_number AS archived_entries,
      c.balance AS archived_balance,
      e.number, e.id, e.amount, e.reason, e.reference, e.key_id, e.level, e.note, e.balance_after, e.created_at
    FROM postcode.credit_accounts a
    CROSS JOIN (SELECT max(month) AS month FROM postcode.ledger_months WHERE archived_at IS NOT NULL) m
    LEFT JOIN LATERAL (
      SELECT c.last_number, c.balance FROM postcode.ledger_closings c
      WHERE c.organization_id = ${organization_id} AND c.environment = a.environment AND c.month <= m.month
      ORDER BY c.month DESC LIMIT 1
    ) c ON true
    LEFT JOIN LATERAL (
      ${reference === undefined ? newestEntries(sql) : entriesOf(sql, organization_id, reference)}
      WHERE e.organization_id = ${organization_id} AND e.environment = a.environment AND e.number < ${before}
        ${reference === undefined ? sql.literal("") : sql`AND e.reference = ${reference}`}
      ORDER BY e.number DESC LIMIT ${rowsOfPage(page)}
    ) e ON true
    WHERE a.organization_id = ${organization_id} AND a.environment = ${environment}
    ORDER BY e.number DESC`
  const [first] = rows
  if (first === undefined) return yield* Effect.fail(notFound("organization"))
  return {
    balance: Number(first.balance),
    low_balance_threshold: first.low_balance_threshold === null ? null : Number(first.low_balance_threshold),
    archived: archivedIn(first),
    entries: pageOf(rows.filter(isEntry), page, toEntry)
  }
})

const archivedIn = ({ archived_balance, archived_before, archived_entries }: StatementRow): ArchivedEntries | null =>
  archived_before === null || archived_entries === null
    ? null
    : { before: archived_before, entries: Number(archived_entries), balance: Number(archived_balance) }

const newestEntries = (sql: SqlClient.SqlClient) => sql`SELECT e.* FROM postcode.ledger_entries e`

/**
 * The few entries of a reference are found by its hash and then sorted. `OFFSET 0` keeps the planner to this order, instead
 * of reading all entries of a large account.
 */
const entriesOf = (sql: SqlClient.SqlClient, organization_id: string, reference: string) => sql`
  SELECT e.* FROM (
    SELECT * FROM postcode.ledger_entries r
    WHERE hashtextextended(r.reference, hashtextextended(r.organization_id, 0))
        = hashtextextended(${reference}, hashtextextended(${organization_id}, 0)) OFFSET 0
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
  note,
  reason,
  reference
}: EntryRow): LedgerEntry => ({
  id,
  amount: Number(amount),
  reason,
  reference,
  key_id,
  level,
  note,
  balance_after: Number(balance_after),
  created_at: created_at.toISOString()
})

/**
 * Checks for values that no request can contain, because they would fail the whole batch.
 *
 * @throws RangeError for such a value
 */
const assertCharge = ({ amount, environment, idempotency, key_id, organization_id, request_id }: Charge): void => {
  assertCredits("charge", amount, 0)
  const texts = [
    organization_id,
    environment,
    key_id,
    request_id,
    idempotency?.key ?? "",
    idempotency?.fingerprint ?? ""
  ]
  if (!texts.every(isStorable)) throw new RangeError("a charge: expected texts without the character U+0000")
}
