/**
 * Monthly partitions of the journals, such as `audit_events_2026_01`. They are created in advance and dropped after the
 * retention. Rows without a partition are in the default partition until the partition of their month is created.
 */

import type { AuditAction } from "@postcode/gateway/audit/AuditLog"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql/SqlError"
import { newEventId } from "../audit/EventId.ts"
import { newRowNumber } from "../connection/RowNumber.ts"
import { alone } from "./MaintenanceStep.ts"

/** A table of the schema that is partitioned by the month of one of its columns. */
export interface Journal {
  readonly table: "audit_events" | "ledger_entries" | "selections" | "usage_by_day" | "usage_by_key"
  readonly column: "at" | "created_at" | "date" | "stored_at"
  /** Minimum age of deleted rows, in days; whole months are dropped. Undefined if rows are never deleted. */
  readonly retention_days: number | undefined
}

type Work = Effect.Effect<void, SqlError, SqlClient.SqlClient>

/**
 * Creates the partitions of this month and the next three, and of each earlier month within the retention that has rows
 * in the default partition.
 */
export const makeMonths = (journal: Journal): Work => repeatUntilDone(makeMissingMonth(journal))

/** Drops the months before the retention, if any, and deletes the rows of such months from the default partition. */
export const dropOldMonths = (journal: Journal): Work =>
  Effect.andThen(repeatUntilDone(dropOldMonth(journal)), alone("months", deleteStrayRows(journal)))

/** Each step handles one month and returns whether there was one, so that no transaction holds many locks. */
const repeatUntilDone = (step: Effect.Effect<boolean, SqlError, SqlClient.SqlClient>): Work =>
  Effect.asVoid(Effect.repeat(alone("months", step), { while: (did) => did === true }))

/**
 * A partition must contain all rows of its month when it is attached, so they are moved from the default partition
 * first. The table lock makes concurrent inserts wait: an insert already routed to the default partition would fail.
 */
const makeMissingMonth = (journal: Journal) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { column, table } = journal
    const [missing] = yield* firstMissingMonth(sql, journal)
    if (missing === undefined) return false
    const { end, name, start } = missing
    const run = (statement: string) => sql.unsafe(statement).unprepared
    const isLedger = table === "ledger_entries"
    const isHistory = isLedger || table === "audit_events"
    // LOCK TABLE needs a privilege to change the table, see `history` in the baseline.
    const history = isLedger ? `postcode.${table}, postcode.${table}_default` : `postcode.${table}`
    if (isHistory) yield* run(`GRANT DELETE ON ${history} TO CURRENT_USER`)
    yield* run(`LOCK TABLE ONLY postcode.${table} IN SHARE ROW EXCLUSIVE MODE`)
    yield* run(`LOCK TABLE postcode.${table}_default IN ACCESS EXCLUSIVE MODE`)
    yield* run(`CREATE TABLE postcode.${name} (LIKE postcode.${table} INCLUDING ALL)`)
    // Not an index of the whole ledger, which would contain the time.
    if (isLedger) yield* run(`CREATE UNIQUE INDEX ${name}_id ON postcode.${name} (organization_id, id)`)
    yield* run(
      `WITH moved AS (
        DELETE FROM postcode.${table}_default WHERE ${column} >= '${start}' AND ${column} < '${end}' RETURNING *
      ) INSERT INTO postcode.${name} SELECT * FROM moved`
    )
    yield* run(
      `ALTER TABLE postcode.${table} ATTACH PARTITION postcode.${name} FOR VALUES FROM ('${start}') TO ('${end}')`
    )
    if (isHistory) {
      yield* run(`REVOKE DELETE ON ${history} FROM CURRENT_USER`)
      yield* run(`REVOKE UPDATE, DELETE, TRUNCATE ON postcode.${name} FROM CURRENT_USER`)
    }
    return true
  })

/** The first missing month, if any. PostgreSQL accepts `start` and `end` both as a date and as a time in UTC. */
const firstMissingMonth = (sql: SqlClient.SqlClient, journal: Journal) => {
  const { column, table } = journal
  const now = sql`date_trunc('month', now())`
  return sql<{ readonly name: string; readonly start: string; readonly end: string }>`
    SELECT ${`${table}_`} || to_char(month, 'YYYY_MM') AS name,
      to_char(month, 'YYYY-MM-DD') || ' 00:00:00+00' AS start,
      to_char(month + interval '1 month', 'YYYY-MM-DD') || ' 00:00:00+00' AS end
    FROM (
      SELECT generate_series(${now}, ${now} + interval '3 months', '1 month')::date AS month
      UNION SELECT date_trunc('month', ${sql.literal(column)})::date FROM ${defaultOf(sql, journal)}
        WHERE ${sql.literal(column)} >= ${firstKept(sql, journal)} AND ${sql.literal(column)} < ${now}${typeOf(sql, journal)}
      EXCEPT SELECT month FROM ${monthsOf(sql, journal)}
      ${table === "ledger_entries" ? sql.literal("EXCEPT SELECT month FROM postcode.ledger_months") : sql.literal("")}
    ) missing
    ORDER BY month LIMIT 1`
}

const dropOldMonth = (journal: Journal) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [old] = yield* sql<{ readonly name: string }>`
      SELECT name FROM ${monthsOf(sql, journal)} WHERE month < ${firstKept(sql, journal)}
      ORDER BY month LIMIT 1`
    if (old === undefined) return false
    yield* sql.unsafe(`DROP TABLE postcode.${old.name}`).unprepared
    const action: AuditAction = "journal.month_dropped"
    yield* sql`INSERT INTO postcode.audit_events (organization_id, number, id, at, actor, action, subject, details)
      VALUES ('', ${newRowNumber()}, ${newEventId()}, now(), 'service', ${action}, ${old.name}, '{}')`
    return true
  })

const deleteStrayRows = (journal: Journal) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`
      DELETE FROM ${defaultOf(sql, journal)}
      WHERE ${sql.literal(journal.column)} < ${firstKept(sql, journal)}`
  )

const defaultOf = (sql: SqlClient.SqlClient, { table }: Journal) => sql.literal(`postcode.${table}_default`)

/** The months of a journal, as a table of their names and first days. */
export const monthsOf = (sql: SqlClient.SqlClient, { table }: Journal) => sql`(
  SELECT relname::text AS name, to_date(right(relname, 7), 'YYYY_MM') AS month
  FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = ${`postcode.${table}`}::text::regclass AND relname ~ '_[0-9]{4}_[0-9]{2}$'
) months`

/** The first day of the retention's first month, compared as the type of the column: a `date` is no time. */
const firstKept = (sql: SqlClient.SqlClient, journal: Journal) =>
  journal.retention_days === undefined
    ? sql`'-infinity'::timestamptz`
    : sql`date_trunc('month', now() - make_interval(days => ${journal.retention_days}::int4))${typeOf(sql, journal)}`

const typeOf = (sql: SqlClient.SqlClient, { column }: Journal) => sql.literal(column === "date" ? "::date" : "")
