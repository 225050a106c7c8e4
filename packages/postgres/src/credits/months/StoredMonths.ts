/** Months of the ledger as they are stored: their entries, closings and archives. */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { type AccountSum, accountName, type Closing } from "./EntryCheck.ts"
import { type LedgerFailure, ledgerFailure } from "./LedgerFailure.ts"

/** A closed month. Columns of the archive are null before it. */
export interface ClosedMonth {
  /** `2026-01` */
  readonly month: string
  readonly entries: number
  readonly file: string | null
  readonly sha256: string | null
  readonly bytes: number | null
  readonly is_archived: boolean
  readonly is_dropped: boolean
}

/** All closed months, oldest first. */
export const closedMonths = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<ClosedMonth>`
    SELECT to_char(month, 'YYYY-MM') AS month, entries::float8, file, sha256, bytes::float8,
      archived_at IS NOT NULL AS is_archived, dropped_at IS NOT NULL AS is_dropped
    FROM postcode.ledger_months WHERE closed_at IS NOT NULL ORDER BY ledger_months.month`
)

interface ClosingRow extends Omit<Closing, "account"> {
  readonly organization_id: string
  readonly environment: string
}

/**
 * SQL for the earliest time of a new entry; null if every month takes entries. It is later than the clock only if the clock
 * was set back into a month that takes none, or forward for long enough that a month was closed too early.
 */
export const openFrom = (sql: SqlClient.SqlClient) =>
  sql.literal("(SELECT (max(month) + interval '1 month') AT TIME ZONE 'UTC' FROM postcode.ledger_months)")

/** The closings of a month. */
export const closingsOf = (sql: SqlClient.SqlClient, month: string): Effect.Effect<ReadonlyArray<Closing>, SqlError> =>
  Effect.map(
    sql<ClosingRow>`
      SELECT organization_id, environment, entries::float8, sum::float8, last_number::float8, balance::float8
      FROM postcode.ledger_closings WHERE month = to_date(${month}, 'YYYY-MM')`,
    (rows) =>
      rows.map(({ environment, organization_id, ...closing }) => ({
        account: accountName(organization_id, environment),
        ...closing
      }))
  )

/** All accounts after a month, from their latest closings. */
export const accountsAfter = (
  sql: SqlClient.SqlClient,
  month: string
): Effect.Effect<Map<string, AccountSum>, SqlError> =>
  Effect.map(
    sql<ClosingRow>`
      SELECT DISTINCT ON (organization_id, environment) organization_id, environment, last_number::float8, balance::float8
      FROM postcode.ledger_closings WHERE month <= to_date(${month}, 'YYYY-MM')
      ORDER BY organization_id, environment, month DESC`,
    (rows) =>
      new Map(
        rows.map(({ balance, environment, last_number, organization_id }) => [
          accountName(organization_id, environment),
          { number: last_number, balance, references: 0 }
        ])
      )
  )

/**
 * Reads entries as lines of an archive, by account and number, within a transaction in UTC.
 *
 * @param source `postcode.ledger_entries_2026_01`, and a condition if any: never from outside, as it is not escaped
 */
export const readLines = (
  sql: SqlClient.SqlClient,
  source: string,
  use: (lines: ReadonlyArray<string>) => Promise<void>
): Effect.Effect<void, LedgerFailure | SqlError> =>
  Effect.gen(function* () {
    yield* sql.unsafe(`DECLARE ledger_lines NO SCROLL CURSOR FOR
      SELECT row_to_json(e)::text AS line FROM (
        SELECT organization_id, environment, number, id, amount, reason, reference, key_id, level, note, balance_after,
          created_at
        FROM ${source} ORDER BY organization_id, environment, number
      ) e`).unprepared
    for (;;) {
      const rows = yield* sql.unsafe<{ readonly line: string }>(`FETCH ${linesPerFetch} FROM ledger_lines`).unprepared
      const lines = rows.map(({ line }) => line)
      if (lines.length > 0) yield* Effect.tryPromise({ try: () => use(lines), catch: ledgerFailure })
      if (lines.length < linesPerFetch) break
    }
    yield* sql.unsafe("CLOSE ledger_lines").unprepared
  })

const linesPerFetch = 5_000
