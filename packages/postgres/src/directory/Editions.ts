/** The stored editions of the directory, one of which is current. */
import type { Place } from "@postcode/core/Place"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"

/** The description of an edition. */
export interface Edition {
  /** Its number, from 1; each import increments it. */
  readonly edition: number
  readonly version: string
  readonly date: string
  readonly units: number
  readonly places: ReadonlyArray<Place>
  readonly snapshot_bytes: number
  /** When it was stored, at the end of its import. */
  readonly created_at: Date
}

/** The current edition; undefined before the first import. */
export const currentEdition: Effect.Effect<Edition | undefined, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* answeredOrBroken(
    sql<Omit<Edition, "snapshot_bytes"> & { readonly snapshot_bytes: bigint }>`
      SELECT edition, version, date, units, places, snapshot_bytes, created_at FROM postcode.directory_editions WHERE is_current`,
    timeout_ms
  )
  return row === undefined ? undefined : { ...row, snapshot_bytes: Number(row.snapshot_bytes) }
})

/** Only the number of the current edition. */
export const currentNumber: Effect.Effect<number | undefined, SqlError, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* answeredOrBroken(
    sql<{ readonly edition: number }>`SELECT edition FROM postcode.directory_editions WHERE is_current`,
    1_000
  )
  return row?.edition
})

const timeout_ms = 5_000

/** The name of the table with an edition's units. */
export const unitsTable = (edition: number): string => `postcode.units_${edition}`
