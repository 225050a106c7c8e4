/** The bytes of a file or of standard input. Gzip is detected by content and decompressed. */
import { open, stat } from "node:fs/promises"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { CommandFailure } from "../process/ExitCode.ts"
import { host } from "../process/Host.ts"
import { missingFile } from "./missingFile.ts"

/** An open input. */
export interface InputBytes {
  /** Its name in messages. */
  readonly name: string
  /** Can be iterated once, chunk by chunk, with backpressure. A chunk is valid until the next one is requested. */
  readonly chunks: AsyncIterable<Buffer>
  /** The fraction that has been read, from 0 to 1; 0 if unknown. */
  readonly share: () => number
}

const chunk_bytes = 1 << 18

/** Opens a file, or standard input for `-`. */
export const openInput = async (path: string): Promise<InputBytes> => {
  if (path === "-") return { name: "standard input", chunks: unpacked(host().stdin), share: () => 0 }
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? missingFile(path) : error
  })
  if (stats.isDirectory()) throw new CommandFailure(`${path} is a folder: expected a CSV file`)
  let read_bytes = 0
  const onRead = (bytes: number) => {
    read_bytes += bytes
  }
  return {
    name: path,
    chunks: unpacked(readAhead(path, onRead)),
    share: () => (stats.size > 0 ? Math.min(1, read_bytes / stats.size) : 0)
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
  const bytes = source[Symbol.asyncIterator]()
  let start: Buffer = Buffer.alloc(0)
  const whole = async function* () {
    if (start.length > 0) yield start
    yield* { [Symbol.asyncIterator]: () => bytes }
  }
  try {
    while (start.length < gzipMagic.length) {
      const next = await bytes.next()
      if (next.done === true) break
      start = Buffer.concat([start, next.value])
    }
    yield* start.subarray(0, gzipMagic.length).equals(gzipMagic) ? gunzipped(whole()) : whole()
  } finally {
    // A reader that ends at the first chunk would leave the file open.
    await bytes.return?.()
  }
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
