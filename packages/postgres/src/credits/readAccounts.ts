/** Reads all that a decision about charges depends on, in one statement. */
import { PgTypes } from "@effect/sql-pg"
import type { AccessLevel } from "@postcode/core/AccessLevel"
import type { Environment } from "@postcode/core/Credits"
import type { ChargeReceipt, CreditAccount } from "@postcode/core/credits/CreditLedger"
import type { ChargeableAccount, ChargeableKey, IdempotencyRecord } from "@postcode/core/credits/decideCharges"
import type { KybStatus } from "@postcode/core/Organization"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type ChargeBatch, columnIn, namesOf } from "./ChargeBatch.ts"

/** An account as it stood at a revision. */
export interface AccountState extends ChargeableAccount {
  /** How many entries it has. */
  readonly entries: number
  readonly revision: number
}

/** What was read for one batch. */
export interface BatchState {
  /** Undefined if there is none. */
  readonly account: AccountState | undefined
  /** Of charges whose entries are written already, by the entries' ids. */
  readonly written: ReadonlyMap<string, ChargeReceipt>
}

/** What was read, and when by the database's clock, in microseconds since 1970. */
export interface ReadAccounts {
  readonly now_us: number
  readonly states: ReadonlyArray<BatchState>
}

/**
 * Reads what is known of the accounts of batches. Each look-up is lateral and of one row, so it goes by the whole key of
 * an index, whatever the tables hold.
 *
 * @param findWritten whether to look for entries of these charges, which a lost commit may have written
 */
export const readAccounts = (
  sql: SqlClient,
  batches: ReadonlyArray<ChargeBatch>,
  findWritten: boolean
): Effect.Effect<ReadAccounts, SqlError> => {
  const questions = batches.flatMap((batch, i) => questionsOf(batch, i, findWritten))
  const { environment, organization } = namesOf(sql, batches)
  const rows = sql<AnswerRow>`
    SELECT w.place::integer, extract(epoch FROM statement_timestamp())::float8 * 1e6 AS now_us,
      a.balance::float8, a.entries::float8, a.revision::float8, a.low_balance_threshold::float8,
      o.granted_level, o.kyb_status, k.environment, k.expires_at, k.revoked_at, k.daily_credit_limit,
      d.charged::float8 AS charged_today, r.fingerprint, r.charged::float8,
      extract(epoch FROM r.expires_at)::float8 * 1e3 AS expires_at_ms,
      -e.amount::float8 AS written, e.balance_after::float8
    FROM ${asked(sql, batches, questions)}
    CROSS JOIN LATERAL (
      SELECT * FROM postcode.credit_accounts a
      WHERE a.organization_id = ${organization} AND a.environment = ${environment} LIMIT 1
    ) a
    CROSS JOIN LATERAL (SELECT * FROM postcode.organizations o WHERE o.id = ${organization} LIMIT 1) o
    LEFT JOIN LATERAL (
      SELECT * FROM postcode.api_keys k WHERE k.organization_id = ${organization} AND k.id = w.key_id LIMIT 1
    ) k ON true
    LEFT JOIN LATERAL (
      SELECT * FROM postcode.key_days d
      WHERE k.daily_credit_limit IS NOT NULL AND d.organization_id = ${organization} AND d.key_id = w.key_id
        AND d.day = (statement_timestamp() AT TIME ZONE 'UTC')::date LIMIT 1
    ) d ON true
    LEFT JOIN LATERAL (
      SELECT * FROM postcode.idempotency_keys r
      WHERE w.idempotency_key IS NOT NULL AND r.organization_id = ${organization} AND r.key_id = w.key_id
        AND r.idempotency_key = w.idempotency_key LIMIT 1
    ) r ON true
    LEFT JOIN LATERAL (
      SELECT * FROM postcode.ledger_entries e
      WHERE w.entry_id IS NOT NULL AND e.organization_id = ${organization} AND e.id = w.entry_id LIMIT 1
    ) e ON true`
  return Effect.map(rows, (rows) => toStates(batches, questions, rows))
}

/** An API key of an account, an idempotency key of it, and an entry that may be there already. */
interface Question {
  /** The place of its batch. */
  readonly batch: number
  readonly account: CreditAccount
  readonly key_id: string
  readonly idempotency_key: string | null
  readonly entry_id: string | null
}

