/** Writes decisions about charges, in one statement. */
import { PgTypes } from "@effect/sql-pg"
import type { ChargeDecision } from "@postcode/core/Credits"
import type { NoticeLimits } from "@postcode/gateway/notices/Notice"
import { dateOf, dayOf } from "@postcode/gateway/usage/UsageCounts"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { insertNotices } from "../notices/insertNotices.ts"
import { insertEvents } from "../webhooks/insertEvents.ts"
import { type AccountNames, type ChargeBatch, columnIn, namesOf } from "./ChargeBatch.ts"
import { addPastDays, type LastDay } from "./CreditDays.ts"
import type { AccountState } from "./readAccounts.ts"

/** The decision to write for an account. */
export interface Writing {
  readonly batch: ChargeBatch
  readonly account: AccountState
  readonly decision: ChargeDecision
}

/** Whether a decision changes anything. Each event comes with a change. */
export const isChange = (
  account: AccountState,
  { days, entries, is_shortage_reported, records }: ChargeDecision
): boolean => entries.length + records.length + days.size > 0 || is_shortage_reported !== account.is_shortage_reported

/**
 * Writes decisions, all or nothing for each account, and returns the indices of those that were written. Accounts that
 * are locked, or have changed since they were read, are skipped. So this never waits for a lock of an account, and
 * concurrent calls cannot deadlock.
 *
 * @param now_us the time when the accounts were read
 * @param limits whether events are told by mail, too
 */
export const writeCharges = (
  sql: SqlClient,
  writings: ReadonlyArray<Writing>,
  now_us: number,
  limits: NoticeLimits
): Effect.Effect<ReadonlySet<number>, SqlError> => {
  const names = namesOf(
    sql,
    writings.map(({ batch }) => batch)
  )
  const { environment, organization } = names
  const at = sql`to_timestamp(${now_us}::float8 / 1e6)`
  const parts = [
    writeEntries(sql, names, writings),
    writeDays(sql, names, writings, at),
    writeRecords(sql, names, writings),
    writePastDays(sql, names, writings, now_us),
    writeEvents(sql, names, writings, at, limits)
  ]
  const rows = sql<{ readonly account: number }>`
    WITH account AS (
      UPDATE postcode.credit_accounts a
      SET balance = w.balance, entries = w.entries, revision = a.revision + 1,
        is_shortage_reported = w.is_shortage_reported, charged_day = w.charged_day::date, charged_today = w.charged_today,
        last_entry_at = to_timestamp(w.entry_us / 1e6)
      FROM (
        SELECT w.* FROM ${changed(sql, names, writings, now_us)}
        CROSS JOIN LATERAL (
          SELECT FROM postcode.credit_accounts a
          WHERE a.organization_id = ${organization} AND a.environment = ${environment} AND a.revision = w.revision
          FOR UPDATE SKIP LOCKED
        ) unchanged
      ) w
      WHERE a.organization_id = ${organization} AND a.environment = ${environment}
      RETURNING w.*
    )${parts[0]}${parts[1]}${parts[2]}${parts[3]}${parts[4]}
    SELECT w.account::integer FROM account w`
  return Effect.map(rows, (rows) => new Set(rows.map(({ account }) => account - 1)))
}

