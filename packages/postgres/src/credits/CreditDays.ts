/**
 * Sums of ledger entries by day. An account's row has the charges of its last day; the first charge of another day moves
 * them to `credit_days`. All other entries are rare, and are added there at once.
 */
import { PgTypes } from "@effect/sql-pg"
import type { Environment } from "@postcode/core/Credits"
import { type CreditDay, sumOf } from "@postcode/gateway/credits/CreditLedger"
import type { ReportDays } from "@postcode/gateway/usage/reportDays"
import type { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { type AccountNames, columnIn } from "./ChargeBatch.ts"
import { lastTotal, sumsOfDays, totalColumns, totalNumbers, totalsOfSums } from "./CreditTotals.ts"

/** The charges of an account on the last day that it was charged. */
export interface LastDay {
  /** `2026-01-31`, in UTC. */
  readonly date: string
  readonly charged: number
}

/**
 * Adds the last days of accounts to their sums.
 *
 * @param pasts with the positions of their accounts `w`, from 1
 */
export const addPastDays = (
  sql: SqlClient,
  { environment, organization }: AccountNames,
  pasts: ReadonlyArray<LastDay & { readonly account: number }>
): Fragment => {
  const column = columnIn(sql, pasts)
  const { int4, int8, text } = PgTypes.OID
  return sql`INSERT INTO postcode.credit_days (organization_id, environment, day, sum, credits)
      SELECT ${organization}, ${environment}, c.day::date, 'charged', c.charged
      FROM unnest(
        ${column(int4, ({ account }) => account)}, ${column(text, ({ date }) => date)},
        ${column(int8, ({ charged }) => BigInt(charged))}
      ) AS c (account, day, charged)
      JOIN account w ON w.account = c.account
      ${onConflict(sql)}`
}

/** Adds the entries of the common table expression `entry`, which are no charges. */
export const addEntries = (sql: SqlClient, reason: Parameters<typeof sumOf>[0]): Fragment =>
  sql`INSERT INTO postcode.credit_days (organization_id, environment, day, sum, credits)
    SELECT organization_id, environment, (created_at AT TIME ZONE 'UTC')::date, ${sumOf(reason)}::text, amount FROM entry
    ${onConflict(sql)}`

// A clock that is set back over midnight adds to a day again.
const onConflict = (sql: SqlClient): Fragment =>
  sql.literal(`ON CONFLICT (organization_id, environment, day, sum)
      DO UPDATE SET credits = credit_days.credits + EXCLUDED.credits`)

/** The sums of all organizations, oldest day first. */
export const readCreditDays = (
  sql: SqlClient,
  environment: Environment,
  { from, to }: ReportDays
): Effect.Effect<ReadonlyArray<CreditDay>, SqlError> => {
  const last = lastTotal(sql)
  const recent = sumsOfDays(sql, sql`greatest(${last}, ${from}::date - 1)`, sql`${to}::date`)
  return sql<CreditDay>`
    SELECT date, ${sql.literal(totalNumbers)} FROM (
      SELECT day::text AS date, ${sql.literal(totalColumns)} FROM postcode.credit_totals
      WHERE environment = ${environment} AND day BETWEEN ${from}::date AND least(${to}::date, ${last}) AND has_entries
      UNION ALL
      SELECT day::text, ${sql.literal(totalsOfSums)} FROM ${recent} AS recent
      WHERE environment = ${environment} GROUP BY day
    ) AS days
    ORDER BY date`
}
