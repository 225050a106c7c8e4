/** The bytes of a file or of standard input. Gzip is detected by content and decompressed. */
import { createReadStream } from "node:fs"
import { stat } from "node:fs/promises"
import { pipeline, Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { CommandFailure } from "../ExitCode.ts"
import { host } from "../Host.ts"

/** An open input. */
export interface InputBytes {
  /** Its name in messages. */
  readonly name: string
  /** Can be iterated once, chunk by chunk, with backpressure. */
  readonly chunks: AsyncIterable<Buffer>
  /** The fraction that has been read, from 0 to 1; 0 if unknown. */
  readonly share: () => number
}

const chunkSize = 1 << 18

/** Opens a file, or standard input for `-`. */
export const openInput = async (path: string): Promise<InputBytes> => {
  if (path === "-") return { name: "standard input", chunks: unpacked(host().stdin), share: () => 0 }
  const stats = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === "ENOENT" ? new CommandFailure(`there is no file ${path}`) : error
  })
  if (stats.isDirectory()) throw new CommandFailure(`${path} is a folder: expected a CSV file`)
  let bytesRead = () => 0
  const bytes = async function* () {
    const stream = createReadStream(path, { highWaterMark: chunkSize })
    bytesRead = () => stream.bytesRead
    yield* stream
  }
  return {
    name: path,
    chunks: unpacked(bytes()),
    share: () => (stats.size > 0 ? Math.min(1, bytesRead() / stats.size) : 0)
  }
}

async function* unpacked(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const bytes = source[Symbol.asyncIterator]()
  let start: Buffer = Buffer.alloc(0)
  while (start.length < gzipMagic.length) {
    const next = await bytes.next()
    if (next.done === true) break
    start = Buffer.concat([start, next.value])
  }
  const whole = async function* () {
    if (start.length > 0) yield start
    yield* { [Symbol.asyncIterator]: () => bytes }
  }
  if (start.subarray(0, gzipMagic.length).equals(gzipMagic)) yield* gunzipped(whole())
  else yield* whole()
}

const gzipMagic = Buffer.from([0x1f, 0x8b])

async function* gunzipped(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize })
  // Errors of the compressed stream reach the reader of the decompressed one, too.
  pipeline(Readable.from(packed), gunzip, () => {})
  try {
    yield* gunzip
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw String(code).startsWith("Z_") ? new CommandFailure(`this is no complete gzip file: ${message}`) : error
  }
}
