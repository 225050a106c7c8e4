/**
 * The bytes of a file or of standard input. Gzip is detected by content and decompressed, and so is a workbook, whose
 * sheet becomes CSV.
 */
import { open, stat } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { CommandFailure } from "../process/ExitCode.ts"
import { host } from "../process/Host.ts"
import type { SheetOptions } from "../workbook/workbookCsv.ts"
import { missingFile } from "./missingFile.ts"
import { plainText } from "./plainText.ts"

/** An open input. */
export interface InputBytes {
  /** Its name in messages. */
  readonly name: string
  /** Can be iterated once, chunk by chunk, with backpressure. A chunk is valid until the next one is requested. */
  readonly chunks: AsyncIterable<Buffer>
  /** The fraction that has been read, from 0 to 1; 0 if unknown. */
  readonly share: () => number
  /** Of a sheet: the columns that have numbers, as far as it has been read. */
  readonly numericColumns?: () => ReadonlySet<number>
}

const chunk_bytes = 1 << 18

/** Opens a file, or standard input for `-`. */
export const openInput = async (path: string, options: SheetOptions = {}): Promise<InputBytes> => {
  if (path === "-") return await openStandardInput(options)
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? missingFile(path) : error
  })
  if (stats.isDirectory()) throw new CommandFailure(`${path} is a folder: expected a CSV file`)
  const sheet = (await startsAsWorkbook(path)) ? await sheetOf(path, path, options) : undefined
  if (sheet !== undefined) return { name: path, ...sheet }
  let read_bytes = 0
  const onRead = (bytes: number) => {
    read_bytes += bytes
  }
  return {
    name: path,
    chunks: plainText(unpacked(readAhead(path, onRead)), options.onNote),
    share: () => (stats.size > 0 ? Math.min(1, read_bytes / stats.size) : 0)
  }
}

/** The chunks of standard input, or the sheet of the workbook that comes from it, which is kept in memory. */
const openStandardInput = async (options: SheetOptions): Promise<InputBytes> => {
  const name = "standard input"
  const { all, start } = await peeked(host().stdin, zipMagic.length)
  if (!isZip(start)) return { name, chunks: plainText(unpacked(all), options.onNote), share: () => 0 }
  const parts: Array<Buffer> = []
  let length = 0
  for await (const chunk of all) {
    parts.push(Buffer.from(chunk))
    length += chunk.length
    if (length > maxWorkbook_bytes) {
      throw new CommandFailure(`a workbook from standard input has at most ${maxWorkbook_bytes >> 20} MiB: name a file`)
    }
  }
  const bytes = Buffer.concat(parts)
  const sheet = isWorkbook(bytes) ? await sheetOf(name, bytes, options) : undefined
  const whole = async function* () {
    yield bytes
  }
  return { name, ...(sheet ?? { chunks: whole(), share: () => 0 }) }
}

const maxWorkbook_bytes = 256 << 20
const zipMagic = Buffer.from("PK\u0003\u0004")

/** Of a file. */
const startsAsWorkbook = async (path: string): Promise<boolean> => {
  await using file = await open(path)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(looked_bytes), 0, looked_bytes, 0)
  return isWorkbook(buffer.subarray(0, bytesRead))
}

const looked_bytes = 65_536

const isZip = (start: Buffer): boolean => start.subarray(0, zipMagic.length).equals(zipMagic)

/** The names of the parts of an archive are not compressed. */
const isWorkbook = (start: Buffer): boolean =>
  isZip(start) && /xl\/(?!workbook\.bin)|\[Content_Types\]\.xml/.test(start.toString("latin1", 0, looked_bytes))

/** Undefined if the archive is no workbook. What reads workbooks is loaded for workbooks only. */
const sheetOf = async (name: string, source: string | Buffer, options: SheetOptions) => {
  const { openSheet } = await import("../workbook/workbookCsv.ts")
  try {
    return await openSheet(source, options)
  } catch (error) {
    throw error instanceof CommandFailure ? new CommandFailure(`${name}: ${error.message}`, error.exitCode) : error
  }
}

/**
 * Reads a file alternately into two buffers. A stream would allocate a buffer per chunk and leave a hundred megabytes
 * of garbage at a time.
 */
async function* readAhead(path: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  await using file = await open(path)
  const buffers = [Buffer.allocUnsafeSlow(chunk_bytes), Buffer.allocUnsafeSlow(chunk_bytes)] as const
  let reading = file.read(buffers[0])
  try {
    for (let turn: 0 | 1 = 0; ; turn = turn === 0 ? 1 : 0) {
      const { bytesRead } = await reading
      if (bytesRead === 0) return
      onRead(bytesRead)
      reading = file.read(buffers[turn === 0 ? 1 : 0])
      yield buffers[turn].subarray(0, bytesRead)
    }
  } finally {
    // The read must end before the file is closed; its result no longer matters.
    await reading.catch(() => {})
  }
}

async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const { all, start } = await peeked(source, gzipMagic.length)
  yield* start.equals(gzipMagic) ? gunzipped(all) : all
}

/** The first bytes of a source, and all of it. */
const peeked = async (source: AsyncIterable<Buffer>, length: number) => {
  const bytes = source[Symbol.asyncIterator]()
  let start: Buffer = Buffer.alloc(0)
  const all = async function* () {
    try {
      if (start.length > 0) yield start
      yield* { [Symbol.asyncIterator]: () => bytes }
    } finally {
      // A reader that ends at the first chunk would leave the file open.
      await bytes.return?.()
    }
  }
  while (start.length < length) {
    const next = await bytes.next()
    if (next.done === true) break
    start = Buffer.concat([start, next.value])
  }
  return { start: start.subarray(0, length), all: all() }
}

const gzipMagic = Buffer.from([0x1f, 0x8b])

/** Decompresses a file, including one of several gzip members. */
async function* gunzipped(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunk_bytes })
  // Copied, because the stream holds chunks while their buffer is reused.
  const owned = async function* () {
    for await (const chunk of packed) yield Buffer.from(chunk)
  }
  // Errors of the compressed stream reach the reader of the decompressed one, too.
  pipeline(owned, gunzip, () => {})
  try {
    yield* gunzip
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw String(code).startsWith("Z_") ? new CommandFailure(`this is no complete gzip file: ${message}`) : error
  }
}
