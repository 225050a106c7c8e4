/**
 * Closes months of the ledger: from then on no entry can be added to the month, and the closing balance of each account
 * is stored. Both steps are repeatable, and each is one transaction.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { alone } from "../../maintenance/MaintenanceStep.ts"
import { type Journal, monthsOf } from "../../maintenance/Partitions.ts"
import { LedgerFailure } from "./LedgerFailure.ts"

/** The ledger as a journal: no month is ever dropped by itself. */
export const ledgerJournal: Journal = { table: "ledger_entries", column: "created_at", retention_days: undefined }

/**
 * Closes the months that ended more than a day ago, oldest first. Fails if the entries of an account do not continue its
 * closing before, or do not sum up to the balance after the last one; then this month and later ones stay open.
 *
 * @param timeout the timeout of a statement, which reads all entries of a month: `280s`, or `0` for none
 */
export const closeMonths = (timeout: string): Effect.Effect<void, LedgerFailure | SqlError, SqlClient.SqlClient> =>
  Effect.asVoid(Effect.repeat(alone("months", closeFirst(timeout)), { while: (did) => did === true }))

interface OpenMonth {
  readonly name: string
  readonly month: string
}

const closeFirst = (timeout: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [open] = yield* sql<OpenMonth & { readonly is_sealed: boolean }>`
      SELECT name, to_char(month, 'YYYY-MM') AS month, EXISTS (
        SELECT FROM postcode.ledger_months sealed WHERE sealed.month = months.month
      ) AS is_sealed
      FROM ${monthsOf(sql, ledgerJournal)}
      WHERE month + interval '1 month 1 day' <= now()
        AND month NOT IN (SELECT month FROM postcode.ledger_months WHERE closed_at IS NOT NULL)
      ORDER BY month LIMIT 1`
    if (open === undefined) return false
    yield* open.is_sealed ? storeClosings(sql, open, timeout) : seal(sql, open)
    return true
  })

/**
 * Refuses any further entry. The lock waits for transactions that have written to the month, so that their entries are
 * visible afterwards, whenever they began.
 */
const seal = (sql: SqlClient.SqlClient, { month, name }: OpenMonth) =>
  Effect.andThen(
    sql.unsafe(`ALTER TABLE postcode.${name} ADD CONSTRAINT closed CHECK (false) NOT VALID`).unprepared,
    sql`INSERT INTO postcode.ledger_months (month) VALUES (to_date(${month}, 'YYYY-MM'))`
  )

const storeClosings = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  { month, name }: OpenMonth,
  timeout: string
) {
  const entries = sql.literal(`postcode.${name}`)
  const day = sql`to_date(${month}, 'YYYY-MM')`
  yield* sql`SELECT set_config('statement_timeout', ${timeout}, true)`
  const wrong = yield* sql<{ readonly account: string }>`
    WITH sums AS (
      SELECT organization_id, environment, count(*) AS entries, sum(amount)::bigint AS sum, min(number) AS first_number,
        max(number) AS last_number
      FROM ${entries} GROUP BY organization_id, environment
    ), closings AS (
      SELECT s.*, e.balance_after AS balance,
        s.first_number = coalesce(p.last_number, 0) + 1 AND s.last_number = coalesce(p.last_number, 0) + s.entries
          AND e.balance_after = coalesce(p.balance, 0) + s.sum AS is_right
      FROM sums s
      CROSS JOIN LATERAL (
        SELECT e.balance_after FROM ${entries} e
        WHERE e.organization_id = s.organization_id AND e.environment = s.environment AND e.number = s.last_number LIMIT 1
      ) e
      LEFT JOIN LATERAL (
        SELECT p.last_number, p.balance FROM postcode.ledger_closings p
        WHERE p.organization_id = s.organization_id AND p.environment = s.environment AND p.month < ${day}
        ORDER BY p.month DESC LIMIT 1
      ) p ON true
    ), written AS (
      INSERT INTO postcode.ledger_closings (organization_id, environment, month, entries, sum, last_number, balance)
      SELECT organization_id, environment, ${day}, entries, sum, last_number, balance FROM closings WHERE is_right
    ), closed AS (
      UPDATE postcode.ledger_months m
      SET entries = (SELECT coalesce(sum(entries), 0) FROM closings), closed_at = clock_timestamp() WHERE m.month = ${day}
    )
    SELECT organization_id || ' ' || environment AS account FROM closings WHERE NOT is_right LIMIT 10`
  if (wrong.length > 0) {
    const accounts = wrong.map(({ account }) => account).join(", ")
    return yield* Effect.fail(
      new LedgerFailure(`the entries of ${month} do not sum up to the balances of: ${accounts}`)
    )
  }
})
