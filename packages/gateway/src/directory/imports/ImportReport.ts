/** Collects what a dry run of an import finds. */
import type { RemovalsVerdict } from "@postcode/core/Changes"
import { type DirectoryReaderOptions, type Findings, type ReadingOptions, warningsOf } from "@postcode/core/Csv"
import type { Directory } from "@postcode/core/Directory"
import type { ChangeFate } from "./changeFate.ts"
import type { DirectoryDifference } from "./compareDirectories.ts"
import type { BadImportRow, ImportCheck, ImportFileName, ImportTask, ReadFile } from "./DirectoryImports.ts"

const maxBadRows = 20
const maxColumns = 200
const maxNotes = 10

/** A directory that was read, and looked at. */
export interface CheckedDirectory {
  readonly directory: Directory
  readonly lineOf: (id: number) => number
  readonly found: ReadonlyArray<Findings>
}

type Mutable<A> = { -readonly [Name in keyof A]: A[Name] }

export class ImportReport {
  private readonly files: Record<ImportFileName, Mutable<ReadFile>> = { places: nothingRead, units: nothingRead }
  private readonly badRows: Array<BadImportRow> = []
  private badCount = 0
  private checked: CheckedDirectory | undefined
  private difference: DirectoryDifference | undefined
  private removals: RemovalsVerdict | undefined
  private changed: Readonly<Record<ChangeFate, number>> | undefined
  private readonly names: Readonly<Record<ImportFileName, string>>

  /** @param names of the files, as the operator chose them */
  constructor(names: Readonly<Record<ImportFileName, string>>) {
    this.names = names
  }

  /** For the reader of the files. */
  readonly onNote: NonNullable<DirectoryReaderOptions["onNote"]> = (file, note) => {
    const { notes } = this.files[file]
    // The files may be read more than once.
    if (notes.length < maxNotes && !notes.includes(note))
      this.files[file] = { ...this.files[file], notes: [...notes, note] }
  }

  readonly onHeader: NonNullable<ReadingOptions["onHeader"]> = (file, columns, { fields }) => {
    const names = Object.entries(columns).map(([column, name]) => [column, shownName(name)])
    this.files[file] = { ...this.files[file], columns: Object.fromEntries(names), header: shown(fields) }
  }

  readonly onBadRow: NonNullable<DirectoryReaderOptions["onBadRow"]> = ({ file, line, reason }, row) => {
    this.badCount++
    if (this.badRows.length < maxBadRows) this.badRows.push({ file, line, reason: withoutFlags(reason) })
    // A header without the columns that a file must have: the operator chooses among its names.
    if (row !== undefined && reason.startsWith("header: ")) {
      this.files[file] = { ...this.files[file], header: shown(row.fields) }
    }
  }

  readonly onChecked = (checked: CheckedDirectory): void => {
    this.checked = checked
  }

  readonly onDifference = (difference: DirectoryDifference): void => {
    this.difference = difference
  }

  readonly onRemovals = (verdict: RemovalsVerdict): void => {
    this.removals = verdict
  }

  readonly onChanges = ({ contained, superseded, undone }: Readonly<Record<ChangeFate, number>>): void => {
    this.changed = { contained, undone, superseded }
  }

  /** @param dropped the number of units that were left out as implausible */
  check(
    { columns, delimiter, drop_implausible, skip_lines }: ImportTask,
    rows: ImportCheck["rows"],
    dropped: number
  ): ImportCheck {
    const { changed, checked, difference, files, removals } = this
    return {
      reading: { columns, delimiter, drop_implausible, skip_lines },
      ...files,
      rows,
      is_readable: checked !== undefined,
      total_units: checked?.directory.size ?? 0,
      active_units: checked?.directory.activeSize ?? 0,
      dropped_units: dropped,
      bad_rows: this.badCount,
      first_bad_rows: this.badRows,
      warnings: checked === undefined ? [] : warningsOf(checked.found, checked.directory, checked.lineOf),
      ...(difference && { difference }),
      ...(removals?.isLarge && { removals: { count: removals.count, description: removals.description } }),
      ...(changed && { changed_units: changed })
    }
  }

  /** The number of bad rows, and the first of them: why files are refused. */
  refusal(): string {
    const [first] = this.badRows
    const example = first === undefined ? "" : `, such as ${this.names[first.file]}:${first.line}: ${first.reason}`
    return `the files have ${this.badCount === 1 ? "1 bad row" : `${this.badCount} bad rows`}${example}`
  }
}

/** Messages are those of the commands; here there is a form in place of flags. */
export const withoutFlags = (message: string): string =>
  message
    .replace("choose another --data-version", "choose another name")
    .replace(/; name each with --column .*$/, "")
    .replace("choose with --delimiter", "choose what separates them")
    .replace(
      "choose one with --sheet",
      "save one as a file of its own, or call two of them places and units, and choose it for both"
    )

const nothingRead: ReadFile = { notes: [], header: [], columns: {} }

const shown = (header: ReadonlyArray<string>): ReadonlyArray<string> => header.slice(0, maxColumns).map(shownName)

const shownName = (name: string): string => name.trim().slice(0, 200)
