/**
 * The sums of all organizations on days that have ended. A report of a year then reads one row a day, and the rows of
 * each organization only for the days since the last stored one.
 *
 * A day is stored an hour after its end, when every transaction of it has ended. The last two are stored again every
 * hour, in case a clock was set back.
 */
import type { CreditDay } from "@postcode/gateway/credits/CreditLedger"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"

const names: ReadonlyArray<Exclude<keyof CreditDay, "date">> = ["opening", "granted", "refunded", "adjusted", "charged"]

/** The columns of the sums, in the table of totals. */
export const totalColumns = names.join(", ")

/** The same as numbers of JavaScript. */
export const totalNumbers = names.map((name) => `${name}::float8`).join(", ")

/** The expressions of these columns, over rows of `sumsOfDays`. */
export const totalsOfSums = names.map((name) => `coalesce(sum(credits) FILTER (WHERE sum = '${name}'), 0)`).join(", ")

/**
 * The rows `environment`, `day`, `sum` and `credits` of each organization in a range of days, found by indexes.
 *
 * @param after the day before the first one
 */
export const sumsOfDays = (sql: SqlClient, after: Fragment, last: Fragment): Fragment => sql`(
      SELECT environment, day, sum, credits FROM postcode.credit_days WHERE day > ${after} AND day <= ${last}
      UNION ALL
      SELECT environment, charged_day, 'charged', charged_today FROM postcode.credit_accounts
      WHERE charged_day > ${after} AND charged_day <= ${last}
    )`

/** The last day that has ended for an hour. */
const lastPast = "((now() - interval '1 hour') AT TIME ZONE 'UTC')::date - 1"

/** The last day whose totals are stored. Days that have not ended count only if the clock was set back since. */
export const lastTotal = (sql: SqlClient): Fragment =>
  sql.literal(`(SELECT coalesce(max(day), '-infinity') FROM postcode.credit_totals WHERE day <= ${lastPast})`)

/** Stores the totals of all days that have ended. */
export const storeCreditTotals: Effect.Effect<void, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`DELETE FROM postcode.credit_totals WHERE day > ${sql.literal(lastPast)}`
  const [start] = yield* sql<{ readonly after: string | null }>`
    SELECT coalesce(
      (SELECT max(day) - 2 FROM postcode.credit_totals),
      least((SELECT min(day) FROM postcode.credit_days), (SELECT min(charged_day) FROM postcode.credit_accounts)) - 1
    )::text AS after`
  const after = start?.after ?? null
  if (after === null) return
  yield* sql`
    INSERT INTO postcode.credit_totals (environment, day, has_entries, ${sql.literal(totalColumns)})
    SELECT environments.environment, days.day::date, count(sums.day) > 0, ${sql.literal(totalsOfSums)}
    FROM generate_series(${after}::date + 1, ${sql.literal(lastPast)}, interval '1 day') AS days (day)
    CROSS JOIN (VALUES ('test'), ('live')) AS environments (environment)
    LEFT JOIN ${sumsOfDays(sql, sql`${after}::date`, sql.literal(lastPast))} AS sums
      ON sums.environment = environments.environment AND sums.day = days.day::date
    GROUP BY environments.environment, days.day
    ON CONFLICT (environment, day) DO UPDATE SET has_entries = EXCLUDED.has_entries,
      ${sql.literal(names.map((name) => `${name} = EXCLUDED.${name}`).join(", "))}`
})
