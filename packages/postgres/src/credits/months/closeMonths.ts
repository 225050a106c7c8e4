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
  const day = sql`to_date(${month}, 'YYYY-MM')`
  const entriesOfMonth = sql.literal(`postcode.${name}`)
  yield* sql`SELECT set_config('statement_timeout', ${timeout}, true)`
  const [closed] = yield* sql<{ readonly entries: string; readonly wrong: ReadonlyArray<string> }>`
    WITH sums AS (
      SELECT organization_id, environment, count(*) AS entries, sum(amount)::bigint AS sum, min(number) AS first_number,
        max(number) AS last_number
      FROM ${entriesOfMonth} GROUP BY organization_id, environment
    ), closings AS (
      SELECT s.organization_id, s.environment, s.entries, s.sum, s.last_number, e.balance_after AS balance,
        s.first_number = coalesce(p.last_number, 0) + 1 AND s.last_number = coalesce(p.last_number, 0) + s.entries
          AND e.balance_after = coalesce(p.balance, 0) + s.sum AS is_right
      FROM sums s
      JOIN ${entriesOfMonth} e
        ON e.organization_id = s.organization_id AND e.environment = s.environment AND e.number = s.last_number
      LEFT JOIN postcode.ledger_closings p ON p.organization_id = s.organization_id AND p.environment = s.environment
        AND p.month = (
          SELECT max(q.month) FROM postcode.ledger_closings q
          WHERE q.organization_id = s.organization_id AND q.environment = s.environment AND q.month < ${day}
        )
    ), written AS (
      INSERT INTO postcode.ledger_closings (organization_id, environment, month, entries, sum, last_number, balance)
      SELECT organization_id, environment, ${day}, entries, sum, last_number, balance FROM closings WHERE is_right
    )
    SELECT coalesce(sum(entries), 0)::text AS entries,
      coalesce((array_agg(organization_id || ' ' || environment) FILTER (WHERE NOT is_right))[1:10], '{}') AS wrong
    FROM closings`
  const { entries = "0", wrong = [] } = closed ?? {}
  if (wrong.length > 0) {
    return yield* Effect.fail(
      new LedgerFailure(`the entries of ${month} do not sum up to the balances of: ${wrong.join(", ")}`)
    )
  }
  yield* sql`UPDATE postcode.ledger_months SET entries = ${entries}::text::bigint, closed_at = clock_timestamp()
    WHERE month = ${day}`
})
