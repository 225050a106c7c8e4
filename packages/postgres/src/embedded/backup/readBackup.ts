/** Reads a backup: every file in the order of the archive, compared with its checksum. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, stat, statfs } from "node:fs/promises"
import { join } from "node:path"
import { Readable } from "node:stream"
import { createGunzip } from "node:zlib"
import { otherPrograms } from "../Cluster.ts"
import { configurationFiles } from "../ConfigurationFiles.ts"
import { codeOf } from "../EmbeddedFailure.ts"
import { majorOf } from "../ServerPrograms.ts"
import {
  type AboutBackup,
  aboutName,
  checksumLine,
  checksumsName,
  clusterName,
  format,
  maxEntries,
  secretsName
} from "./BackupFormat.ts"
import { decrypting, isEncrypted } from "./Encryption.ts"
import { block_bytes, DamagedArchive, paddingOf, readTarHeader, type TarEntry, tarEnd } from "./Tar.ts"

/** How reading is followed and stopped. */
export interface ReadOptions {
  readonly signal: AbortSignal
  /** Called with the bytes of the file that are read, and its size. */
  readonly onProgress?: (done_bytes: number, total_bytes: number) => void
  /** Bytes that stay free on the disk. Default: 50 MB. */
  readonly reserve_bytes?: number
  /** The private keys of an encrypted backup. */
  readonly identities?: ReadonlyArray<string>
}

/** Where the files are written, and the version of the programs that will read them. */
export interface ReadTarget {
  readonly folder: string
  readonly postgres: string
}

/** Files are created, never replaced, and only their owner may read them. */
export const newFile = { mode: 0o600, flag: "wx" } as const

/**
 * Compares all files with their checksums. Rejects with `DamagedArchive`, or an error of the system.
 *
 * @param target nothing is written without it
 */
export const readBackup = async (
  file: string,
  { identities = [], onProgress = () => {}, reserve_bytes = 50e6, signal }: ReadOptions,
  target?: ReadTarget
): Promise<AboutBackup> => {
  const total_bytes = (await stat(file)).size
  const isSealed = await isEncrypted(file)
  if (isSealed && identities.length === 0)
    throw new DamagedArchive("it is encrypted: name the file of its key with --identity")
  const input = createReadStream(file, { signal })
  const packed = isSealed ? Readable.from(decrypting(input, identities), { objectMode: false }) : input
  const unpacked = createGunzip()
  for (const stream of new Set([input, packed])) stream.once("error", (error: Error) => unpacked.destroy(error))
  const bytes = new ByteReader(packed.pipe(unpacked)[Symbol.asyncIterator]())
  try {
    const { about, sum } = await readAbout(bytes)
    if (target !== undefined && majorOf(about.postgres) !== majorOf(target.postgres)) {
      throw new DamagedArchive(
        `it is of PostgreSQL ${about.postgres}, and these programs are of PostgreSQL ${target.postgres}: ${otherPrograms}`
      )
    }
    const contents = new Contents(bytes, target?.folder, sum, reserve_bytes)
    for (;;) {
      const entry = readTarHeader(await bytes.take(block_bytes))
      if (entry === undefined) throw new DamagedArchive()
      onProgress(input.bytesRead, total_bytes)
      if (entry.name === checksumsName) {
        await contents.compare(entry)
        await bytes.takeEnd()
        return about
      }
      await contents.unpack(entry)
    }
  } catch (error) {
    throw codeOf(error)?.startsWith("Z_") ? new DamagedArchive() : error
  } finally {
    packed.destroy()
    input.destroy()
  }
}

/** The first entry, with the line of its checksum. */
const readAbout = async (bytes: ByteReader): Promise<{ readonly about: AboutBackup; readonly sum: string }> => {
  const entry = readTarHeader(await bytes.take(block_bytes))
  if (entry?.name !== aboutName || entry.size > maxAbout_bytes) throw new DamagedArchive(noBackup)
  const text = await bytes.takePadded(entry.size)
  const about = parseAbout(text.toString("utf8"))
  return { about, sum: checksumLine(aboutName, createHash("sha256").update(text).digest("hex")) }
}

const maxAbout_bytes = 10_000
const noBackup = "it is not a backup"