/** The accounts as rows of `w`. */
const changed = (
  sql: SqlClient,
  { areColumns }: AccountNames,
  writings: ReadonlyArray<Writing>,
  now_us: number
): Fragment => {
  const column = columnIn(sql, writings)
  const counts = (fieldOf: (writing: Writing) => number) => column(PgTypes.OID.int8, (row) => BigInt(fieldOf(row)))
  const texts = (fieldOf: (writing: Writing) => string) => column(PgTypes.OID.text, fieldOf)
  const values = sql`${counts(({ decision }) => decision.balance)},
    ${counts(({ account, decision }) => account.entries + decision.entries.length)},
    ${counts(({ account }) => account.revision)},
    ${column(PgTypes.OID.bool, ({ decision }) => decision.is_shortage_reported)},
    ${column(PgTypes.OID.text, (writing) => lastDay(writing, now_us)?.date ?? null)},
    ${counts((writing) => lastDay(writing, now_us)?.charged ?? 0)},
    ${column(PgTypes.OID.float8, (writing) => lastEntry_us(writing, now_us))}`
  return areColumns
    ? sql`unnest(${values}, ${texts(({ account }) => account.organization_id)},
          ${texts(({ account }) => account.environment)}) WITH ORDINALITY
        AS w (balance, entries, revision, is_shortage_reported, charged_day, charged_today,
          entry_us, organization_id, environment, account)`
    : sql`unnest(${values}) WITH ORDINALITY
        AS w (balance, entries, revision, is_shortage_reported, charged_day, charged_today, entry_us, account)`
}

/** The time of the last entry, after a decision. Entries of an account are in order of time, even if the clock is set back. */
const lastEntry_us = ({ account, decision }: Writing, now_us: number): number =>
  decision.entries.length === 0 ? account.next_entry_us : Math.max(account.next_entry_us, now_us)

/** The last day that an account is charged, after a decision. One that charges nothing leaves the day. */
const lastDay = (writing: Writing, now_us: number): LastDay | undefined => {
  const { account, decision } = writing
  const charged = account.balance - decision.balance
  const former = account.lastDay
  if (charged === 0) return former
  const date = dayAt(lastEntry_us(writing, now_us))
  return { date, charged: former?.date === date ? former.charged + charged : charged }
}

/** The day in UTC of a time in microseconds, as PostgreSQL reads it. */
const dayAt = (now_us: number): string => dateOf(dayOf(Math.round(now_us) / 1_000))

/** Rows with the positions of their accounts, from 1. */
const rowsOf = <Row>(
  writings: ReadonlyArray<Writing>,
  of: (writing: Writing) => Iterable<Row>
): ReadonlyArray<Row & { readonly account: number }> =>
  writings.flatMap((writing, i) => Array.from(of(writing), (row) => ({ ...row, account: i + 1 })))

const writeEntries = (
  sql: SqlClient,
  { environment, organization }: AccountNames,
  writings: ReadonlyArray<Writing>
): Fragment => {
  const entries = rowsOf(writings, ({ account, batch, decision }) =>
    decision.entries.map(({ amount, balance_after, charge, index }, i) => ({
      ...{ charge, amount, balance_after },
      id: batch[index]?.id,
      number: account.entries + i + 1
    }))
  )
  if (entries.length === 0) return nothing(sql)
  const column = columnIn(sql, entries)
  const { int2, int4, int8, text } = PgTypes.OID
  return sql`, entry AS (
      INSERT INTO postcode.ledger_entries
        (organization_id, environment, number, id, amount, reason, reference, key_id, level, balance_after, created_at)
      SELECT ${organization}, ${environment}, c.number, c.id, c.amount, c.reason, c.reference, c.key_id, c.level,
        c.balance_after, to_timestamp(w.entry_us / 1e6)
      FROM unnest(
        ${column(int4, (entry) => entry.account)}, ${column(int8, (entry) => BigInt(entry.number))},
        ${column(text, (entry) => entry.id)}, ${column(int8, (entry) => BigInt(entry.amount))},
        ${column(text, ({ charge }) => charge.reason)}, ${column(text, ({ charge }) => charge.request_id)},
        ${column(text, ({ charge }) => charge.key_id)}, ${column(int2, ({ charge }) => charge.served_level ?? charge.level ?? null)},
        ${column(int8, (entry) => BigInt(entry.balance_after))}
      ) AS c (account, number, id, amount, reason, reference, key_id, level, balance_after)
      JOIN account w ON w.account = c.account
    )`
}

