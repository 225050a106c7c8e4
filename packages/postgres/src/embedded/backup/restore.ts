/** Restores a backup into an empty folder. Nothing of it is in use before every file is there and has its checksum. */
import { createHash } from "node:crypto"
import { constants, createReadStream } from "node:fs"
import { mkdir, open, readdir, readFile, rename, rm, stat, statfs, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { createGunzip } from "node:zlib"
import { finish, makeUnfinished } from "../Cluster.ts"
import { configurationFiles } from "../ConfigurationFiles.ts"
import { type DataFolder, holdsData, makeDataFolder } from "../DataFolder.ts"
import { codeOf, EmbeddedFailure, messageOf } from "../EmbeddedFailure.ts"
import { removeFolder } from "../FolderOwner.ts"
import { postgresVersion } from "../PinnedPrograms.ts"
import { letThrough, type ServerUser, serverUser } from "../ServerUser.ts"
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
import { syncFolder } from "./backUp.ts"
import { block_bytes, DamagedArchive, paddingOf, readTarHeader, type TarEntry } from "./Tar.ts"

/** The folder that a backup is restored to, and how that is followed and stopped. */
export interface RestoreOptions {
  /** The folder: missing, or without data. */
  readonly path: string
  readonly signal: AbortSignal
  /** Called with the bytes of the file that are read, and its size. */
  readonly onProgress?: (done_bytes: number, total_bytes: number) => void
  /** Told of an account that is created. */
  readonly onEvent?: (message: string) => void
  /** Bytes that stay free on the disk. Default: 50 MB. */
  readonly reserve_bytes?: number
}

/** Restores the file; returns when the backup was begun. */
export const restore = async (file: string, options: RestoreOptions): Promise<AboutBackup> => {
  const total_bytes = (await stat(file).catch((error: unknown) => fail(file, messageOf(error)))).size
  const folder = await makeDataFolder(options.path)
  if (await holdsData(folder)) {
    throw new EmbeddedFailure(`${folder.path} holds data already: restore into another folder, and serve that`)
  }
  const user = await serverUser(folder, options.onEvent)
  if (user !== undefined) await letThrough(folder, user)
  const unfinished = await makeUnfinished(folder)
  try {
    const about = await unpack(file, total_bytes, unfinished, options)
    for (const [name, content] of configurationFiles) await writeFile(join(unfinished, name), content, newFile)
    await keepSecrets(folder, unfinished)
    await handOver(unfinished, user)
    const restored = await finish(folder, unfinished)
    if (!restored) throw new EmbeddedFailure(`another process has put data into ${folder.path}: nothing was restored`)
    await syncFolder(folder.path)
    return about
  } catch (error) {
    await removeFolder(unfinished)
    options.signal.throwIfAborted()
    throw error instanceof EmbeddedFailure ? error : await fail(file, messageOf(error))
  }
}

const fail = (file: string, reason: string): never => {
  throw new EmbeddedFailure(`${file} was not restored: ${reason}`)
}

const newFile = { mode: 0o600, flag: "wx" } as const

/** Unpacks all files below a folder, and compares them with their checksums. */
const unpack = async (
  file: string,
  total_bytes: number,
  target: string,
  { onProgress = () => {}, reserve_bytes = 50e6, signal }: RestoreOptions
): Promise<AboutBackup> => {
  const input = createReadStream(file, { signal })
  const unpacked = createGunzip()
  input.once("error", (error) => unpacked.destroy(error))
  const bytes = new ByteReader(input.pipe(unpacked)[Symbol.asyncIterator]())
  try {
    const { about, sum } = await readAbout(bytes)
    const contents = new Contents(bytes, target, sum, reserve_bytes)
    for (;;) {
      const entry = readTarHeader(await bytes.take(block_bytes))
      if (entry === undefined) throw new DamagedArchive()
      onProgress(input.bytesRead, total_bytes)
      if (entry.name === checksumsName) {
        await contents.compare(entry)
        return about
      }
      await contents.unpack(entry)
    }
  } catch (error) {
    if (codeOf(error)?.startsWith("Z_")) return fail(file, new DamagedArchive().message)
    if (error instanceof DamagedArchive) return fail(file, error.message)
    throw error
  } finally {
    input.destroy()
  }
}
/** The first entry, with the line of its checksum. */
const readAbout = async (bytes: ByteReader): Promise<{ readonly about: AboutBackup; readonly sum: string }> => {
  const entry = readTarHeader(await bytes.take(block_bytes))
  if (entry?.name !== aboutName || entry.size > maxAbout_bytes) throw new DamagedArchive(noBackup)
  const text = await bytes.takePadded(entry.size)
  const about = parseAbout(text.toString("utf8"))
  const [major] = postgresVersion.split(".")
  if (about.postgres.split(".")[0] !== major) {
    throw new DamagedArchive(`it is of PostgreSQL ${about.postgres}, and this version runs ${postgresVersion}`)
  }
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

/** Unpacks the entries after the first one below a folder, and adds up their checksums. */
class Contents {
  private readonly names = new Set<string>()
  private readonly bytes: ByteReader
  private readonly target: string
  private readonly reserve_bytes: number
  private sums: string

  constructor(bytes: ByteReader, target: string, sums: string, reserve_bytes: number) {
    this.bytes = bytes
    this.target = target
    this.sums = sums
    this.reserve_bytes = reserve_bytes
  }

  async unpack(entry: TarEntry): Promise<void> {
    const { name, size } = entry
    const path = pathOf(entry)
    this.addName(path)
    if (name.endsWith("/")) {
      await mkdir(join(this.target, path), { mode: 0o700 })
      return
    }
    const hash = createHash("sha256")
    if (configurationFiles.has(path)) await this.copy(size, (chunk) => void hash.update(chunk))
    else {
      await this.checkSpace(size)
      await using file = await open(join(this.target, path), newFile.flag, newFile.mode)
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
  private async checkSpace(size: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.target)
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

/**
 * Gives all files to the user that PostgreSQL runs as, and makes them durable: at the end, which takes a fraction of the
 * time. The folder itself is the last: until then, that user cannot reach what is in it.
 */
const handOver = async (path: string, user: ServerUser | undefined): Promise<void> => {
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) await handOver(child, user)
    else await handOverOne(child, constants.O_RDONLY, user)
  }
  await handOverOne(path, constants.O_DIRECTORY, user)
}

const handOverOne = async (path: string, flags: number, user: ServerUser | undefined): Promise<void> => {
  await using file = await open(path, flags | constants.O_NOFOLLOW)
  if (user !== undefined) await file.chown(user.uid, user.gid)
  await file.sync()
}

/** Moves the secrets out of the cluster. Others than those of the backup are not replaced. */
const keepSecrets = async ({ secrets }: DataFolder, unfinished: string): Promise<void> => {
  const restored = join(unfinished, secretsName)
  const content = await readFile(restored, "utf8").catch(() => undefined)
  // Programs other than the service may keep their secrets elsewhere.
  if (content === undefined) return
  const present = await readFile(secrets, "utf8").catch(() => undefined)
  if (present !== undefined && present !== content) {
    throw new EmbeddedFailure(`${secrets} differs from that in the backup: move it away first`)
  }
  const copy = `${secrets}.unfinished-${process.pid}`
  await writeFile(copy, content, { mode: 0o600, flush: true })
  await rename(copy, secrets)
  await syncFolder(dirname(secrets))
  await rm(restored)
}

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

  /** A whole content, for which the caller knows a maximum. */
  async takePadded(size: number): Promise<Buffer> {
    const content = await this.take(size)
    await this.take(paddingOf(size))
    return content
  }
}
