/**
 * The changes of the directory on PostgreSQL. Core decides on the states in the database, whatever replicas have loaded.
 */

import type { ChangeKind } from "@postcode/core/Changes"
import type { DirectoryVersion } from "@postcode/core/Directory"
import type { Postcode } from "@postcode/core/Postcode"
import {
  type AppliedChange,
  type ChangeBatch,
  DirectoryChanges,
  keptChanges_days,
  keptSince,
  maxBatchChanges,
  maxUnitEvents,
  type UnitEvent,
  type UnitHistory
} from "@postcode/gateway/directory/changes/DirectoryChanges"
import { changePage } from "@postcode/gateway/directory/changes/StoredChanges"
import { Effect, Layer, Option, Semaphore } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { makeBatcher, separately } from "../connection/Batcher.ts"
import { asking, inTransaction } from "../connection/Database.ts"
import { isStorable } from "../connection/StorableText.ts"
import { applyBatches, type BatchToApply, digestOf } from "./applyBatches.ts"
import { currentVersion } from "./Editions.ts"
import { stateColumns, stateOf, type UnitRow, unitRowsAt } from "./UnitRows.ts"

/**
 * The port `DirectoryChanges`. Small batches that wait share one transaction, because commits are serialized. A batch
 * within a caller's transaction is part of it.
 */
export const layerDirectoryChanges: Layer.Layer<DirectoryChanges, never, SqlClient> = Layer.effect(
  DirectoryChanges,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const together = (batches: ReadonlyArray<BatchToApply>) => asking(inTransaction(sql, applyBatches(sql, batches)))
    const alone = (batch: BatchToApply) =>
      Effect.flatMap(together([batch]), ([exit]) => exit as Exclude<typeof exit, undefined>)
    const withOthers = yield* makeBatcher({
      run: separately(together),
      maxBatch: maxTogether,
      maxPending: 10_000
    })
    // Waiting for a lock takes a connection, so large batches wait here.
    const oneAtATime = yield* Semaphore.make(1)

    return DirectoryChanges.of({
      apply: (batch, dryRun, onApplied) =>
        Effect.gen(function* () {
          assertBatch(batch)
          const item = { batch, digest: digestOf(batch), dryRun, onApplied }
          const transaction = yield* Effect.serviceOption(sql.transactionService)
          if (Option.isSome(transaction)) return yield* alone(item)
          return yield* batch.changes.length > largeBatch ? oneAtATime.withPermits(1)(alone(item)) : withOthers(item)
        }),
      after: (since, limit) => asking(readPage(sql, since, limit)),
      history: (postcode) => asking(readHistory(sql, postcode)),
      latest: asking(
        Effect.map(currentVersion(sql), (current) =>
          current === undefined ? undefined : { edition: current.version, changes: current.changes }
        )
      )
    })
  })
)

/**
 * Deletes changes of a year ago and more, if their edition is no longer stored: those of a stored edition are the state
 * of its units. At most 100 batches at once, which is a million changes.
 */
export const forgetPastChanges = Effect.flatMap(
  SqlClient,
  (sql) => sql`
    WITH past AS (
      DELETE FROM postcode.directory_batches WHERE reference IN (
        SELECT reference FROM postcode.directory_batches b
        WHERE at < now() - ${`${keptChanges_days} days`}::interval
          AND NOT EXISTS (SELECT FROM postcode.directory_editions e WHERE e.edition = b.edition)
        LIMIT 100
      ) RETURNING edition, first_change, last_change
    )
    DELETE FROM postcode.directory_changes c USING past
    WHERE c.edition = past.edition AND c.number BETWEEN past.first_change AND past.last_change`
)

/** More changes than these are not worth waiting for others. */
const largeBatch = 100

/** Of small batches, in a transaction: few enough that it takes a small part of the timeout. */
const maxTogether = 100

/**
 * Checks for values that no request can contain, because they would fail the batches of others.
 *
 * @throws RangeError for such a value
 */
const assertBatch = ({ actor, changes, reason, reference }: ChangeBatch): void => {
  if (changes.length > maxBatchChanges) throw new RangeError(`a batch: expected at most ${maxBatchChanges} changes`)
  if (![actor, reason, reference].every(isStorable)) {
    throw new RangeError("a batch: expected texts without the character U+0000")
  }
}

interface ChangeRow extends UnitRow {
  readonly number: number
  readonly kind: ChangeKind
  readonly at: Date
}

const toChange = (row: ChangeRow): AppliedChange => ({
  number: row.number,
  kind: row.kind,
  at: row.at.toISOString(),
  unit: stateOf(row)
})

/** Columns of the change are null in the only row of a page without changes. */
type PageRow = { readonly version: string; readonly changes: number } & (ChangeRow | { readonly number: null })

/** One statement, so that the version and the changes are consistent. */
const readPage = Effect.fnUntraced(function* (sql: SqlClient, since: DirectoryVersion, limit: number) {
  const rows = yield* sql<PageRow>`
    SELECT e.version, e.changes, c.* FROM postcode.directory_editions e
    LEFT JOIN LATERAL (
      SELECT number, kind, at, ${sql.literal(stateColumns)} FROM postcode.directory_changes
      WHERE edition = e.edition AND number > ${Math.min(since.changes, maxInteger)} ORDER BY number LIMIT ${limit}
    ) c ON true
    WHERE e.is_current ORDER BY c.number`
  const { changes = 0, version: edition = "" } = rows[0] ?? {}
  const next = rows.flatMap((row) => (row.number === null ? [] : [toChange(row)]))
  const stored = { latest: { edition, changes }, next, keptSince: yield* keptSince }
  return yield* Effect.fromResult(changePage(since, stored))
})

const maxInteger = 2 ** 31 - 1

interface EventRow extends ChangeRow {
  readonly version: string
  readonly reason: string
  readonly reference: string
  readonly actor: string
}

const toEvent = (row: EventRow): UnitEvent => {
  const { actor, reason, reference, version } = row
  return { ...toChange(row), edition: version, reason, reference, actor }
}

const readHistory = Effect.fnUntraced(function* (sql: SqlClient, postcode: Postcode) {
  const current = yield* currentVersion(sql)
  const rows = current === undefined ? [] : yield* sql<UnitRow>`${unitRowsAt(sql, current, [postcode], stateColumns)}`
  const events = yield* sql<EventRow>`
    SELECT c.*, b.version, b.reason, b.actor
    FROM postcode.directory_changes c JOIN postcode.directory_batches b USING (reference)
    WHERE c.postcode = ${postcode} AND c.at >= ${yield* keptSince}::timestamptz
    ORDER BY c.at DESC, c.edition DESC, c.number DESC LIMIT ${maxUnitEvents}`
  const [unit] = rows.map(stateOf)
  return { unit, events: events.map(toEvent) } satisfies UnitHistory
})
