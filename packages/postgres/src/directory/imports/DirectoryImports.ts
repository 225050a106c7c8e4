/** The import through the management API, in the database: any replica takes its parts, and any runs it. */
import {
  type DirectoryImport,
  DirectoryImports,
  type ImportFileName,
  type ImportPart,
  type ImportTask,
  type NewImport
} from "@postcode/gateway/directory/imports/DirectoryImports"
import {
  idle_s,
  lost_s,
  openElsewhere,
  partRefusal,
  runRefusal,
  unknownImport
} from "@postcode/gateway/directory/imports/ImportRules"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { asking, inTransaction } from "../../connection/Database.ts"
import { type ImportRow, importOf } from "./ImportRow.ts"

/** Of both files, as they are stored. */
const maximum_bytes = 2 ** 30

/**
 * The port `DirectoryImports`.
 *
 * @param start runs the import with this id, and resolves after its end: see `openStoredImport`
 */
export const layerDirectoryImports = (
  start: (id: string) => Promise<void>
): Layer.Layer<DirectoryImports, never, SqlClient> =>
  Layer.effect(
    DirectoryImports,
    Effect.gen(function* () {
      const stored = makeStatements(yield* SqlClient)
      const context = yield* Effect.context<never>()
      const find = (id: string) =>
        Effect.flatMap(stored.read, (row) =>
          row?.id === id ? Effect.succeed(importOf(row)) : Effect.fail(unknownImport)
        )
      const work = (id: string) =>
        Effect.tryPromise(() => start(id)).pipe(
          Effect.tapError((error) => Effect.logError("an import failed", error.cause)),
          Effect.catch(() => Effect.ignore(asking(stored.fail(id))))
        )
      return {
        maximum_bytes,
        current: asking(Effect.map(stored.read, (row) => row && importOf(row))),
        open: (opened) =>
          asking(
            Effect.gen(function* () {
              const row = yield* stored.open(opened)
              if (row !== undefined) return importOf(row)
              const current = yield* stored.read
              // If it was removed meanwhile, the client sees an import that has ended.
              return yield* current === undefined ? unknownAgain(opened) : openElsewhere(importOf(current))
            })
          ),
        append: (part) =>
          asking(
            Effect.gen(function* () {
              const row = yield* stored.append(part)
              if (row !== undefined) return importOf(row)
              const current = yield* find(part.id)
              const refusal = partRefusal(current, part)
              return refusal === undefined ? current : yield* refusal
            })
          ),
        run: (id, task, actor) =>
          asking(
            Effect.gen(function* () {
              const row = yield* stored.begin(id, task, actor)
              if (row === undefined) return yield* runRefusal(yield* find(id)) ?? unknownImport
              Effect.runForkWith(context)(work(id))
              return importOf(row)
            })
          ),
        cancel: (id) =>
          asking(
            Effect.gen(function* () {
              if (!(yield* stored.remove(id)) && !(yield* stored.stop(id))) return yield* unknownImport
            })
          )
      }
    })
  )

const unknownAgain = (opened: NewImport) =>
  Effect.succeed<DirectoryImport>({
    ...opened,
    phase: "failed",
    places: { ...opened.places, received_bytes: 0 },
    units: { ...opened.units, received_bytes: 0 }
  })

