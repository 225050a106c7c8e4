/** Restores a backup into an empty folder. Nothing of it is in use before every file is there and has its checksum. */
import { createHash, type Hash } from "node:crypto"
import { createReadStream } from "node:fs"
import { chown, type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { createGunzip } from "node:zlib"
import { finish, makeUnfinished } from "../Cluster.ts"
import { type DataFolder, holdsData, makeDataFolder } from "../DataFolder.ts"
import { codeOf, EmbeddedFailure, messageOf } from "../EmbeddedFailure.ts"
import { postgresVersion } from "../PinnedPrograms.ts"
import { letThrough, type ServerUser, serverUser } from "../ServerUser.ts"
import {
  type AboutBackup,
  aboutName,
  checksumLine,
  checksumsName,
  clusterName,
  format,
  secretsName
} from "./BackupFormat.ts"
import { syncFolder } from "./backUp.ts"
import { block_bytes, DamagedArchive, paddingOf, readTarHeader, type TarEntry } from "./Tar.ts"

export interface RestoreOptions {
  /** The folder: missing, or without data. */
  readonly path: string
  readonly signal: AbortSignal
  /** Called with the bytes of the file that are read, and its size. */
  readonly onProgress?: (done_bytes: number, total_bytes: number) => void
}

/** Restores the file; returns when the backup was begun. */
export const restore = async (file: string, options: RestoreOptions): Promise<AboutBackup> => {
  const total_bytes = (await stat(file).catch((error: unknown) => fail(file, messageOf(error)))).size
  const folder = await makeDataFolder(options.path)
  if (await holdsData(folder)) {
    throw new EmbeddedFailure(`${folder.path} holds data already: restore into another folder, and serve that`)
  }
  const user = await serverUser(folder)
  if (user !== undefined) await letThrough(folder, user)
  const unfinished = await makeUnfinished(folder)
  try {
    const about = await unpack(file, total_bytes, unfinished, options)
    await handOver(unfinished, user)
    await keepSecrets(folder, unfinished)
    const restored = await finish(folder, unfinished)
    if (!restored) throw new EmbeddedFailure(`another process has put data into ${folder.path}: nothing was restored`)
    await syncFolder(folder.path)
    return about
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    options.signal.throwIfAborted()
    throw error instanceof EmbeddedFailure ? error : await fail(file, messageOf(error))
  }
}

const fail = (file: string, reason: string): never => {
  throw new EmbeddedFailure(`${file} was not restored: ${reason}`)
}

const damaged = "it is damaged or incomplete"

/** Unpacks all files below a folder, and compares them with their checksums. */
const unpack = async (
  file: string,
  total_bytes: number,
  target: string,
  { onProgress = () => {}, signal }: RestoreOptions
): Promise<AboutBackup> => {
  const input = createReadStream(file, { signal })
  const unpacked = createGunzip()
  input.once("error", (error) => unpacked.destroy(error))
  const bytes = new ByteReader(input.pipe(unpacked)[Symbol.asyncIterator]())
  let sums = ""
  let about: AboutBackup | undefined
  try {
    for (;;) {
      const entry = readTarHeader(await bytes.take(block_bytes))
      if (entry === undefined) return fail(file, damaged)
      onProgress(input.bytesRead, total_bytes)
      if (entry.name === checksumsName) {
        if (entry.size !== sums.length) return fail(file, damaged)
        if ((await readText(bytes, entry)) !== sums || about === undefined) return fail(file, damaged)
        return about
      }
      if (about === undefined && (entry.name !== aboutName || entry.size > longestAbout_bytes)) {
        return fail(file, "it is not a backup")
      }
      if (entry.name === aboutName) about = await readAbout(file, bytes, entry, (sum) => (sums += sum))
      else sums += await unpackEntry(bytes, entry, target)
    }
  } catch (error) {
    if (codeOf(error)?.startsWith("Z_") || error instanceof DamagedArchive) return fail(file, damaged)
    throw error
  } finally {
    input.destroy()
  }
}

const longestAbout_bytes = 10_000

const readAbout = async (
  file: string,
  bytes: ByteReader,
  entry: TarEntry,
  addSum: (line: string) => void
): Promise<AboutBackup> => {
  const text = await readText(bytes, entry)
  addSum(checksumLine(entry.name, createHash("sha256").update(text).digest("hex")))
  const about: AboutBackup = JSON.parse(text)
  if (about.format !== format) return fail(file, `its format is ${about.format}, and not ${format}`)
  const [major] = postgresVersion.split(".")
  if (about.postgres.split(".")[0] !== major) {
    return fail(file, `it is of PostgreSQL ${about.postgres}, and this version runs ${postgresVersion}`)
  }
  return about
}

/** Writes one entry, and returns the line of its checksum: none for a folder. */
const unpackEntry = async (bytes: ByteReader, { name, size }: TarEntry, target: string): Promise<string> => {
  const isSafe = name === secretsName || (name.startsWith(clusterName) && !name.split("/").includes(".."))
  if (!isSafe) throw new DamagedArchive()
  const path = name === secretsName ? join(target, secretsName) : join(target, name.slice(clusterName.length))
  if (name.endsWith("/")) {
    await mkdir(path, { mode: 0o700 })
    return ""
  }
  const hash = createHash("sha256")
  await using file = await open(path, "wx", 0o600)
  await copyContent(bytes, size, hash, file)
  return checksumLine(name, hash.digest("hex"))
}

const copyContent = async (bytes: ByteReader, size: number, hash: Hash, file: FileHandle): Promise<void> => {
  for (let left = size; left > 0; ) {
    const chunk = await bytes.takeSome(left)
    hash.update(chunk)
    await file.writeFile(chunk)
    left -= chunk.length
  }
  await bytes.take(paddingOf(size))
}

const readText = async (bytes: ByteReader, { size }: TarEntry): Promise<string> => {
  const text = (await bytes.take(size)).toString("utf8")
  await bytes.take(paddingOf(size))
  return text
}

/** Gives all files to the user that PostgreSQL runs as, and makes them durable: at the end, which takes a fraction of the time. */
const handOver = async (path: string, user: ServerUser | undefined): Promise<void> => {
  if (user !== undefined) await chown(path, user.uid, user.gid)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) await handOver(child, user)
    else await handOverFile(child, user)
  }
  await syncFolder(path)
}

const handOverFile = async (path: string, user: ServerUser | undefined): Promise<void> => {
  await using file = await open(path, "r")
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
}
