/**
 * A directory as a folder with `places.csv` and `units.csv`, or `.csv.gz`. Both are streamed and checked row by row;
 * one bad row fails the whole directory by default.
 */

import { createHash } from "node:crypto"
import { dirname, join } from "node:path"
import { DirectoryReader, type FileFacts, type ReadingOptions, type ReadResult } from "@postcode/core/Csv"
import { Directory } from "@postcode/core/Directory"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { UnitColumns } from "@postcode/memory"
import { CommandFailure } from "../process/ExitCode.ts"
import { say } from "../process/Output.ts"
import { makeProgress, type Progress } from "../process/Progress.ts"
import type { BadRowFile } from "./BadRowFile.ts"
import { reportBadRows } from "./BadRowReport.ts"
import { dayOf, findFiles, type InputFiles, readFile } from "./InputFiles.ts"
import { indexingProgress } from "./indexingProgress.ts"
import { locateState } from "./locateState.ts"

/** The content of a folder. */
export interface ReadDirectory {
  readonly directory: Directory
  /** The attributes of a unit, by its id; empty if they were not kept. */
  readonly attributesOf: (id: number) => UnitAttributes
  /** The number of skipped rows. */
  readonly badRows: number
  readonly lineOf: (id: number) => number
  /** For `checkDirectory`. */
  readonly facts: FileFacts
  /** The name of the file of the units. */
  readonly unitsName: string
}

/** What to keep, report and skip. */
export interface ReadOptions {
  /** Shorter work is not reported. */
  readonly quiet_ms: number
  /** Whether to keep the attributes of units besides code, status and location. */
  readonly keepsAttributes: boolean
  /** Whether to index the addresses of the units for address search. */
  readonly addresses?: boolean
  /** How the files are written, where the files do not show it. */
  readonly reading?: ReadingOptions
  /** The sheet of the units, if they are in a workbook. */
  readonly sheet?: string | undefined
  /** Where to write bad rows. */
  readonly badRowFile?: BadRowFile | undefined
  /** Skip bad rows instead of failing. */
  readonly skipBadRows?: boolean
  /** The edition, which the files do not contain. Default: a hash of the files, and the date of the newer one. */
  readonly version?: string | undefined
  readonly date?: string | undefined
}

/** Reads a folder. Bad rows are reported as `units.csv:17: reason` on standard error. */
export const readDirectory = async (
  folder: string,
  options: ReadOptions,
  signal: AbortSignal
): Promise<ReadDirectory> => {
  const files = await findFiles(folder, options.sheet)
  const progress = makeProgress({ doing: `reading ${folder}`, what: "units", quiet_ms: options.quiet_ms })
  try {
    return await readFiles(folder, files, options, progress, signal)
  } finally {
    progress.clear()
  }
}

const readFiles = async (
  folder: string,
  files: InputFiles,
  options: ReadOptions,
  progress: Progress,
  signal: AbortSignal
): Promise<ReadDirectory> => {
  const { addresses = false, keepsAttributes, quiet_ms, skipBadRows = false } = options
  const columns = new UnitColumns()
  const badRows = reportBadRows(files, progress)
  const noteOf = (file: keyof InputFiles) => (note: string) =>
    progress.say(`${join(dirname(files[file].path), files[file].name)}: ${note}`)
  const reader = new DirectoryReader({
    addresses,
    skipBadRows,
    locate: locateState,
    ...options.reading,
    onHeader: options.badRowFile?.onHeader,
    onNote: (file, note) => noteOf(file)(note),
    onBadRow: (badRow, row) => {
      badRows.add(badRow.file, badRow.line, badRow.reason)
      options.badRowFile?.add(badRow, row)
    },
    ...(keepsAttributes && { onAttributes: (row, attributes) => columns.add(row, attributes) })
  })
  const hash = options.version === undefined ? createHash("sha256") : undefined
  if (options.reading?.mendedRows !== undefined) hash?.update(JSON.stringify([...options.reading.mendedRows]))
  for await (const bytes of readFile(files.places, signal, { onNote: noteOf("places") })) {
    hash?.update(bytes)
    reader.writePlaces(bytes)
  }
  let share = 0
  const watch = { onNote: noteOf("units"), onShare: (read: number) => (share = read) }
  for await (const bytes of readFile(files.units, signal, watch)) {
    hash?.update(bytes)
    reader.writeUnits(bytes)
    progress.update(reader.unitRows, share)
  }
  reader.end()
  progress.finish(reader.unitRows)
  const result = finish(reader, quiet_ms)
  await options.badRowFile?.finish(() => readFile(files.units, signal), options.reading)
  badRows.sayReasons()
  if (!result.ok) throw new CommandFailure(`${folder} was not read: ${badRows.summary()}`)
  if (result.directory.size === 0) throw new CommandFailure(`${folder} was not read: ${files.units.name} has no units`)
  if (result.badRows > 0) say(`${badRows.summary()} left out`)
  return {
    directory: withEdition(result.directory, {
      version: options.version ?? `sha256-${hash?.digest("hex").slice(0, 12)}`,
      date: options.date ?? dayOf(files)
    }),
    attributesOf: keepsAttributes ? columns.attributesOf(result.rowOfUnit) : () => ({}),
    badRows: result.badRows,
    lineOf: result.lineOf,
    facts: result.facts,
    unitsName: files.units.name
  }
}

const finish = (reader: DirectoryReader, quiet_ms: number): ReadResult => {
  const indexing = indexingProgress(reader.unitRows, quiet_ms)
  const result = reader.finish()
  if (result.ok) indexing.finish(result.directory.size)
  else indexing.clear()
  return result
}

const withEdition = (directory: Directory, edition: { readonly version: string; readonly date: string }): Directory =>
  new Directory({ ...directory.contents, ...edition })
