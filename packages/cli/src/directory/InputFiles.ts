/** The two files of a directory, plain or gzipped, as byte streams. */
import { type FileHandle, open, stat } from "node:fs/promises"
import { join } from "node:path"
import { pipeline } from "node:stream"
import { createGunzip } from "node:zlib"
import { CommandFailure, messageOf } from "../ExitCode.ts"
import { say } from "../Output.ts"

/** A file in its folder: its size on disk is in bytes. */
export interface InputFile {
  readonly name: string
  readonly path: string
  readonly size: number
  readonly modified_ms: number
}

/** The two files of a directory. */
export interface InputFiles {
  readonly places: InputFile
  readonly units: InputFile
}

/** Finds both files in a folder. */
export const findFiles = async (folder: string): Promise<InputFiles> => ({
  places: await findFile(folder, "places.csv"),
  units: await findFile(folder, "units.csv")
})

/** The date of the newer file, such as `2026-01-31`. */
export const dayOf = ({ places, units }: InputFiles): string =>
  new Date(Math.max(places.modified_ms, units.modified_ms)).toISOString().slice(0, 10)

/**
 * Reads a file, decompressed. The buffer is reused for the next chunk.
 *
 * @param onShare called with the fraction of the file that has been read, from 0 to 1
 */
export async function* readFile(
  file: InputFile,
  signal: AbortSignal,
  onShare: (share: number) => void = () => {}
): AsyncGenerator<Uint8Array> {
  const packed = await open(file.path)
  try {
    let read_bytes = 0
    const chunks = readAhead(packed, signal, (more_bytes) => {
      read_bytes += more_bytes
      onShare(read_bytes / file.size)
    })
    yield* file.name.endsWith(".gz") ? unpacked(chunks) : chunks
  } catch (error) {
    throw isPackingFault(error)
      ? new CommandFailure(`${file.path} is no complete gzip file: ${messageOf(error)}`)
      : error
  } finally {
    await packed.close()
  }
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

const chunk_bytes = 1 << 18

/**
 * Reads a file alternately into two buffers. A stream would allocate a buffer per chunk and leave a hundred megabytes
 * of garbage at a time.
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
    // The read must end before the file is closed; its result no longer matters.
    await reading.catch(() => {})
  }
}

/** Decompresses a file, including one of several gzip members. */
async function* unpacked(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: chunk_bytes })
  // Copied, because the streams hold chunks while the buffer is reused. Errors of both streams reach the reader of the
  // decompressed one.
  const owned = async function* () {
    for await (const chunk of packed) yield Buffer.from(chunk)
  }
  pipeline(owned, gunzip, () => {})
  yield* gunzip
}

const isPackingFault = (error: unknown): boolean =>
  String((error as NodeJS.ErrnoException | undefined)?.code).startsWith("Z_")
