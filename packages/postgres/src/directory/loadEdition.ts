/** Loads an edition from the database: its snapshot or, if that cannot be used, a directory built from its rows. */
import { toE7 } from "@postcode/core/Coordinate"
import { Directory, pack } from "@postcode/core/Directory"
import { DirectoryBuilder } from "@postcode/core/DirectoryBuilder"
import type { Postcode } from "@postcode/core/Postcode"
import { InvalidSnapshot } from "@postcode/core/Snapshot"
import { shareDirectory } from "@postcode/node"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { answeredOrBroken } from "../connection/AnsweredWithin.ts"
import { type Edition, unitsTable } from "./Editions.ts"

/** Timeout of a query: a result may be a megabyte over a slow network. */
const timeout_ms = 10_000

/**
 * The directory of an edition without its changes, in memory that threads can share. The snapshot of another release may
 * have another format, but all releases can read the rows.
 */
export const loadEdition = (edition: Edition): Effect.Effect<Directory, SqlError, SqlClient> =>
  Effect.gen(function* () {
    const opened = openImage(yield* readImage(edition))
    if (Result.isSuccess(opened)) return opened.success
    yield* Effect.logWarning(`the snapshot of edition ${edition.edition} is not used: ${opened.failure}`)
    return Directory.open(shareDirectory(yield* buildFromRows(edition)), { verify: false })
  })

/** Reads one part at a time, so that statements are short and only one part is in memory twice. */
const readImage = ({ edition, snapshot_bytes }: Edition) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const image = new SharedArrayBuffer(snapshot_bytes)
    const bytes = new Uint8Array(image)
    for (let part = 0, end = 0; end < snapshot_bytes; part++) {
      const [row] = yield* answeredOrBroken(
        sql<{ readonly bytes: Uint8Array }>`
          SELECT bytes FROM postcode.directory_snapshots WHERE edition = ${edition} AND part = ${part}`,
        timeout_ms
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
  readonly locality_name: string | null
  readonly recent_address: string | null
  readonly replaced_by: Postcode | null
}

/** Few enough that a query takes a small part of its timeout. */
const rowsPerQuery = 20_000

const buildFromRows = ({ date, edition, places, units, version }: Edition) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const builder = new DirectoryBuilder({ version, date, capacity: units, addresses: true })
    for (const place of places) builder.addPlace(place)
    for (let last = "", count = rowsPerQuery; count === rowsPerQuery; ) {
      const rows = yield* answeredOrBroken(
        sql<UnitRow>`
          SELECT postcode, lat, lon, status, locality_name, recent_address, replaced_by
          FROM ${sql.literal(unitsTable(edition))}
          WHERE postcode > ${last} ORDER BY postcode LIMIT ${rowsPerQuery}`,
        timeout_ms
      )
      for (const { lat, locality_name, lon, postcode, recent_address, replaced_by, status } of rows) {
        builder.addPackedUnit(pack(postcode), toE7(lat), toE7(lon), status === "active", {
          locality_name: locality_name ?? "",
          recent_address: recent_address ?? "",
          replaced_by: replaced_by ?? undefined
        })
      }
      count = rows.length
      last = rows.at(-1)?.postcode ?? last
    }
    const built = builder.build()
    // The postcode is the table's primary key.
    if (!built.ok) throw new Error(`edition ${edition} has a postcode twice`)
    return built.directory
  })
