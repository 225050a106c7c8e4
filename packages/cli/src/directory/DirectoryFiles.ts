/**
 * A directory as a folder with `places.csv` and `units.csv`, each of them also as `.csv.gz`. Both are read as streams
 * and checked row by row; one bad row, and there is no directory.
 */

import { createHash } from "node:crypto"
import { type FileHandle, open, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { Directory } from "@postcode/core/Directory"
import { DirectoryReader, type ReadResult } from "@postcode/core/DirectoryCsv"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { UnitColumns } from "@postcode/memory"
import { CommandFailure } from "../ExitCode.ts"
import { printable, say } from "../Output.ts"
import { grouped, makeProgress, type Progress } from "../Progress.ts"

export interface ReadDirectory {
  readonly directory: Directory
  /** What is known of a unit, by its id; nothing if that was not to be kept. */
  readonly attributesOf: (id: number) => UnitAttributes
  /** Rows that were left out. */
  readonly badRows: number
}

export interface ReadOptions {
  /** Work that ends within this time is not mentioned. */
  readonly quiet_ms: number
  /** Whether to keep what is known of units beyond their code, status and place. */
  readonly keepsAttributes: boolean
  /** How many bad rows are shown; the others are only counted. */
  readonly mostShown?: number
  /** Leave bad rows out instead of refusing the folder. */
  readonly skipBadRows?: boolean
  /** The edition of the data. The files do not say it: unless told, it is a hash of them, and the day of the newer one. */
  readonly version?: string | undefined
  readonly date?: string | undefined
}

/** Reads a folder. Bad rows are reported as `units.csv:17: reason` on standard error. */
export const readDirectory = async (
  folder: string,
  options: ReadOptions,
  signal: AbortSignal
): Promise<ReadDirectory> => {
  const files = { places: await findFile(folder, "places.csv"), units: await findFile(folder, "units.csv") }
  const progress = makeProgress({ doing: `reading ${folder}`, what: "units", quiet_ms: options.quiet_ms })
  try {
    return await readFiles(folder, files, options, progress, signal)
  } finally {
    progress.clear()
  }
}

/** Of many bad rows the first few show what is wrong with them. */
const fewShown = 20

interface InputFile {
  readonly name: string
  readonly path: string
  readonly size: number
  readonly modified_ms: number
}

const findFile = async (folder: string, name: string): Promise<InputFile> => {
  const found: Array<InputFile> = []
  for (const candidate of [name, `${name}.gz`]) {
    const path = join(folder, candidate)
    const stats = await stat(path).catch(() => undefined)
    if (stats?.isFile()) found.push({ name: candidate, path, size: stats.size, modified_ms: stats.mtimeMs })
  }
  const [first, second] = found
  if (first === undefined) throw new CommandFailure(await explainMissing(folder, name))
  if (second !== undefined) say(`reading ${first.path}; ${second.name} beside it is left aside`)
  return first
}

const explainMissing = async (folder: string, name: string): Promise<string> => {
  const stats = await stat(folder).catch(() => undefined)
  if (stats === undefined) return `there is no folder ${folder}`
  if (!stats.isDirectory()) return `${folder} is a file: expected a folder with places.csv and units.csv`
  return `${folder} holds neither ${name} nor ${name}.gz`
}

interface InputFiles {
  readonly places: InputFile
  readonly units: InputFile
}

const readFiles = async (
  folder: string,
  files: InputFiles,
  options: ReadOptions,
  progress: Progress,
  signal: AbortSignal
): Promise<ReadDirectory> => {
  const { keepsAttributes, quiet_ms, skipBadRows = false } = options
  const columns = new UnitColumns()
  const badRows = badRowReport(files, progress, options.mostShown ?? fewShown)
  const reader = new DirectoryReader({
    skipBadRows,
    onBadRow: ({ file, line, reason }) => badRows.add(file, line, reason),
    ...(keepsAttributes && { onAttributes: (row, attributes) => columns.add(row, attributes) })
  })
  const hash = options.version === undefined ? createHash("sha256") : undefined
  await readBytes(files.places, signal, (bytes) => {
    hash?.update(bytes)
    reader.writePlaces(bytes)
  })
  await readBytes(files.units, signal, (bytes, share) => {
    hash?.update(bytes)
    reader.writeUnits(bytes)
    progress.update(reader.unitRows, share)
  })
  progress.finish(reader.unitRows)
  const result = finish(reader, quiet_ms)
  if (!result.ok) throw new CommandFailure(`${folder} was not read: ${badRows.summary()}`)
  if (result.badRows > 0) say(`${badRows.summary()} left out`)
  return {
    directory: withEdition(result.directory, {
      version: options.version ?? `sha256-${hash?.digest("hex").slice(0, 12)}`,
      date: options.date ?? dayOf(files)
    }),
    attributesOf: keepsAttributes ? columns.attributesOf(result.rowOfUnit) : () => ({}),
    badRows: result.badRows
  }
}

/** From how many units on indexing takes long enough to say what is being waited for. */
const manyUnits = 200_000

const finish = (reader: DirectoryReader, quiet_ms: number): ReadResult => {
  const indexing = makeProgress({ doing: "indexing", what: "units", quiet_ms })
  if (reader.unitRows >= manyUnits) indexing.announce()
  const result = reader.finish()
  if (result.ok) indexing.finish(result.directory.size)
  else indexing.clear()
  return result
}

const withEdition = (directory: Directory, edition: { readonly version: string; readonly date: string }): Directory =>
  new Directory({ ...directory.contents, ...edition })

const dayOf = ({ places, units }: InputFiles): string =>
  new Date(Math.max(places.modified_ms, units.modified_ms)).toISOString().slice(0, 10)

const badRowReport = (files: InputFiles, progress: Progress, mostShown: number) => {
  let count = 0
  return {
    add: (file: keyof InputFiles, line: number, reason: string) => {
      count++
      if (count <= mostShown) progress.say(`${files[file].name}:${line}: ${printable(reason)}`)
    },
    summary: () => {
      const rows = count === 1 ? "1 bad row" : `${grouped(count)} bad rows`
      return count > mostShown ? `${rows}, of which the first ${mostShown} are shown` : rows
    }
  }
}

/**
 * Reads a file, unpacked.
 *
 * @param onBytes gets bytes that are overwritten once it returns, and how much of the file was read so far, from 0 to 1
 */
const readBytes = async (
  file: InputFile,
  signal: AbortSignal,
  onBytes: (bytes: Uint8Array, share: number) => void
): Promise<void> => {
  const packed = await open(file.path)
  try {
    let read_bytes = 0
    const chunks = readAhead(packed, signal, (more_bytes) => {
      read_bytes += more_bytes
    })
    const isPacked = file.name.endsWith(".gz")
    for await (const chunk of isPacked ? unpacked(chunks) : chunks) onBytes(chunk, read_bytes / file.size)
  } catch (error) {
    throw isPackingFault(error)
      ? new CommandFailure(`${file.path} is no complete gzip file: ${messageOf(error)}`)
      : error
  } finally {
    await packed.close()
  }
}

const chunk_bytes = 1 << 18

/**
 * The bytes of a file in two buffers by turns: while one is worked on, the other is read into. A stream would make a
 * buffer for each chunk, and leave behind a hundred megabytes at a time.
 */
async function* readAhead(file: FileHandle, signal: AbortSignal, onRead: (bytes: number) => void) {
  const buffers = [Buffer.allocUnsafeSlow(chunk_bytes), Buffer.allocUnsafeSlow(chunk_bytes)] as const
  let reading = file.read(buffers[0])
  try {
    for (let turn: 0 | 1 = 0; ; turn = turn === 0 ? 1 : 0) {
      const { bytesRead } = await reading
      signal.throwIfAborted()
      if (bytesRead === 0) return
      onRead(bytesRead)
      reading = file.read(buffers[turn === 0 ? 1 : 0])
      yield buffers[turn].subarray(0, bytesRead)
    }
  } finally {
    // The file must not be closed before this has ended, and how it ends no longer matters.
    await reading.catch(() => {})
  }
}

/** Unpacks a file, also one of several gzip members. */
async function* unpacked(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunk_bytes })
  // What is on its way through the streams must not be overwritten. Errors of either reach whoever reads the unpacked one.
  const owned = async function* () {
    for await (const chunk of packed) yield Buffer.from(chunk)
  }
  pipeline(owned, gunzip, () => {})
  yield* gunzip
}

const isPackingFault = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException | undefined)?.code).startsWith("Z_")

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