interface AnswerRow {
  /** The place of the question, from 1. */
  readonly place: number
  readonly now_us: number
  readonly balance: number
  readonly entries: number
  readonly revision: number
  readonly low_balance_threshold: number | null
  readonly granted_level: AccessLevel
  readonly kyb_status: KybStatus
  /** Of the key; null if there is none. */
  readonly environment: Environment | null
  readonly expires_at: Date | null
  readonly revoked_at: Date | null
  readonly daily_credit_limit: number | null
  readonly charged_today: number | null
  /** Of the idempotency key; null if it is not known. */
  readonly fingerprint: string | null
  readonly charged: number
  readonly expires_at_ms: number
  /** What the entry took; null if there is none. */
  readonly written: number | null
  readonly balance_after: number
}

/** One for each pair of keys, or for each charge where its entry is looked for. */
const questionsOf = (batch: ChargeBatch, i: number, findWritten: boolean): ReadonlyArray<Question> => {
  const questions = new Map<string, Question>()
  for (const { charge, id } of batch) {
    const idempotency_key = charge.idempotency?.key ?? null
    const name = findWritten ? id : recordName(charge.key_id, idempotency_key)
    const entry_id = findWritten ? id : null
    questions.set(name, { batch: i, account: charge, key_id: charge.key_id, idempotency_key, entry_id })
  }
  return [...questions.values()]
}

const recordName = (key_id: string, idempotency_key: string | null): string =>
  idempotency_key === null ? key_id : `${key_id} ${idempotency_key}`

/** The questions as rows of `w`. */
const asked = (sql: SqlClient, batches: ReadonlyArray<ChargeBatch>, questions: ReadonlyArray<Question>) => {
  const column = columnIn(sql, questions)
  const texts = (fieldOf: (question: Question) => string | null) => column(PgTypes.OID.text, fieldOf)
  const keys = sql`${texts(({ key_id }) => key_id)}, ${texts((question) => question.idempotency_key)},
    ${texts(({ entry_id }) => entry_id)}`
  return namesOf(sql, batches).areColumns
    ? sql`unnest(${keys}, ${texts(({ account }) => account.organization_id)},
          ${texts(({ account }) => account.environment)}) WITH ORDINALITY
        AS w (key_id, idempotency_key, entry_id, organization_id, environment, place)`
    : sql`unnest(${keys}) WITH ORDINALITY AS w (key_id, idempotency_key, entry_id, place)`
}

/** What the rows of one batch say. */
interface FoundRows {
  first: AnswerRow | undefined
  readonly keys: Map<string, ChargeableKey & { readonly charged_today: number }>
  readonly records: Map<string, IdempotencyRecord>
  readonly written: Map<string, ChargeReceipt>
}

const toStates = (
  batches: ReadonlyArray<ChargeBatch>,
  questions: ReadonlyArray<Question>,
  rows: ReadonlyArray<AnswerRow>
): ReadAccounts => {
  const found = batches.map(
    (): FoundRows => ({ first: undefined, keys: new Map(), records: new Map(), written: new Map() })
  )
  for (const row of rows) {
    const question = questions[row.place - 1] as Question
    note(found[question.batch] as FoundRows, question, row)
  }
  const states = found.map((rows, i) => ({ account: toAccount(batches[i]?.[0]?.charge, rows), written: rows.written }))
  return { now_us: rows[0]?.now_us ?? 0, states }
}

const note = (found: FoundRows, { account, entry_id, idempotency_key, key_id }: Question, row: AnswerRow): void => {
  const { balance_after, charged, expires_at_ms, fingerprint, written } = row
  found.first ??= row
  if (row.environment !== null) {
    found.keys.set(key_id, {
      id: key_id,
      organization_id: account.organization_id,
      environment: row.environment,
      ...(row.expires_at !== null && { expires_at: row.expires_at.toISOString() }),
      ...(row.revoked_at !== null && { revoked_at: row.revoked_at.toISOString() }),
      ...(row.daily_credit_limit !== null && { daily_credit_limit: row.daily_credit_limit }),
      charged_today: row.charged_today ?? 0
    })
  }
  if (fingerprint !== null) {
    found.records.set(recordName(key_id, idempotency_key), { fingerprint, charged, expires_at_ms })
  }
  if (entry_id !== null && written !== null) found.written.set(entry_id, { charged: written, balance: balance_after })
}

const toAccount = (
  account: CreditAccount | undefined,
  { first, keys, records }: FoundRows
): AccountState | undefined => {
  if (account === undefined || first === undefined) return undefined
  const { balance, entries, granted_level, kyb_status, low_balance_threshold, revision } = first
  return {
    organization_id: account.organization_id,
    environment: account.environment,
    balance,
    entries,
    revision,
    low_balance_threshold,
    organization: { granted_level, kyb_status },
    findKey: (key_id) => keys.get(key_id),
    chargedToday: (key_id) => keys.get(key_id)?.charged_today ?? 0,
    findRecord: (key_id, key) => records.get(recordName(key_id, key))
  }
}