/** Text of another form is not repeated in a message: it may hold anything. */
const parseAbout = (text: string): AboutBackup => {
  const about = parsed(text)
  const matches = (name: keyof AboutBackup, form: RegExp) => {
    const value = about?.[name]
    return typeof value === "string" && form.test(value)
  }
  const isBackup =
    matches("format", /^postcode-backup-\d{1,9}$/) &&
    matches("postgres", /^\d{1,3}\.\d{1,3}$/) &&
    matches("at", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  if (about === undefined || !isBackup) throw new DamagedArchive(noBackup)
  if (about.format !== format) throw new DamagedArchive(`its format is ${about.format}, and not ${format}`)
  return about
}

const parsed = (text: string): AboutBackup | undefined => {
  try {
    return JSON.parse(text) ?? undefined
  } catch {
    return undefined
  }
}

/** Reads the entries after the first one, and adds up their checksums. */
class Contents {
  private readonly names = new Set<string>()
  private readonly bytes: ByteReader
  private readonly target: string | undefined
  private readonly reserve_bytes: number
  private sums: string

  constructor(bytes: ByteReader, target: string | undefined, sums: string, reserve_bytes: number) {
    this.bytes = bytes
    this.target = target
    this.sums = sums
    this.reserve_bytes = reserve_bytes
  }

  async unpack(entry: TarEntry): Promise<void> {
    const { target } = this
    const { name, size } = entry
    const path = pathOf(entry)
    this.addName(path)
    if (name.endsWith("/")) {
      if (target !== undefined) await mkdir(join(target, path), { mode: 0o700 })
      return
    }
    const hash = createHash("sha256")
    if (target === undefined || configurationFiles.has(path)) {
      await this.copy(size, (chunk) => void hash.update(chunk))
    } else {
      await this.checkSpace(target, size)
      await using file = await open(join(target, path), newFile.flag, newFile.mode)
      await this.copy(size, async (chunk) => {
        hash.update(chunk)
        await file.writeFile(chunk)
      })
    }
    this.sums += checksumLine(name, hash.digest("hex"))
  }

  /** Compares the last entry. */
  async compare({ size }: TarEntry): Promise<void> {
    const isEqual =
      size === Buffer.byteLength(this.sums) && (await this.bytes.takePadded(size)).toString("utf8") === this.sums
    if (!isEqual) throw new DamagedArchive()
  }

  private addName(path: string): void {
    if (this.names.has(path)) throw new DamagedArchive("it holds a file twice")
    if (this.names.size === maxEntries) throw new DamagedArchive(`it holds more than ${maxEntries} files`)
    this.names.add(path)
  }

  /** A few bytes of a backup may stand for more than the disk has, which others use, too. */
  private async checkSpace(target: string, size: number): Promise<void> {
    const { bavail, bsize } = await statfs(target)
    if (size > bavail * bsize - this.reserve_bytes)
      throw new DamagedArchive("the disk has too little space for its files")
  }

  private async copy(size: number, write: (chunk: Buffer) => Promise<void> | void): Promise<void> {
    for (let left = size; left > 0; ) {
      const chunk = await this.bytes.takeSome(left)
      await write(chunk)
      left -= chunk.length
    }
    await this.bytes.take(paddingOf(size))
  }
}

/** Where an entry belongs, relative to the folder. Refuses what no backup has. */
const pathOf = ({ name, size }: TarEntry): string => {
  const isSecrets = name === secretsName
  if (!isSecrets && !name.startsWith(clusterName)) throw new DamagedArchive()
  const path = (isSecrets ? name : name.slice(clusterName.length)).replace(/\/$/, "")
  const parts = path.split("/")
  if (parts.some((part) => part === "" || part === "." || part === "..")) throw new DamagedArchive()
  const [first = ""] = parts
  if (refusedFiles.test(path)) throw new DamagedArchive(`it holds ${first}, which no backup has`)
  if (path === secretsName && !isSecrets) throw new DamagedArchive(`it holds another ${secretsName}`)
  if (configurationFiles.has(first) && (path !== first || name.endsWith("/"))) {
    throw new DamagedArchive(`it holds ${first} as a folder`)
  }
  const max_bytes = maxSizes_bytes.get(path) ?? Number.POSITIVE_INFINITY
  if (size > max_bytes)
    throw new DamagedArchive(`it holds a ${path} of ${size} bytes, and at most ${max_bytes} are possible`)
  return path
}

/** These make a server recover from elsewhere, store files elsewhere, or mistake another process for its own. */
const refusedFiles =
  /^(recovery\.signal|standby\.signal|recovery\.conf|tablespace_map|postmaster\.(pid|opts)|pg_tblspc\/.*)$/

/** Files that are read as a whole, here or at the start of the server. */
const maxSizes_bytes: ReadonlyMap<string, number> = new Map([
  [secretsName, 65_536],
  ["PG_VERSION", 100],
  ["backup_label", 10_000]
])

/** Takes numbers of bytes from chunks of any size. */
class ByteReader {
  private readonly chunks: AsyncIterator<Buffer>
  private rest: Buffer = Buffer.alloc(0)

  constructor(chunks: AsyncIterator<Buffer>) {
    this.chunks = chunks
  }

  /** As many as are at hand: at least one, and at most so many. */
  async takeSome(most: number): Promise<Buffer> {
    while (this.rest.length === 0) {
      const { done, value } = await this.chunks.next()
      if (done === true) throw new DamagedArchive()
      this.rest = value
    }
    const taken = this.rest.subarray(0, most)
    this.rest = this.rest.subarray(taken.length)
    return taken
  }

  async take(count: number): Promise<Buffer> {
    const parts: Array<Buffer> = []
    for (let left = count; left > 0; ) {
      const part = await this.takeSome(left)
      parts.push(part)
      left -= part.length
    }
    return Buffer.concat(parts)
  }

  /** The end of the archive, after which nothing follows: until it is read, the last part of the file is not verified. */
  async takeEnd(): Promise<void> {
    const end = await this.take(tarEnd.length)
    if (!end.equals(tarEnd) || this.rest.length > 0 || (await this.chunks.next()).done !== true) {
      throw new DamagedArchive()
    }
  }

  /** A whole content, for which the caller knows a maximum. */
  async takePadded(size: number): Promise<Buffer> {
    const content = await this.take(size)
    await this.take(paddingOf(size))
    return content
  }
}
