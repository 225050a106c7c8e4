/** The editions of the directory that the database holds, one of which is in force. */
import type { Place } from "@postcode/core/Place"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"

/** What is noted of an edition. */
export interface Edition {
  /** Its number: each import counts one on. */
  readonly edition: number
  readonly version: string
  readonly date: string
  readonly units: number
  readonly places: ReadonlyArray<Place>
  readonly snapshot_bytes: number
  /** When it was imported, at the end of which it came into force. */
  readonly created_at: Date
}

/** The edition in force; undefined before the first import. */
export const currentEdition: Effect.Effect<Edition | undefined, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* answeredOrBroken(
    sql<Omit<Edition, "snapshot_bytes"> & { readonly snapshot_bytes: bigint }>`
      SELECT edition, version, date, units, places, snapshot_bytes, created_at FROM postcode.directory_editions WHERE is_current`,
    patience_ms
  )
  return row === undefined ? undefined : { ...row, snapshot_bytes: Number(row.snapshot_bytes) }
})

/** The number of the current edition alone. */
export const currentNumber: Effect.Effect<number | undefined, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* answeredOrBroken(
    sql<{ readonly edition: number }>`SELECT edition FROM postcode.directory_editions WHERE is_current`,
    1_000
  )
  return row?.edition
})

/** One small row. */
const patience_ms = 5_000

/** The table of an edition's units. */
export const unitsTable = (edition: number): string => `postcode.units_${edition}`
