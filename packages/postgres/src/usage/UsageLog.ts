/**
 * The usage log on PostgreSQL: each process counts in memory and adds its counters to the daily rows every second. A
 * killed process loses up to one second.
 *
 * Batches are numbered. The transaction that adds a batch also stores its number in the process's row of `usage_writers`,
 * so a batch whose commit is in doubt is sent again and added once.
 */
import { randomUUID } from "node:crypto"
import type { Unavailable } from "@postcode/gateway/Errors"
import { dateOf } from "@postcode/gateway/usage/UsageCounts"
import {
  type DailyUsage,
  type Traffic,
  trafficSlot_ms,
  type UsageGrouping,
  UsageLog,
  type UsageQuery
} from "@postcode/gateway/usage/UsageLog"
import { Effect, Layer, type Scope, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { flushInBackground } from "../connection/BackgroundFlush.ts"
import { asking, inTransaction } from "../connection/Database.ts"
import { requireOrganization } from "../organizations/Organizations.ts"
import { type CountedKey, UsageCounters } from "./UsageCounters.ts"

export interface UsageLogOptions {
  /** Milliseconds between two writes of counters; 1,000 by default. */
  readonly flushEvery_ms?: number
  /** Maximum number of counters in memory, see `UsageCounts`; 100,000 by default. */
  readonly maxCounters?: number
}

/** The port `UsageLog`. When its scope closes, the remaining counters are written. */
export const layerUsageLog = (options: UsageLogOptions = {}): Layer.Layer<UsageLog, never, SqlClient.SqlClient> =>
  Layer.effect(
    UsageLog,
    Effect.map(makeUsageLog(options), ({ usageLog }) => usageLog)
  )

/** The port, and a way to write all counters now. */
export interface FlushableUsageLog {
  readonly usageLog: UsageLog["Service"]
  readonly flush: Effect.Effect<void, Unavailable>
}

export const makeUsageLog = Effect.fnUntraced(function* ({
  flushEvery_ms = 1_000,
  maxCounters = 100_000
}: UsageLogOptions = {}): Effect.fn.Return<FlushableUsageLog, never, Scope.Scope | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  const counters = new UsageCounters(maxCounters)
  const writer = randomUUID()
  let batch = 0
  let sending: ReadonlyArray<CountedKey> = []

  const send = Effect.suspend(() =>
    Effect.tap(addCounts(sql, writer, batch, sending), () =>
      Effect.sync(() => {
        sending = []
      })
    )
  )
  const sendAll = Effect.whileLoop({
    while: () => {
      if (sending.length === 0) {
        sending = counters.take(batchCounters)
        batch++
      }
      return sending.length > 0
    },
    body: () => send,
    step: () => {}
  })
  const oneAtATime = yield* Semaphore.make(1)
  const flush = oneAtATime.withPermit(Effect.andThen(sendAll, reportDropped(counters)))
  yield* flushInBackground({
    name: "usage counters",
    every_ms: flushEvery_ms,
    flush,
    waiting: () => sending.reduce((sum, { counts }) => sum + counts.days.length, counters.size)
  })

  const usageLog = UsageLog.of({
    record: (event) => counters.add(event),
    daily: (query) => asking(daily(sql, query)),
    traffic: (key, since_ms) => asking(traffic(sql, key, since_ms))
  })
  return { usageLog, flush }
})

/** Minimum number of counters in a full batch: the counters of a key are not split. */
const batchCounters = 5_000

/**
 * Adds a batch once. Rows are written in order of their keys, so that processes cannot deadlock.
 */
const addCounts = (sql: SqlClient.SqlClient, writer: string, batch: number, keys: ReadonlyArray<CountedKey>) =>
  asking(
    inTransaction(
      sql,
      Effect.gen(function* () {
        const isNew = yield* sql`
          INSERT INTO postcode.usage_writers AS w (id, batch, written_at) VALUES (${writer}, ${batch}::int8, clock_timestamp())
          ON CONFLICT (id) DO UPDATE SET batch = excluded.batch, written_at = excluded.written_at
            WHERE w.batch < excluded.batch
          RETURNING 1`
        if (isNew.length === 0) return
        yield* addTraffic(sql, keys)
        const rows = JSON.stringify(dayRows(keys))
        yield* addDays(sql, rows)
        yield* addDaysOfKeys(sql, rows)
      })
    )
  )

const addTraffic = (sql: SqlClient.SqlClient, keys: ReadonlyArray<CountedKey>) => sql`
  INSERT INTO postcode.key_traffic AS t (organization_id, key_id, since, requests, credits, refused)
  SELECT c.organization_id, c.key_id, c.since, c.requests, c.credits, c.refused
  FROM json_to_recordset(${JSON.stringify(slotRows(keys))}::json) AS c (
    organization_id text, key_id text, since timestamptz, requests bigint, credits bigint, refused bigint
  )
  JOIN postcode.organizations o ON o.id = c.organization_id
  ORDER BY c.organization_id, c.key_id COLLATE "C", c.since
  ON CONFLICT (organization_id, key_id, since) DO UPDATE SET requests = t.requests + excluded.requests,
    credits = t.credits + excluded.credits, refused = t.refused + excluded.refused`

