/**
 * The usage log on PostgreSQL: each process counts in memory, and adds what it counted to the days' rows about every
 * second. A process that is killed loses the last second.
 *
 * Each batch has a number, and the row of the process in `usage_writers` says which one was added last, in the same
 * statement. So where nobody knows whether a batch was committed it is simply sent again, and added once.
 */
import { randomUUID } from "node:crypto"
import { NotFound, type Unavailable } from "@postcode/core/Errors"
import { type DailyUsage, UsageLog, type UsageQuery } from "@postcode/core/ports/UsageLog"
import { Effect, Layer, type Scope, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { flushInBackground } from "./BackgroundFlush.ts"
import { asking } from "./Database.ts"
import { type UsageCount, UsageCounters } from "./UsageCounters.ts"

export interface UsageLogOptions {
  /** How often counters are brought to the database, in milliseconds; 1,000 unless told. */
  readonly flushEvery_ms?: number
  /** How many counters are kept while the database is away, one a day and operation; 100,000 unless told. */
  readonly maximumCounters?: number
}

export const layerUsageLog = (options: UsageLogOptions = {}): Layer.Layer<UsageLog, never, SqlClient.SqlClient> =>
  Layer.effect(
    UsageLog,
    Effect.map(makeUsageLog(options), ({ usageLog }) => usageLog)
  )

/** The port, and how to bring to the database at once what was recorded before. */
export interface FlushableUsageLog {
  readonly usageLog: UsageLog["Service"]
  readonly flush: Effect.Effect<void, Unavailable>
}

export const makeUsageLog = Effect.fnUntraced(function* ({
  flushEvery_ms = 1_000,
  maximumCounters = 100_000
}: UsageLogOptions = {}): Effect.fn.Return<FlushableUsageLog, never, Scope.Scope | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const counters = new UsageCounters(maximumCounters)
  const writer = randomUUID()
  let batch = 0
  let underWay: ReadonlyArray<UsageCount> = []

  const bring = Effect.suspend(() =>
    Effect.tap(addCounts(sql, writer, batch, underWay), () =>
      Effect.sync(() => {
        underWay = []
      })
    )
  )
  const bringAll = Effect.whileLoop({
    while: () => {
      if (underWay.length === 0) {
        underWay = counters.take(largestBatch)
        batch++
      }
      return underWay.length > 0
    },
    body: () => bring,
    step: () => {}
  })
  const oneAtATime = yield* Semaphore.make(1)
  const flush = oneAtATime.withPermit(Effect.andThen(bringAll, reportDropped(counters)))
  yield* flushInBackground({
    name: "usage counters",
    every_ms: flushEvery_ms,
    flush,
    waiting: () => underWay.length + counters.size
  })

  const usageLog = UsageLog.of({
    record: (event) => counters.add(event),
    daily: (query) => asking(daily(sql, query))
  })
  return { usageLog, flush }
})

/** Counters in one statement. */
const largestBatch = 5_000

/**
 * Adds a batch, once. Rows are taken in the order of their key, so that two processes do not wait for each other in a
 * circle.
 */
const addCounts = (sql: SqlClient.SqlClient, writer: string, batch: number, counts: ReadonlyArray<UsageCount>) =>
  asking(sql`
    WITH writer AS (
      INSERT INTO postcode.usage_writers AS w (id, batch, written_at) VALUES (${writer}, ${batch}::int8, clock_timestamp())
      ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = excluded.written_at
        WHERE w.batch < excluded.batch
      RETURNING 1
    )
    INSERT INTO postcode.usage_days AS d (organization_id, environment, date, operation, requests, credits)
    SELECT c.organization_id, c.environment, c.date, c.operation, c.requests, c.credits
    FROM json_to_recordset(${JSON.stringify(counts)}::json) AS c (
      organization_id text, environment text, date date, operation text, requests bigint, credits bigint
    )
    WHERE EXISTS (SELECT FROM writer)
      AND EXISTS (SELECT FROM postcode.organizations o WHERE o.id = c.organization_id)
    ORDER BY c.organization_id, c.environment, c.date, c.operation
    ON CONFLICT (organization_id, environment, date, operation) DO UPDATE SET
      requests = d.requests + excluded.requests, credits = d.credits + excluded.credits`)

const reportDropped = (counters: UsageCounters): Effect.Effect<void> =>
  Effect.suspend(() => {
    const dropped = counters.takeDropped()
    return dropped === 0 ? Effect.void : Effect.logWarning(`${dropped} requests were not counted: too many wait`)
  })

/** An organization without usage is one row of nulls; no row at all is no organization. */
const daily = (sql: SqlClient.SqlClient, { environment, from, organization_id, to }: UsageQuery) =>
  Effect.flatMap(
    sql<DailyRow | { readonly date: null }>`
      SELECT to_char(d.date, 'YYYY-MM-DD') AS date, d.operation, d.requests, d.credits
      FROM postcode.organizations o
      LEFT JOIN postcode.usage_days d ON d.organization_id = o.id AND d.environment = ${environment}
        AND d.date BETWEEN ${from}::text::date AND ${to}::text::date
      WHERE o.id = ${organization_id}
      ORDER BY d.date, d.operation`,
    (rows): Effect.Effect<ReadonlyArray<DailyUsage>, NotFound> =>
      rows.length === 0 ? Effect.fail(noSuchOrganization) : Effect.succeed(rows.filter(isUsed).map(toDailyUsage))
  )

interface DailyRow {
  readonly date: string
  readonly operation: string
  readonly requests: bigint
  readonly credits: bigint
}

const isUsed = (row: DailyRow | { readonly date: null }): row is DailyRow => row.date !== null

const toDailyUsage = ({ credits, date, operation, requests }: DailyRow): DailyUsage => ({
  date,
  operation,
  requests: Number(requests),
  credits: Number(credits)
})

const noSuchOrganization = new NotFound({ message: "there is no organization with this id" })
