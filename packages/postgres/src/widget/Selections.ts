/**
 * Selections on PostgreSQL: they are gathered in memory and stored a few times a second. A program that is told to stop
 * stores the rest first; one that is killed loses what came in since the last time.
 *
 * A selection's month follows from its own time, which never changes. So where nobody knows whether a batch was
 * committed it is simply sent again: each selection meets itself in the same partition and is stored once.
 */

import type { Environment } from "@postcode/core/Credits"
import type { Unavailable } from "@postcode/core/Errors"
import type { PageRequest } from "@postcode/core/Page"
import type { Postcode } from "@postcode/core/Postcode"
import { type RecordedSelection, Selections } from "@postcode/core/widget/Selections"
import { Effect, Layer, type Scope, Semaphore } from "effect"
import { SqlClient } from "effect/sql"
import { flushInBackground } from "../connection/BackgroundFlush.ts"
import { asking, databaseAway } from "../connection/Database.ts"
import { numberBefore, pageOf, rowsOfPage } from "../connection/Paging.ts"
import { newRowNumber } from "../connection/RowNumber.ts"

/** How often selections are stored, and how many may wait. */
export interface SelectionsOptions {
  /** How often selections are stored, in milliseconds; 250 unless told. */
  readonly flushEvery_ms?: number
  /** How many may wait to be stored before `record` refuses; 20,000 unless told. */
  readonly maxWaiting?: number
}

/** The port `Selections`. What waits when its scope closes is stored first. */
export const layerSelections = (options: SelectionsOptions = {}): Layer.Layer<Selections, never, SqlClient.SqlClient> =>
  Layer.effect(
    Selections,
    Effect.map(makeSelections(options), ({ selections }) => selections)
  )

/** The port, and how to store at once what was recorded before. */
export interface FlushableSelections {
  readonly selections: Selections["Service"]
  readonly flush: Effect.Effect<void, Unavailable>
}

/** What `layerSelections` provides, and how to store at once. */
export const makeSelections = Effect.fnUntraced(function* ({
  flushEvery_ms = 250,
  maxWaiting = 20_000
}: SelectionsOptions = {}): Effect.fn.Return<FlushableSelections, never, Scope.Scope | SqlClient.SqlClient> {
  const sql = yield* SqlClient.SqlClient
  /** Those that are under way stay in front until they are known to be stored. */
  const waiting: Array<RecordedSelection> = []

  const storeNext = Effect.suspend(() => {
    const batch = waiting.slice(0, largestBatch)
    return Effect.tap(insertSelections(sql, batch), () => Effect.sync(() => waiting.splice(0, batch.length)))
  })
  const storeAll = Effect.whileLoop({ while: () => waiting.length > 0, body: () => storeNext, step: () => {} })
  const oneAtATime = yield* Semaphore.make(1)
  const flush = oneAtATime.withPermit(storeAll)
  yield* flushInBackground({ name: "selections", every_ms: flushEvery_ms, flush, waiting: () => waiting.length })

  const selections = Selections.of({
    record: (selection) =>
      Effect.suspend(() => {
        if (waiting.length >= maxWaiting) return Effect.fail(databaseAway)
        waiting.push(selection)
        return Effect.void
      }),
    list: (organization_id, page) => asking(listSelections(sql, organization_id, page))
  })
  return { selections, flush }
})

/** Selections in one statement. */
const largestBatch = 1_000

const insertSelections = (sql: SqlClient.SqlClient, batch: ReadonlyArray<RecordedSelection>) =>
  asking(sql`
    INSERT INTO postcode.selections (organization_id, at, id, number, key_id, environment, subject, postcode)
    SELECT s.organization_id, s.at, s.id, s.number, s.key_id, s.environment, s.subject, s.postcode
    FROM json_to_recordset(${JSON.stringify(numbered(batch))}::json) AS s (
      organization_id text, at timestamptz, id text, number bigint, key_id text, environment text, subject text,
      postcode text
    )
    ON CONFLICT (organization_id, at, id) DO NOTHING`)

const numbered = (batch: ReadonlyArray<RecordedSelection>) =>
  batch.map((selection) => ({ ...selection, number: `${newRowNumber()}` }))

const listSelections = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  organization_id: string,
  page: PageRequest
) {
  const rows = yield* sql<SelectionRow>`
    SELECT number, id, organization_id, key_id, environment, subject, postcode, at
    FROM postcode.selections
    WHERE organization_id = ${organization_id} AND number < ${yield* numberBefore(page)}
    ORDER BY number DESC LIMIT ${rowsOfPage(page)}`
  return pageOf(rows, page, toSelection)
})

interface SelectionRow {
  readonly number: bigint
  readonly id: string
  readonly organization_id: string
  readonly key_id: string
  readonly environment: Environment
  readonly subject: string | null
  readonly postcode: Postcode
  readonly at: Date
}

const toSelection = ({ number: _, at, subject, ...row }: SelectionRow): RecordedSelection => ({
  ...row,
  ...(subject !== null && { subject }),
  at: at.toISOString()
})
