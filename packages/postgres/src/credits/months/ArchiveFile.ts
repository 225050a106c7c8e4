/** Files of archived months: lines of JSON, compressed by gzip, with their SHA-256. */
import { createHash } from "node:crypto"
import { once } from "node:events"
import { createReadStream, createWriteStream } from "node:fs"
import { open } from "node:fs/promises"
import { pipeline } from "node:stream/promises"
import { StringDecoder } from "node:string_decoder"
import { createGunzip, createGzip } from "node:zlib"

/** The identity of a file. */
export interface FileDigest {
  readonly sha256: string
  readonly bytes: number
}

/** Counts and hashes what passes through. */
class Meter {
  private readonly hash = createHash("sha256")
  private bytes = 0

  readonly through = async function* (this: Meter, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      this.hash.update(chunk)
      this.bytes += chunk.length
      yield chunk
    }
  }.bind(this)

  digest(): FileDigest {
    return { sha256: this.hash.digest("hex"), bytes: this.bytes }
  }
}

/** A new file that is being written. */
export class ArchiveWriter {
  private readonly meter = new Meter()
  private readonly gzip = createGzip()
  private readonly written: Promise<void>

  /** @param path must not exist */
  constructor(path: string) {
    // `flush` writes the content to the disk before the file is closed.
    const file = createWriteStream(path, { flags: "wx", flush: true })
    this.written = pipeline(this.gzip, this.meter.through, file)
    // `write` and `close` reject with it.
    this.written.catch(() => {})
  }

  async write(lines: ReadonlyArray<string>): Promise<void> {
    if (lines.length === 0 || this.gzip.write(`${lines.join("\n")}\n`)) return
    await Promise.race([once(this.gzip, "drain"), this.written])
  }

  /** Resolves when all of it is on the disk. */
  async close(): Promise<FileDigest> {
    this.gzip.end()
    await this.written
    return this.meter.digest()
  }

  /** Stops writing. */
  async abandon(): Promise<void> {
    this.gzip.destroy()
    await this.written.catch(() => {})
  }
}

/**
 * Reads all lines of a file. A file that is incomplete or no gzip rejects.
 *
 * @param onLine called for each line, without its end
 */
export const readArchive = async (path: string, onLine: (line: string) => void): Promise<FileDigest> => {
  const meter = new Meter()
  const decoder = new StringDecoder("utf8")
  let rest = ""
  await pipeline(createReadStream(path), meter.through, createGunzip(), async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) {
      const lines = (rest + decoder.write(chunk)).split("\n")
      rest = lines.pop() ?? ""
      for (const line of lines) onLine(line)
    }
  })
  rest += decoder.end()
  if (rest !== "") onLine(rest)
  return meter.digest()
}

/** Writes the names of a folder to the disk, as after a rename. Not every system can. */
export const flushFolder = async (folder: string): Promise<void> => {
  const handle = await open(folder, "r")
  try {
    await handle.sync().catch(() => {})
  } finally {
    await handle.close()
  }
}
