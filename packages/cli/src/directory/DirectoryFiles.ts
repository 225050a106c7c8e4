/**
 * A directory as a folder with `places.csv` and `units.csv`, each of them also as `.csv.gz`. Both are read as streams
 * and checked row by row; one bad row, and there is no directory.
 */

import { isUtf8 } from "node:buffer"
import { createHash, type Hash } from "node:crypto"
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline, type Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { Directory } from "@postcode/core/Directory"
import { DirectoryReader } from "@postcode/core/DirectoryCsv"
import type { UnitAttributes } from "@postcode/core/UnitAttributes"
import { UnitColumns } from "@postcode/memory"
import { Effect } from "effect"
import { CommandFailure } from "../ExitCode.ts"
import { printable, say } from "../Output.ts"
import { grouped, makeProgress, type Progress } from "../Progress.ts"

export interface ReadDirectory {
  readonly directory: Directory
  /** What is known of a unit, by its id. */
  readonly attributesOf: (id: number) => UnitAttributes
}

/** Bad rows that are shown; the rest is only counted. */
const mostShown = 20

/**
 * Reads a folder. Bad rows are reported as `units.csv:17: reason` on standard error.
 *
 * @param quiet_ms reading that ends within this time is not mentioned
 */
export const readDirectoryFiles = (folder: string, quiet_ms: number): Effect.Effect<ReadDirectory, CommandFailure> =>
  Effect.tryPromise({
    try: async (signal) => {
      const files = { places: await findFile(folder, "places.csv"), units: await findFile(folder, "units.csv") }
      return await readFiles(folder, files, quiet_ms, signal)
    },
    catch: (error) => (error instanceof CommandFailure ? error : new CommandFailure(`${folder}: ${messageOf(error)}`))
  })

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
  quiet_ms: number,
  signal: AbortSignal
): Promise<ReadDirectory> => {
  const columns = new UnitColumns()
  const progress = makeProgress({ doing: `reading ${folder}`, what: "units", quiet_ms })
  const badRows = badRowReport(files, progress)
  const reader = new DirectoryReader({
    onBadRow: ({ file, line, reason }) => badRows.add(file, line, reason),
    onAttributes: (row, attributes) => columns.add(row, attributes)
  })
  const hash = createHash("sha256")
  const read = async (file: keyof InputFiles, write: (text: string) => void, onBytes: (bytes: number) => void) => {
    const badLine = await readText(files[file], write, onBytes, hash, signal)
    if (badLine !== undefined) badRows.add(file, badLine, "this line is not UTF-8, and nothing behind it was read")
    return badLine === undefined
  }
  const isText = [
    await read(
      "places",
      (text) => reader.writePlaces(text),
      () => {}
    ),
    await read(
      "units",
      (text) => reader.writeUnits(text),
      (bytes) => progress.update(reader.unitRows, bytes / files.units.size)
    )
  ]
  const result = isText.every(Boolean) ? reader.finish() : undefined
  progress.finish(reader.unitRows)
  if (result === undefined || !result.ok) throw new CommandFailure(`${folder} was not read: ${badRows.summary()}`)
  return {
    directory: withEdition(result.directory, hash, files),
    attributesOf: columns.attributesOf(result.rowOfUnit)
  }
}

/** The files say nothing of their edition: their contents and dates do. */
const withEdition = (directory: Directory, hash: Hash, { places, units }: InputFiles): Directory =>
  new Directory({
    ...directory.contents,
    version: `sha256-${hash.digest("hex").slice(0, 12)}`,
    date: new Date(Math.max(places.modified_ms, units.modified_ms)).toISOString().slice(0, 10)
  })

const badRowReport = (files: InputFiles, progress: Progress) => {
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

/** Reads a file's text, unpacked. Answers the first line that is not UTF-8, where reading stopped; undefined if none is. */
const readText = async (
  file: InputFile,
  write: (text: string) => void,
  onBytes: (bytes: number) => void,
  hash: Hash,
  signal: AbortSignal
): Promise<number | undefined> => {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  const { chunks, packedBytes } = openFile(file, signal)
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      hash.update(chunk)
      write(decoder.decode(chunk, { stream: true }))
      onBytes(packedBytes())
    }
    write(decoder.decode())
    return undefined
  } catch (error) {
    if (hasCode(error, "ERR_ENCODING_INVALID_ENCODED_DATA")) return await firstLineNotUtf8(file, signal)
    throw isPackingFault(error)
      ? new CommandFailure(`${file.path} is no complete gzip file: ${messageOf(error)}`)
      : error
  }
}

/** The unpacked bytes of a file, also of one in several gzip members, and how many packed ones that took so far. */
const openFile = (file: InputFile, signal: AbortSignal) => {
  const packed = createReadStream(file.path, { highWaterMark: 1 << 18, signal })
  const packedBytes = () => packed.bytesRead
  if (!file.name.endsWith(".gz")) return { chunks: packed as Readable, packedBytes }
  const unpacked = createGunzip({ chunkSize: 1 << 18 })
  // The reader of the unpacked stream is told of every error, of the packed one too.
  pipeline(packed, unpacked, () => {})
  return { chunks: unpacked as Readable, packedBytes }
}

/** The decoder does not say where it stopped, so the file is gone through once more, line by line. */
const firstLineNotUtf8 = async (file: InputFile, signal: AbortSignal): Promise<number> => {
  let line = 1
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of openFile(file, signal).chunks as AsyncIterable<Buffer>) {
    const bytes = Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      if (!isUtf8(bytes.subarray(start, end))) return line
      line++
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
  return line
}

const lineFeed = 0x0a

const hasCode = (error: unknown, code: string): boolean => (error as NodeJS.ErrnoException | undefined)?.code === code

const isPackingFault = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException | undefined)?.code).startsWith("Z_")

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
