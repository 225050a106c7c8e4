/** Port: an import of a new edition through the management API. There is at most one at a time. */

import type { AllowedRemovals } from "@postcode/core/Changes"
import type { ColumnMapping, DirectoryWarning } from "@postcode/core/Csv"
import { Context, type Effect } from "effect"
import type { Conflict, NotFound, Unavailable } from "../../Errors.ts"
import type { DirectoryDifference } from "./compareDirectories.ts"

/** The two files of a directory. */
export const importFileNames = ["places", "units"] as const

/** A file of a directory. */
export type ImportFileName = (typeof importFileNames)[number]

/** A file as the operator chose it. */
export interface ChosenFile {
  readonly name: string
  readonly size_bytes: number
}

/** How much of a file has arrived. */
export interface UploadedFile extends ChosenFile {
  readonly received_bytes: number
}

/**
 * The phases of an import.
 *
 * - `uploading`: parts of the files arrive; once they are complete, the import can run
 * - `checking`: a dry run
 * - `checked`: after a dry run
 * - `importing`: until the edition is current
 * - `imported`: the edition is current; the files are removed
 * - `failed`: nothing was changed; it can run again
 */
export const importPhases = ["uploading", "checking", "checked", "importing", "imported", "failed"] as const

/** The phase of an import. */
export type ImportPhase = (typeof importPhases)[number]

/** The steps of a run, in their order. */
export const importSteps = ["reading", "indexing", "comparing", "publishing"] as const

/** How far a run is. */
export interface ImportProgress {
  readonly step: (typeof importSteps)[number]
  /** From 0 to 1; absent if it is not known. */
  readonly share?: number
  /** The rows of units that have been read. */
  readonly rows: number
}

/** What a run does. */
export interface ImportTask {
  /** Only check the files, and compare them with the current directory. */
  readonly dry_run: boolean
  /** Where the columns of the units are, if their names are others. */
  readonly columns: ColumnMapping
  /** The character between fields; by default, it is found in each file. */
  readonly delimiter?: string | undefined
  /** Lines before the header of the units; by default, they are found. */
  readonly skip_lines?: number | undefined
  /** Leave out units whose location cannot be right. */
  readonly drop_implausible: boolean
  /** Leave out bad rows. Otherwise one is enough to refuse the files; a dry run counts without them in any case. */
  readonly skip_bad_rows: boolean
  /** The name of the edition, and its date. A dry run needs neither. */
  readonly data_version?: string | undefined
  readonly data_date?: string | undefined
  /** How many active units may be taken away, if it is more than 1 %. */
  readonly allow_removals?: AllowedRemovals | undefined
  /** What becomes of changes since the last import that the edition would undo. */
  readonly changes?: "keep" | "drop" | undefined
}

/** How a file is read. */
export interface ReadFile {
  /** Such as `read as: UTF-16, tab, header in line 3, 9 columns`. */
  readonly notes: ReadonlyArray<string>
  /** The names of its columns. */
  readonly header: ReadonlyArray<string>
  /** Which of them is read, by the column of the directory. */
  readonly columns: ColumnMapping
}

/** A row that cannot be read. */
export interface BadImportRow {
  readonly file: ImportFileName
  readonly line: number
  readonly reason: string
}

/** How a dry run was told to read the files. An import that is to read them in the same way has to be told the same. */
export type ImportReading = Pick<ImportTask, "columns" | "delimiter" | "drop_implausible" | "skip_lines">

/** What a dry run found. */
export interface ImportCheck {
  readonly reading: ImportReading
  readonly places: ReadFile
  readonly units: ReadFile
  /** The first rows of the units as they are read, with the columns of `unitColumns`. */
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
  /** Whether there is a directory in the files, without their bad rows. */
  readonly is_readable: boolean
  readonly total_units: number
  readonly active_units: number
  /** Rows that were left out because their location cannot be right. */
  readonly dropped_units: number
  readonly bad_rows: number
  readonly first_bad_rows: ReadonlyArray<BadImportRow>
  readonly warnings: ReadonlyArray<DirectoryWarning>
  /** From the current edition without its changes. */
  readonly difference?: DirectoryDifference
  /** Present if the edition takes so many active units away that it needs their number. */
  readonly removals?: { readonly count: number; readonly description: string }
  /** Units that were changed since the last import, by what becomes of them. */
  readonly changed_units?: { readonly contained: number; readonly undone: number; readonly superseded: number }
}

/** The edition of a finished import. */
export interface ImportedEdition {
  readonly outcome: "imported" | "unchanged"
  readonly data_version: string
  readonly data_date: string
}

/** An import, and what is known of it. */
export interface DirectoryImport {
  readonly id: string
  readonly actor: string
  /** ISO 8601, UTC. */
  readonly opened_at: string
  readonly phase: ImportPhase
  readonly places: UploadedFile
  readonly units: UploadedFile
  readonly progress?: ImportProgress
  readonly check?: ImportCheck
  readonly imported?: ImportedEdition
  /** Why the last run failed. */
  readonly problem?: string
}

/** A new import. */
export interface NewImport extends Pick<DirectoryImport, "actor" | "id" | "opened_at"> {
  readonly places: ChosenFile
  readonly units: ChosenFile
}

/** A part of a file. */
export interface ImportPart {
  readonly id: string
  readonly file: ImportFileName
  /** The index of its first byte in the file. */
  readonly offset: number
  readonly bytes: Uint8Array
}

/** Notes an edition that is current, with the details of the entry. */
export type NoteImport = (details: Readonly<Record<string, string | number>>) => Effect.Effect<void, Unavailable>

export class DirectoryImports extends Context.Service<
  DirectoryImports,
  {
    /** The maximum size of both files together. */
    readonly maximum_bytes: number
    /** The import; undefined if there is none. One that was abandoned while it ran has failed. */
    readonly current: Effect.Effect<DirectoryImport | undefined, Unavailable>
    /**
     * Opens an import. It replaces one that has ended, that waits for the same operator, or that nothing was heard of for
     * `idle_s`. Fails with `Conflict` if there is another one. Of two operators, one succeeds.
     */
    readonly open: (opened: NewImport) => Effect.Effect<DirectoryImport, Conflict | Unavailable>
    /**
     * Adds the next part of a file. A part that is there already changes nothing. Fails with `Conflict` for another part,
     * for bytes beyond the size of the file, and if nothing is uploaded any more.
     */
    readonly append: (part: ImportPart) => Effect.Effect<DirectoryImport, Conflict | NotFound | Unavailable>
    /**
     * Starts a run, and does not wait for its end. Fails with `Conflict` while files are incomplete, another run is not
     * over, or the edition is imported.
     *
     * @param note appends an entry to the audit log; adapters that store the edition do so in the same transaction instead
     */
    readonly run: (
      id: string,
      task: ImportTask,
      actor: string,
      note: NoteImport
    ) => Effect.Effect<DirectoryImport, Conflict | NotFound | Unavailable>
    /** Ends the import, and removes its files. What is current stays current. */
    readonly cancel: (id: string) => Effect.Effect<void, NotFound | Unavailable>
  }
>()("@postcode/gateway/DirectoryImports") {}
