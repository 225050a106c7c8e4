/** The stored editions of the directory, one of which is current. */
import type { DirectoryWarning } from "@postcode/core/Csv"
import type { Place } from "@postcode/core/Directory"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"

/** The description of an edition. */
export interface Edition {
  /** Its number, from 1; each import increments it. */
  readonly edition: number
  readonly version: string
  readonly date: string
  /** Number of units, without those that changes added. */
  readonly units: number
  /** Number of changes since the import. */
  readonly changes: number
  readonly places: ReadonlyArray<Place>
  /** What the import found when it looked at the edition. */
  readonly warnings: ReadonlyArray<DirectoryWarning>
  readonly snapshot_bytes: number
  /** When it last became current. */
  readonly current_since: Date
}

/** An edition and the number of its changes. */
export interface EditionVersion {
  /** Its number, from 1. */
  readonly edition: number
  readonly changes: number
}

/** The current edition; undefined before the first import. */
export const currentEdition: Effect.Effect<Edition | undefined, SqlError, SqlClient> = Effect.suspend(() =>
  editionWhere((sql) => sql`is_current`)
)

/** A stored edition by its number. */
export const findEdition = (edition: number): Effect.Effect<Edition | undefined, SqlError, SqlClient> =>
  editionWhere((sql) => sql`edition = ${edition}`)

const editionWhere = (condition: (sql: SqlClient) => Fragment) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const [row] = yield* answeredOrBroken(
      sql<Omit<Edition, "snapshot_bytes"> & { readonly snapshot_bytes: bigint }>`
      SELECT edition, version, date, units, changes, places, warnings, snapshot_bytes, current_since
      FROM postcode.directory_editions WHERE ${condition(sql)}`,
      timeout_ms
    )
    return row === undefined ? undefined : { ...row, snapshot_bytes: Number(row.snapshot_bytes) }
  })

/** The current edition and its changes. */
export interface CurrentVersion extends EditionVersion {
  /** The publisher's name of the edition. */
  readonly version: string
}

/** The current version; undefined before the first import. */
export const currentVersion = (sql: SqlClient): Effect.Effect<CurrentVersion | undefined, SqlError> =>
  Effect.map(
    sql<CurrentVersion>`SELECT edition, version, changes FROM postcode.directory_editions WHERE is_current`,
    ([row]) => row
  )

/** The same, which then cannot change until the end of the transaction. */
export const lockCurrentVersion = Effect.fnUntraced(function* (sql: SqlClient) {
  const lock = sql<CurrentVersion>`
    SELECT edition, version, changes FROM postcode.directory_editions WHERE is_current FOR UPDATE`
  const [row] = yield* lock
  if (row !== undefined) return row
  // After waiting for a switch, the locked edition is no longer current, and the statement does not see the new one.
  const [next] = yield* lock
  return next
})

const timeout_ms = 5_000

/** The name of the table with an edition's units. */
export const unitsTable = (edition: number): string => `postcode.units_${edition}`
