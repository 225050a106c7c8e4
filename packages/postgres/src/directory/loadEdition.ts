/** Brings an edition from the database into memory: its snapshot, or what its rows make where that cannot be used. */
import { toE7 } from "@postcode/core/Coordinate"
import { Directory } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import { InvalidSnapshot } from "@postcode/core/InvalidSnapshot"
import { pack } from "@postcode/core/PackedCode"
import type { Postcode } from "@postcode/core/Postcode"
import { shareDirectory } from "@postcode/node"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"
import { type Edition, unitsTable } from "./Editions.ts"

/** An edition of the directory, loaded. */
export interface LoadedEdition {
  /** Its number: each import counts one on. */
  readonly edition: number
  readonly directory: Directory
  /** The snapshot that the directory is a view of. */
  readonly image: SharedArrayBuffer
  /** Since when it is in force, ISO 8601, UTC; undefined if that is not known. */
  readonly since: string | undefined
}

/** How long one answer is waited for: some are a megabyte, and a line may be slow. */
const patience_ms = 10_000

/** A snapshot that another release has written may be of another format; the rows are the same for all. */
export const loadEdition = (edition: Edition): Effect.Effect<LoadedEdition, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const noted = { edition: edition.edition, since: edition.created_at.toISOString() }
    const image = yield* readImage(edition)
    const opened = openImage(image)
    if (Result.isSuccess(opened)) return { ...noted, directory: opened.success, image }
    yield* Effect.logWarning(`the snapshot of edition ${edition.edition} is not used: ${opened.failure}`)
    const rebuilt = shareDirectory(yield* buildFromRows(edition))
    return { ...noted, directory: Directory.open(rebuilt, { verify: false }), image: rebuilt }
  })

/** Part by part, so that no statement takes long and no more than one part is in memory twice. */
const readImage = ({ edition, snapshot_bytes }: Edition) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const image = new SharedArrayBuffer(snapshot_bytes)
    const bytes = new Uint8Array(image)
    for (let part = 0, end = 0; end < snapshot_bytes; part++) {
      const [row] = yield* answeredOrBroken(
        sql<{ readonly bytes: Uint8Array }>`
          SELECT bytes FROM postcode.directory_snapshots WHERE edition = ${edition} AND part = ${part}`,
        patience_ms
      )
      if (row === undefined || end + row.bytes.length > snapshot_bytes) break
      bytes.set(row.bytes, end)
      end += row.bytes.length
    }
    return image
  })

const openImage = (image: SharedArrayBuffer): Result.Result<Directory, string> => {
  try {
    return Result.succeed(Directory.open(image))
  } catch (error) {
    if (error instanceof InvalidSnapshot) return Result.fail(error.message)
    throw error
  }
}

interface UnitRow {
  readonly postcode: Postcode
  readonly lat: number
  readonly lon: number
  readonly status: "active" | "retired"
}

/** So many rows a statement: it takes a small part of the time that a statement may take. */
const rowsAtATime = 20_000

const buildFromRows = ({ date, edition, places, units, version }: Edition) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const builder = new DirectoryBuilder({ version, date, capacity: units })
    for (const place of places) builder.addPlace(place)
    for (let last = "", count = rowsAtATime; count === rowsAtATime; ) {
      const rows = yield* answeredOrBroken(
        sql<UnitRow>`
          SELECT postcode, lat, lon, status FROM ${sql.literal(unitsTable(edition))}
          WHERE postcode > ${last} ORDER BY postcode LIMIT ${rowsAtATime}`,
        patience_ms
      )
      for (const { lat, lon, postcode, status } of rows) {
        builder.addPackedUnit(pack(postcode), toE7(lat), toE7(lon), status === "active")
      }
      count = rows.length
      last = rows.at(-1)?.postcode ?? last
    }
    const built = builder.build()
    // The table has them as its key.
    if (!built.ok) throw new Error(`edition ${edition} has a postcode twice`)
    return built.directory
  })
