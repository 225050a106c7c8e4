/**
 * Selections on PostgreSQL: they are buffered in memory and stored every 250 ms. A stopping process stores the rest
 * first; a killed process loses the selections since the last flush.
 *
 * The partition of a selection depends only on its time, which never changes. So a batch whose commit is in doubt is
 * sent again, and the primary key makes sure that each selection is stored once.
 */

import type { Environment } from "@postcode/core/Credits"
import type { PartialPostcode, Postcode } from "@postcode/core/Postcode"
import type { SelectionSource } from "@postcode/core/Selection"
import type { Unavailable } from "@postcode/gateway/Errors"
import type { PageRequest } from "@postcode/gateway/Page"
import {
  type DailySelections,
  type RecordedSelection,
  Selections,
  type SelectionsQuery
} from "@postcode/gateway/widget/selections/Selections"
import { Effect, Layer, type Scope, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { flushInBackground } from "../connection/BackgroundFlush.ts"
import { asking, databaseUnavailable } from "../connection/Database.ts"
import { numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { newRowNumber } from "../connection/RowNumber.ts"

export interface SelectionsOptions {
  /** Milliseconds between two flushes; 250 by default. */
  readonly flushEvery_ms?: number
  /** Maximum number of buffered selections, above which `record` fails; 20,000 by default. */
  readonly maxWaiting?: number
}

/** The port `Selections`. When its scope closes, buffered selections are stored. */
export const layerSelections = (options: SelectionsOptions = {}): Layer.Layer<Selections, never, SqlClient.SqlClient> =>
  Layer.effect(
    Selections,
    Effect.map(makeSelections(options), ({ selections }) => selections)
  )

/** The port, and a way to store all selections now. */
export interface FlushableSelections {
  readonly selections: Selections["Service"]
  readonly flush: Effect.Effect<void, Unavailable>
}

export const makeSelections = Effect.fnUntraced(function* ({
  flushEvery_ms = 250,
  maxWaiting = 20_000
}: SelectionsOptions = {}): Effect.fn.Return<FlushableSelections, never, Scope.Scope | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  /** Includes the running batch at the front, until it is stored. */
  const waiting: Array<RecordedSelection> = []

  const storeNext = Effect.suspend(() => {
    const batch = waiting.slice(0, maxRowsPerInsert)
    return Effect.tap(insertSelections(sql, batch), () => Effect.sync(() => waiting.splice(0, batch.length)))
  })
  const storeAll = Effect.whileLoop({ while: () => waiting.length > 0, body: () => storeNext, step: () => {} })
  const oneAtATime = yield* Semaphore.make(1)
  const flush = oneAtATime.withPermit(storeAll)
  yield* flushInBackground({ name: "selections", every_ms: flushEvery_ms, flush, waiting: () => waiting.length })

  const selections = Selections.of({
    record: (selection) =>
      Effect.suspend(() => {
        if (waiting.length >= maxWaiting) return Effect.fail(databaseUnavailable)
        waiting.push(selection)
        return Effect.void
      }),
    list: (organization_id, page) => asking(listSelections(sql, organization_id, page)),
    daily: (query) => asking(countSelections(sql, query)),
    forgetSubjects: (organization_id) => Effect.andThen(flush, forgetSubjects(sql, organization_id))
  })
  return { selections, flush }
})

/** Maximum number of selections in a statement. */
const maxRowsPerInsert = 1_000

const insertSelections = (sql: SqlClient.SqlClient, batch: ReadonlyArray<RecordedSelection>) =>
  asking(sql`
    INSERT INTO postcode.selections (organization_id, at, id, number, key_id, environment, subject, postcode, source)
    SELECT s.organization_id, s.at, s.id, s.number, s.key_id, s.environment, s.subject, s.postcode, s.source
    FROM json_to_recordset(${JSON.stringify(numbered(batch))}::json) AS s (
      organization_id text, at timestamptz, id text, number bigint, key_id text, environment text, subject text,
      postcode text, source text
    )
    ON CONFLICT (organization_id, at, id) DO NOTHING`)

const numbered = (batch: ReadonlyArray<RecordedSelection>) =>
  batch.map((selection) => ({ ...selection, number: `${newRowNumber()}` }))

/** Removes the subjects of an organization, up to `maxForgotten` per statement. */
export const forgetSubjects = (sql: SqlClient.SqlClient, organization_id: string): Effect.Effect<number, Unavailable> =>
  Effect.gen(function* () {
    let forgotten = 0
    for (;;) {
      const { length } = yield* asking(sql`UPDATE postcode.selections s SET subject = NULL
        FROM (
          SELECT at, id FROM postcode.selections
          WHERE organization_id = ${organization_id} AND subject IS NOT NULL LIMIT ${maxForgotten}
        ) AS f
        WHERE s.organization_id = ${organization_id} AND s.at = f.at AND s.id = f.id RETURNING 1`)
      forgotten += length
      if (length < maxForgotten) return forgotten
    }
  })

const maxForgotten = 10_000

const listSelections = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization_id: string,
  page: PageRequest
) {
  const rows = yield* sql<SelectionRow>`
    SELECT number, id, organization_id, key_id, environment, subject, postcode, source, at
    FROM postcode.selections
    WHERE organization_id = ${organization_id} AND number < ${yield* numberBefore(page)}
    ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
  return pageOf(rows, page, toSelection)
})

/** Days are in UTC, as the partitions are. */
const countSelections = (
  sql: SqlClient.SqlClient,
  { environment, from, limit, min, organization_id, to }: SelectionsQuery
) =>
  Effect.map(
    sql<CountRow>`
      SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, left(postcode, 5) AS lga, source,
        count(*)::int8 AS selections
      FROM postcode.selections
      WHERE organization_id = ${organization_id} AND environment = ${environment}
        AND at >= ${from}::text::date::timestamp AT TIME ZONE 'UTC'
        AND at < (${to}::text::date + 1)::timestamp AT TIME ZONE 'UTC'
      GROUP BY 1, 2, 3
      HAVING count(*) >= ${min}
      ORDER BY 1, 2, source NULLS FIRST
      LIMIT ${limit}`,
    (rows) => rows.map((row): DailySelections => ({ ...row, selections: Number(row.selections) }))
  )

interface CountRow {
  readonly date: string
  readonly lga: PartialPostcode
  readonly source: SelectionSource | null
  readonly selections: bigint
}

interface SelectionRow {
  readonly number: bigint
  readonly id: string
  readonly organization_id: string
  readonly key_id: string
  readonly environment: Environment
  readonly subject: string | null
  readonly postcode: Postcode
  readonly source: SelectionSource | null
  readonly at: Date
}

const toSelection = ({ number: _, at, source, subject, ...row }: SelectionRow): RecordedSelection => ({
  ...row,
  ...(subject !== null && { subject }),
  ...(source !== null && { source }),
  at: at.toISOString()
})