/** The last days of accounts that are charged on another day. */
const writePastDays = (
  sql: SqlClient,
  names: AccountNames,
  writings: ReadonlyArray<Writing>,
  now_us: number
): Fragment => {
  const pasts = rowsOf(writings, (writing) => {
    const former = writing.account.lastDay
    return former === undefined || former.date === lastDay(writing, now_us)?.date ? [] : [former]
  })
  return pasts.length === 0 ? nothing(sql) : sql`, past AS (${addPastDays(sql, names, pasts)})`
}

const writeDays = (
  sql: SqlClient,
  { organization }: AccountNames,
  writings: ReadonlyArray<Writing>,
  at: Fragment
): Fragment => {
  const days = rowsOf(writings, ({ decision }) =>
    Array.from(decision.days, ([chain_id, day]) => ({ chain_id, ...day }))
  )
  if (days.length === 0) return nothing(sql)
  const column = columnIn(sql, days)
  const { int4, int8, text } = PgTypes.OID
  return sql`, day AS (
      INSERT INTO postcode.key_days (organization_id, chain_id, day, charged, reported_limit)
      SELECT ${organization}, c.chain_id, (${at} AT TIME ZONE 'UTC')::date, c.charged, c.reported_limit
      FROM unnest(
        ${column(int4, ({ account }) => account)}, ${column(text, ({ chain_id }) => chain_id)},
        ${column(int8, ({ charged }) => BigInt(charged))}, ${column(int4, (day) => day.reported_limit ?? null)}
      ) AS c (account, chain_id, charged, reported_limit)
      JOIN account w ON w.account = c.account
      ON CONFLICT (organization_id, chain_id, day) DO UPDATE
      SET charged = EXCLUDED.charged, reported_limit = EXCLUDED.reported_limit
    )`
}

const writeRecords = (sql: SqlClient, { organization }: AccountNames, writings: ReadonlyArray<Writing>): Fragment => {
  const records = rowsOf(writings, ({ decision }) => decision.records)
  if (records.length === 0) return nothing(sql)
  const column = columnIn(sql, records)
  const { float8, int4, int8, text } = PgTypes.OID
  return sql`, record AS (
      INSERT INTO postcode.idempotency_keys
        (organization_id, chain_id, idempotency_key, fingerprint, charged, expires_at)
      SELECT ${organization}, c.chain_id, c.idempotency_key, c.fingerprint, c.charged, to_timestamp(c.expires_at_ms / 1e3)
      FROM unnest(
        ${column(int4, ({ account }) => account)}, ${column(text, ({ chain_id }) => chain_id)},
        ${column(text, ({ key }) => key)}, ${column(text, ({ fingerprint }) => fingerprint)},
        ${column(int8, ({ charged }) => BigInt(charged))}, ${column(float8, ({ expires_at_ms }) => expires_at_ms)}
      ) AS c (account, chain_id, idempotency_key, fingerprint, charged, expires_at_ms)
      JOIN account w ON w.account = c.account
      ON CONFLICT (organization_id, chain_id, idempotency_key) DO UPDATE
      SET fingerprint = EXCLUDED.fingerprint, charged = EXCLUDED.charged, expires_at = EXCLUDED.expires_at
    )`
}

const writeEvents = (
  sql: SqlClient,
  { organization }: AccountNames,
  writings: ReadonlyArray<Writing>,
  at: Fragment,
  limits: NoticeLimits
): Fragment => {
  const events = rowsOf(writings, ({ decision }) => decision.events.map((event) => ({ event })))
  if (events.length === 0) return nothing(sql)
  const isWritten = sql`JOIN account w ON w.account = c.account`
  const notices = insertNotices(sql, events, { organization, at, isWritten }, limits)
  return sql`, event AS (${insertEvents(sql, events, { organization, at, isWritten })})${
    notices === undefined ? nothing(sql) : sql`, notice AS (${notices})`
  }`
}

const nothing = (sql: SqlClient): Fragment => sql.literal("")
