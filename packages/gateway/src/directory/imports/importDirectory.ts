/** Imports a new edition for an operator: uploads its files, checks them, and makes it current. */
import { grouped } from "@postcode/core/Changes"
import { Effect } from "effect"
import { AuditLog } from "../../audit/AuditLog.ts"
import { newId, timestamp } from "../../audit/audit.ts"
import {
  type Conflict,
  type InsufficientScope,
  InvalidParameter,
  type NotFound,
  type Unavailable
} from "../../Errors.ts"
import { type Manager, permit } from "../../ManagementAccess.ts"
import type { Secrets } from "../../store/Secrets.ts"
import {
  type ChosenFile,
  type DirectoryImport,
  DirectoryImports,
  type ImportPart,
  type ImportTask
} from "./DirectoryImports.ts"

export interface ImportDirectory {
  /** The import that is open, or ended last; undefined if there is none. */
  readonly get: (manager: Manager) => Effect.Effect<DirectoryImport | undefined, InsufficientScope | Unavailable>
  readonly open: (
    files: { readonly places: ChosenFile; readonly units: ChosenFile },
    manager: Manager
  ) => Effect.Effect<DirectoryImport, Conflict | InsufficientScope | InvalidParameter | Unavailable>
  readonly append: (
    part: ImportPart,
    manager: Manager
  ) => Effect.Effect<DirectoryImport, Conflict | InsufficientScope | NotFound | Unavailable>
  readonly run: (
    id: string,
    task: ImportTask,
    manager: Manager
  ) => Effect.Effect<DirectoryImport, Conflict | InsufficientScope | InvalidParameter | NotFound | Unavailable>
  readonly cancel: (id: string, manager: Manager) => Effect.Effect<void, InsufficientScope | NotFound | Unavailable>
}

/** The audit log gets its entry with the edition. */
export const importDirectory: Effect.Effect<ImportDirectory, never, AuditLog | DirectoryImports | Secrets> = Effect.gen(
  function* () {
    const imports = yield* DirectoryImports
    const identify = yield* newId
    const log = yield* AuditLog
    return {
      get: (manager) => Effect.andThen(permit(manager, "getImport"), imports.current),
      open: Effect.fnUntraced(function* ({ places, units }, manager) {
        yield* permit(manager, "openImport")
        const size_bytes = places.size_bytes + units.size_bytes
        const { maximum_bytes } = imports
        if (maximum_bytes > 0 && size_bytes > maximum_bytes) {
          const message = `units: expected at most ${grouped(maximum_bytes)} bytes of both files, found ${grouped(size_bytes)}`
          return yield* new InvalidParameter({ parameter: "units", message })
        }
        const opened_at = yield* timestamp
        return yield* imports.open({ id: identify("imp"), actor: manager.actor, opened_at, places, units })
      }),
      append: (part, manager) => Effect.andThen(permit(manager, "addImportPart"), imports.append(part)),
      run: Effect.fnUntraced(function* (id, task, manager) {
        yield* permit(manager, "runImport")
        if (!task.dry_run && task.data_version === undefined) {
          return yield* new InvalidParameter({
            parameter: "data_version",
            message: "data_version: expected the name of the edition, such as 2026-1"
          })
        }
        const { actor } = manager
        // A dry run must not differ from day to day.
        const data_date = task.data_date ?? (task.dry_run ? undefined : (yield* timestamp).slice(0, 10))
        return yield* imports.run(id, { ...task, data_date }, actor, (details) =>
          Effect.flatMap(timestamp, (at) =>
            log.append({
              id: identify("evt"),
              at,
              actor,
              action: "directory.imported",
              subject: String(details.version),
              details
            })
          )
        )
      }),
      cancel: (id, manager) => Effect.andThen(permit(manager, "cancelImport"), imports.cancel(id))
    }
  }
)