const makeStatements = (sql: SqlClient) => {
  const isLost = sql.literal(`active_at < now() - interval '${lost_s} seconds'`)
  const isIdle = sql.literal(`active_at < now() - interval '${idle_s} seconds'`)
  const isRunning = sql.literal("phase IN ('checking', 'importing')")
  const shown = sql.literal(`*, active_at < now() - interval '${lost_s} seconds' AS is_lost`)
  const isComplete = sql.literal("places_received = places_bytes AND units_received = units_bytes")
  const first = ([row]: ReadonlyArray<ImportRow>) => row
  return {
    read: Effect.map(sql<ImportRow>`SELECT ${shown} FROM postcode.directory_import`, first),

    /** One statement decides, so that of two operators one succeeds. */
    open: ({ actor, id, opened_at, places, units }: NewImport) =>
      inTransaction(
        sql,
        Effect.gen(function* () {
          const rows = yield* sql<ImportRow>`
            INSERT INTO postcode.directory_import AS i
              (id, actor, opened_at, active_at, phase, places_name, places_bytes, places_received,
              units_name, units_bytes, units_received, is_cancelled)
            VALUES (${id}, ${actor}, ${opened_at}, now(), 'uploading', ${places.name}, ${places.size_bytes}, 0,
              ${units.name}, ${units.size_bytes}, 0, false)
            ON CONFLICT (is_only) DO UPDATE SET id = excluded.id, actor = excluded.actor,
              opened_at = excluded.opened_at, active_at = now(), phase = 'uploading',
              places_name = excluded.places_name, places_bytes = excluded.places_bytes, places_received = 0,
              units_name = excluded.units_name, units_bytes = excluded.units_bytes, units_received = 0,
              task = NULL, progress = NULL, checked = NULL, imported = NULL, problem = NULL, is_cancelled = false
            WHERE i.phase = 'imported' OR CASE WHEN i.phase IN ('checking', 'importing')
              THEN i.active_at < now() - ${`${lost_s} seconds`}::interval
              ELSE i.actor = excluded.actor OR i.active_at < now() - ${`${idle_s} seconds`}::interval END
            RETURNING ${shown}`
          if (rows.length > 0) yield* sql`DELETE FROM postcode.directory_import_parts WHERE import_id <> ${id}`
          return first(rows)
        })
      ),

    append: ({ bytes, file, id, offset }: ImportPart) => {
      const [received, size] = columnsOf(file).map((name) => sql.literal(name)) as [
        ReturnType<typeof sql.literal>,
        ReturnType<typeof sql.literal>
      ]
      return Effect.map(
        sql<ImportRow>`
          WITH grown AS (
            UPDATE postcode.directory_import SET ${received} = ${received} + ${bytes.length}, active_at = now()
            WHERE id = ${id} AND phase = 'uploading' AND ${received} = ${offset}
              AND ${received} + ${bytes.length} <= ${size}
            RETURNING ${shown}
          ), part AS (
            INSERT INTO postcode.directory_import_parts (import_id, file, first_byte, bytes)
            SELECT id, ${file}, ${offset}, ${bytes} FROM grown
          )
          SELECT * FROM grown`,
        first
      )
    },

    begin: (id: string, task: ImportTask, actor: string) =>
      Effect.map(
        sql<ImportRow>`
          UPDATE postcode.directory_import SET phase = ${task.dry_run ? "checking" : "importing"},
            task = ${JSON.stringify(task)}::text::jsonb, actor = ${actor}, active_at = now(), progress = NULL,
            problem = NULL, is_cancelled = false, checked = CASE WHEN ${task.dry_run}::boolean THEN NULL ELSE checked END
          WHERE id = ${id} AND ${isComplete} AND phase <> 'imported' AND NOT (${isRunning} AND NOT ${isLost})
          RETURNING ${shown}`,
        first
      ),

    fail: (id: string) => sql`
      UPDATE postcode.directory_import SET phase = 'failed', progress = NULL,
        problem = 'the import failed because of a fault of the service: its log has the reason'
      WHERE id = ${id} AND ${isRunning}`,

    /** Removes an import that does not run. */
    remove: (id: string) =>
      inTransaction(
        sql,
        Effect.gen(function* () {
          const rows = yield* sql`
            DELETE FROM postcode.directory_import WHERE id = ${id} AND NOT (${isRunning} AND NOT ${isLost})
            RETURNING id`
          if (rows.length > 0) yield* sql`DELETE FROM postcode.directory_import_parts WHERE import_id = ${id}`
          return rows.length > 0
        })
      ),

    /** Tells the process that runs it, which removes it. */
    stop: (id: string) =>
      Effect.map(
        sql`UPDATE postcode.directory_import SET is_cancelled = true WHERE id = ${id} RETURNING id`,
        (rows) => rows.length > 0
      ),

    forget: sql`
      WITH past AS (DELETE FROM postcode.directory_import WHERE ${isIdle} RETURNING id)
      DELETE FROM postcode.directory_import_parts WHERE import_id IN (SELECT id FROM past)`
  }
}

const columnsOf = (file: ImportFileName) => [`${file}_received`, `${file}_bytes`] as const

/** Removes an import that nothing was heard of for half an hour. */
export const forgetIdleImport = Effect.flatMap(SqlClient, (sql) => makeStatements(sql).forget)
