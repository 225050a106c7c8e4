/**
 * Applies batches of changes in one transaction, one after the other: locks the current edition, reads the units that
 * the batches name, lets core decide, and writes its decisions. The lock puts batches in one order, and keeps imports
 * from switching meanwhile.
 */
import { createHash } from "node:crypto"
import { decideChanges, postcodesOf, type UnitState } from "@postcode/core/Changes"
import type { Postcode } from "@postcode/core/Postcode"
import type {
  AppliedBatch,
  ChangeBatch,
  ChangeOutcome,
  DirectoryChanges
} from "@postcode/gateway/directory/changes/DirectoryChanges"
import { canonicalChanges, referenceUsed } from "@postcode/gateway/directory/changes/StoredChanges"
import { Conflict } from "@postcode/gateway/Errors"
import { Effect, Exit } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { textArray } from "../connection/SqlArrays.ts"
import { type CurrentVersion, lockCurrentVersion } from "./Editions.ts"
import { rowOf, stateColumns, stateOf, type UnitRow, unitRowsAt } from "./UnitRows.ts"

type OnApplied = Parameters<DirectoryChanges["Service"]["apply"]>[2]

export interface BatchToApply {
  readonly batch: ChangeBatch
  /** Of its changes, see `digestOf`. */
  readonly digest: string
  readonly dryRun: boolean
  readonly onApplied: OnApplied
}

type Answer = Exit.Exit<ChangeOutcome, Conflict>

/** SHA-256 of the changes of a batch, in hexadecimal. */
export const digestOf = ({ changes }: ChangeBatch): string =>
  createHash("sha256").update(canonicalChanges(changes)).digest("hex")

/**
 * Returns the outcome of each batch. Requires a transaction. The decision on a large batch and its text each take some
 * 20 ms of processor time, so other requests are answered in between.
 */
export const applyBatches = Effect.fnUntraced(function* (sql: SqlClient, batches: ReadonlyArray<BatchToApply>) {
  const current = yield* lockCurrentVersion(sql)
  if (current === undefined) return batches.map((): Answer => Exit.fail(noDirectory))
  const recorded = yield* readBatches(
    sql,
    batches.map(({ batch }) => batch.reference)
  )
  const fresh = batches.filter(({ batch }) => !recorded.has(batch.reference))
  const states = yield* readStates(sql, current, postcodesOf(fresh.flatMap(({ batch }) => batch.changes)))
  const application = new Application(current, recorded, states)
  const answers = batches.map((one) => application.apply(one))
  yield* Effect.yieldNow
  yield* application.write(sql)
  for (const [i, { dryRun, onApplied }] of batches.entries()) {
    const answer = answers[i] as Answer
    if (onApplied === undefined || dryRun || !Exit.isSuccess(answer)) continue
    const outcome = answer.value
    if (outcome._tag === "Applied" && !outcome.repeated) yield* onApplied(outcome)
  }
  return answers
})

const noDirectory = new Conflict({ message: "the database holds no directory yet: load one with postcode import" })

/** A row of `directory_batches`. */
interface BatchRow {
  readonly reference: string
  readonly version: string
  readonly first_change: number
  readonly last_change: number
  readonly unchanged: number
  /** SHA-256 in hexadecimal. */
  readonly digest: string
}

const readBatches = Effect.fnUntraced(function* (sql: SqlClient, references: ReadonlyArray<string>) {
  const rows = yield* sql<BatchRow>`
    SELECT reference, version, first_change, last_change, unchanged, encode(digest, 'hex') AS digest
    FROM postcode.directory_batches WHERE reference = ANY(${textArray(references)})`
  return new Map(rows.map((row) => [row.reference, row]))
})

const readStates = Effect.fnUntraced(function* (
  sql: SqlClient,
  current: CurrentVersion,
  postcodes: ReadonlyArray<Postcode>
) {
  if (postcodes.length === 0) return new Map<Postcode, UnitState>()
  const rows = yield* sql<UnitRow>`${unitRowsAt(sql, current, postcodes, stateColumns)}`
  return new Map(rows.map((row) => [row.postcode, stateOf(row)]))
})

class Application {
  private readonly current: CurrentVersion
  private readonly recorded: Map<string, BatchRow>
  private readonly states: Map<Postcode, UnitState>
  private changes: number
  private readonly newBatches: Array<object> = []
  private readonly newChanges: Array<object> = []

  constructor(current: CurrentVersion, recorded: Map<string, BatchRow>, states: Map<Postcode, UnitState>) {
    this.current = current
    this.recorded = recorded
    this.states = states
    this.changes = current.changes
  }

  apply({ batch, digest, dryRun }: BatchToApply): Answer {
    const recorded = this.recorded.get(batch.reference)
    if (recorded !== undefined) {
      return recorded.digest === digest ? Exit.succeed(repeated(recorded)) : Exit.fail(referenceUsed)
    }
    const decision = decideChanges((postcode) => this.states.get(postcode), batch.changes)
    if (!decision.ok) return Exit.succeed({ _tag: "Refused", faults: decision.faults })
    const { edition, version } = this.current
    const { actor, allowedRemovals = Number.POSITIVE_INFINITY, at, reason, reference } = batch
    const { changes, removals, unchanged } = decision
    const first_change = this.changes + 1
    const last_change = this.changes + changes.length
    const row = { reference, version, first_change, last_change, unchanged, digest }
    const outcome = { ...repeated(row), repeated: false }
    if (dryRun) return Exit.succeed({ ...outcome, removals })
    if (removals > allowedRemovals) return Exit.succeed({ _tag: "TooManyRemovals", removals })
    this.recorded.set(reference, row)
    this.newBatches.push({ ...row, edition, at, actor, reason, digest: `\\x${digest}` })
    for (const { kind, unit } of changes) {
      this.states.set(unit.postcode, unit)
      this.newChanges.push({ edition, number: ++this.changes, kind, at, reference, ...rowOf(unit) })
    }
    return Exit.succeed(outcome)
  }

  /** One statement for all batches. Columns are named, so that those of a later version get their defaults. */
  write(sql: SqlClient) {
    if (this.newBatches.length === 0) return Effect.void
    const batchColumns = sql.literal(
      "reference, edition, version, first_change, last_change, unchanged, at, actor, reason, digest"
    )
    const changeColumns = sql.literal(`edition, number, kind, at, reference, ${stateColumns}`)
    return Effect.asVoid(sql`
      WITH batch AS (
        INSERT INTO postcode.directory_batches (${batchColumns})
        SELECT ${batchColumns} FROM json_populate_recordset(NULL::postcode.directory_batches, ${JSON.stringify(this.newBatches)}::json)
      ), change AS (
        INSERT INTO postcode.directory_changes (${changeColumns})
        SELECT ${changeColumns} FROM json_populate_recordset(NULL::postcode.directory_changes, ${JSON.stringify(this.newChanges)}::json)
      )
      UPDATE postcode.directory_editions SET changes = ${this.changes} WHERE edition = ${this.current.edition}`)
  }
}

const repeated = ({ first_change, last_change, unchanged, version }: BatchRow): AppliedBatch => ({
  _tag: "Applied",
  version: { edition: version, changes: last_change },
  applied: last_change - first_change + 1,
  unchanged,
  repeated: true
})
