/**
 * Snapshots as files, and in memory that threads share: a directory is read once, and every worker thread opens the
 * same bytes with `Directory.open`.
 */
import { randomUUID } from "node:crypto"
import { type FileHandle, open, rename, rm, stat } from "node:fs/promises"
import { dirname } from "node:path"
import { Directory } from "@postcode/core/Directory"
import { InvalidSnapshot, type SnapshotOptions, snapshotLength, snapshotPieces } from "@postcode/core/Snapshot"

/** Options of reading and writing a file. */
export interface SnapshotFileOptions {
  /** Called with the progress, at least every 4 MiB. */
  readonly onProgress?: (done_bytes: number, total_bytes: number) => void
  /** Aborts the operation: the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** A directory and its memory. */
export interface OpenedSnapshot {
  readonly directory: Directory
  /** The memory of the directory's arrays. Other threads can `Directory.open` it, with `verify: false`. */
  readonly image: SharedArrayBuffer
}

/**
 * Reads a file of any length into shared memory, without checking its content: `Directory.open` does that.
 *
 * Rejects with the error of the file system, or with an Error if the path is not a file or its length changes
 * meanwhile.
 */
export const readSnapshotFile = async (path: string, options: SnapshotFileOptions = {}): Promise<SharedArrayBuffer> => {
  // Checked before it is opened, because opening a pipe waits for a writer.
  if (!(await stat(path)).isFile()) throw new Error(`${path}: expected a file, found something else`)
  const file = await open(path, "r")
  try {
    const before = await file.stat()
    const image = new SharedArrayBuffer(before.size)
    const read_bytes = await readInto(file, new Uint8Array(image), options)
    const { size } = await file.stat()
    if (read_bytes === before.size && size === before.size) return image
    throw new Error(`${path}: its length changed from ${before.size} to ${size} bytes while it was read`)
  } finally {
    await file.close()
  }
}

/**
 * Opens the directory of a snapshot file.
 *
 * ```ts
 * const { directory, image } = await openSnapshotFile("nigeria.snapshot")
 * new Worker("./search.js", { workerData: image }) // there: Directory.open(workerData, { verify: false })
 * ```
 *
 * Rejects like `readSnapshotFile`, and with `InvalidSnapshot` if the file is not a snapshot. Its message starts with
 * the path.
 */
export const openSnapshotFile = async (path: string, options: SnapshotFileOptions = {}): Promise<OpenedSnapshot> => {
  const image = await readSnapshotFile(path, options)
  try {
    return { directory: Directory.open(image), image }
  } catch (error) {
    if (error instanceof InvalidSnapshot) throw new InvalidSnapshot(`${path}: ${error.message}`, { cause: error })
    throw error
  }
}

/**
 * Writes a directory to a file atomically: to a temporary file in the same folder, which is renamed once it is on the
 * disk. On failure, the previous file stays and the temporary file is removed. Addresses are in it only with the option
 * `addresses`, since the file exposes them to all its readers.
 *
 * Rejects with the error of the file system, or with the RangeError of `snapshotPieces`.
 */
export const writeSnapshotFile = async (
  directory: Directory,
  path: string,
  options: SnapshotFileOptions & SnapshotOptions = {}
): Promise<void> => {
  const draft = `${path}.${randomUUID()}.tmp`
  try {
    const file = await open(draft, "wx")
    try {
      await writePieces(file, directory, options)
      await file.sync()
    } finally {
      await file.close()
    }
    options.signal?.throwIfAborted()
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  await syncFolder(dirname(path))
}

/**
 * The snapshot of a directory in shared memory, with its addresses if it has them, for other threads to open.
 *
 * @throws RangeError as `snapshotPieces` does
 */
export const shareDirectory = (directory: Directory): SharedArrayBuffer => {
  const image = new SharedArrayBuffer(snapshotLength(directory, whole))
  const bytes = new Uint8Array(image)
  let end = 0
  for (const piece of snapshotPieces(directory, whole)) {
    bytes.set(piece, end)
    end += piece.length
  }
  return image
}

/** Everything that a directory has: it stays within the service. */
const whole: SnapshotOptions = { addresses: true }

/** Large enough for few calls, small enough for regular progress. */
const chunk_bytes = 4 * 2 ** 20

/** Chunks that are read in parallel, by threads of Node's pool. Most of the time is the first access to new memory. */
const readers = 4

/** Reads until the bytes are full or the file ends; returns how many were read. */
const readInto = async (
  file: FileHandle,
  bytes: Uint8Array,
  { onProgress, signal }: SnapshotFileOptions
): Promise<number> => {
  let next = 0
  let done_bytes = 0
  const readOn = async (): Promise<void> => {
    while (next < bytes.length) {
      signal?.throwIfAborted()
      const start = next
      next = Math.min(start + chunk_bytes, bytes.length)
      const read_bytes = await readChunk(file, bytes.subarray(start, next), start)
      done_bytes += read_bytes
      onProgress?.(done_bytes, bytes.length)
    }
  }
  const stopOthers = (error: unknown): never => {
    next = bytes.length
    throw error
  }
  // The file must stay open until all reads have ended.
  const ended = await Promise.allSettled(Array.from({ length: readers }, () => readOn().catch(stopOthers)))
  for (const one of ended) if (one.status === "rejected") throw one.reason
  return done_bytes
}

const readChunk = async (file: FileHandle, chunk: Uint8Array, position: number): Promise<number> => {
  let end = 0
  while (end < chunk.length) {
    const { bytesRead } = await file.read(chunk, end, chunk.length - end, position + end)
    if (bytesRead === 0) break
    end += bytesRead
  }
  return end
}

const writePieces = async (
  file: FileHandle,
  directory: Directory,
  { addresses = false, onProgress, signal }: SnapshotFileOptions & SnapshotOptions
): Promise<void> => {
  const total_bytes = snapshotLength(directory, { addresses })
  let end = 0
  for (const piece of snapshotPieces(directory, { addresses })) {
    for (let at = 0; at < piece.length; ) {
      signal?.throwIfAborted()
      const { bytesWritten } = await file.write(piece, at, Math.min(chunk_bytes, piece.length - at), end)
      at += bytesWritten
      end += bytesWritten
      onProgress?.(end, total_bytes)
    }
  }
}

/** Flushes the new name to the disk. Windows does not support this. */
const syncFolder = async (path: string): Promise<void> => {
  let folder: FileHandle | undefined
  try {
    folder = await open(path, "r")
    await folder.sync()
  } catch {
    // The file itself is on the disk. Only its name may be lost in a power failure.
  } finally {
    await folder?.close()
  }
}