const addDays = (sql: SqlClient.SqlClient, rows: string) => sql`
  INSERT INTO postcode.usage_by_day AS d
    (organization_id, environment, date, operation, level, status, requests, credits)
  SELECT c.organization_id, c.environment, c.date, c.operation COLLATE "C", c.level, c.status,
    sum(c.requests), sum(c.credits)
  FROM ${countedRows(sql, rows)}
  GROUP BY c.organization_id, c.environment, c.date, c.operation COLLATE "C", c.level, c.status
  ORDER BY c.organization_id, c.environment, c.date, c.operation COLLATE "C", c.level, c.status
  ON CONFLICT (organization_id, environment, date, operation, level, status) DO UPDATE SET
    requests = d.requests + excluded.requests, credits = d.credits + excluded.credits`

const addDaysOfKeys = (sql: SqlClient.SqlClient, rows: string) => sql`
  INSERT INTO postcode.usage_by_key AS d
    (organization_id, environment, date, key_id, operation, level, status, requests, credits)
  SELECT c.organization_id, c.environment, c.date, c.key_id, c.operation, c.level, c.status, c.requests, c.credits
  FROM ${countedRows(sql, rows)}
  ORDER BY c.organization_id, c.environment, c.date, c.key_id COLLATE "C", c.operation COLLATE "C", c.level, c.status
  ON CONFLICT (organization_id, environment, date, key_id, operation, level, status) DO UPDATE SET
    requests = d.requests + excluded.requests, credits = d.credits + excluded.credits`

/** The counters as `c`, without those of organizations that do not exist. */
const countedRows = (sql: SqlClient.SqlClient, rows: string) => sql`
  json_to_recordset(${rows}::json) AS c (
    organization_id text, environment text, date date, key_id text, operation text, level smallint, status smallint,
    requests bigint, credits bigint
  )
  JOIN postcode.organizations o ON o.id = c.organization_id`

const dayRows = (keys: ReadonlyArray<CountedKey>) =>
  keys.flatMap(({ counts, environment, key_id, organization_id }) =>
    counts.days.map(({ day, level, ...count }) => ({
      organization_id,
      environment,
      key_id,
      date: dateOf(day),
      level: level ?? 0,
      ...count
    }))
  )

const slotRows = (keys: ReadonlyArray<CountedKey>) =>
  keys.flatMap(({ counts, key_id, organization_id }) =>
    counts.slots.map(({ slot, ...count }) => ({
      organization_id,
      key_id,
      since: new Date(slot * trafficSlot_ms).toISOString(),
      ...count
    }))
  )

const reportDropped = (counters: UsageCounters): Effect.Effect<void> =>
  Effect.suspend(() => {
    const dropped = counters.takeDropped()
    const requests = dropped === 1 ? "1 request was" : `${dropped} requests were`
    return dropped === 0 ? Effect.void : Effect.logWarning(`${requests} not counted: too many wait`)
  })

/**
 * The column of each grouping, which is also its name in a report. An empty text or 0 means unknown or none.
 */
const columns = { operation: "operation", level: "level", key: "key_id", status: "status" } as const satisfies Record<
  UsageGrouping,
  string
>

const daily = (sql: SqlClient.SqlClient, query: UsageQuery) =>
  Effect.gen(function* () {
    const { by, environment, from, key_id, limit, organization_id, to } = query
    const column = columns[by]
    const table = by === "key" || key_id !== undefined ? "usage_by_key" : "usage_by_day"
    const rows = yield* sql<DailyRow>`
      SELECT to_char(d.date, 'YYYY-MM-DD') AS date, d.${sql.literal(column)} AS group,
        sum(d.requests)::int8 AS requests, sum(d.credits)::int8 AS credits
      FROM ${sql.literal(`postcode.${table}`)} d
      WHERE d.organization_id = ${organization_id} AND d.environment = ${environment}
        AND d.date BETWEEN ${from}::text::date AND ${to}::text::date
        AND ${key_id === undefined ? sql.literal("true") : sql`d.key_id = ${key_id}`}
      GROUP BY d.date, d.${sql.literal(column)}
      ORDER BY d.date, d.${sql.literal(column)}
      LIMIT ${limit}`
    if (rows.length === 0) yield* requireOrganization(sql, organization_id)
    return rows.map(
      ({ credits, date, group, requests }) =>
        ({
          date,
          [column]: group || null,
          requests: Number(requests),
          credits: Number(credits)
        }) as unknown as DailyUsage
    )
  })

interface DailyRow {
  readonly date: string
  readonly group: number | string
  readonly requests: bigint
  readonly credits: bigint
}

/** Reports cover one hour. Three are kept in case the clock of a replica is slow. */
export const forgetPastTraffic = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`DELETE FROM postcode.key_traffic WHERE since < now() - interval '3 hours'`
)

const traffic = (
  sql: SqlClient.SqlClient,
  { key_id, organization_id }: Parameters<UsageLog["Service"]["traffic"]>[0],
  since_ms: number
) =>
  Effect.map(
    sql<Traffic>`
      SELECT coalesce(sum(requests), 0)::float8 AS requests, coalesce(sum(credits), 0)::float8 AS credits,
        coalesce(sum(refused), 0)::float8 AS refused
      FROM postcode.key_traffic
      WHERE organization_id = ${organization_id} AND key_id = ${key_id}
        AND since >= ${new Date(since_ms).toISOString()}::text::timestamptz`,
    ([row]) => row ?? { requests: 0, credits: 0, refused: 0 }
  )
