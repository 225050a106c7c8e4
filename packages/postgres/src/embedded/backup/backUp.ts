/**
 * Backs an embedded database up while it is in use: its files, copied as they change, and the write-ahead log that makes
 * them one state again. That state holds everything that was committed before the backup began, and more.
 */
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { type FileHandle, lstat, open, readdir, rename, rm, stat } from "node:fs/promises"
import { dirname, join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { createGzip } from "node:zlib"
import type { Client } from "pg"
import type { DataFolder } from "../DataFolder.ts"
import { codeOf, EmbeddedFailure, messageOf } from "../EmbeddedFailure.ts"
import { checkFolderOwner, openFileOf } from "../FolderOwner.ts"
import { connectTo } from "../ServerConnection.ts"
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
import { encrypting, temporaryKey } from "./Encryption.ts"
import { readBackup } from "./readBackup.ts"
import { syncFolder } from "./SyncFolder.ts"
import { paddingOf, tarEnd, tarHeader } from "./Tar.ts"

/** The file that a backup is written to, and how it is followed and stopped. */
export interface BackupOptions {
  /** The file to be written. */
  readonly output: string
  /** Whether an existing file is replaced, once the new one is verified. */
  readonly replace: boolean
  /** The public keys to which it is encrypted. Default: none, and it is not encrypted. */
  readonly recipients?: ReadonlyArray<string>
  readonly signal: AbortSignal
  /** Called with the bytes that are copied, and how many there are about. */
  readonly onProgress?: (done_bytes: number, total_bytes: number) => void
}

/** A complete backup. */
export interface TakenBackup {
  readonly at: string
  /** The size of the file. */
  readonly bytes: number
  /** The segment of the write-ahead log with which its recovery begins. */
  readonly segment: string
}

/**
 * Writes a backup of the folder, whose server must run. It gets its name when it is on the disk and every file in it was
 * read back and has its checksum. Only the present user may read it.
 */
export const backUp = async (folder: DataFolder, options: BackupOptions): Promise<TakenBackup> => {
  const { onProgress = () => {}, output, recipients = [], replace, signal } = options
  await checkFolderOwner(folder.path)
  const connection = await connectTo(folder, "postcode backup")
  if (connection === undefined) throw new EmbeddedFailure(`no PostgreSQL answers in ${folder.path}`)
  const unfinished = `${output}.unfinished-${process.pid}`
  const at = new Date()
  let segment = ""
  // The private keys are elsewhere, so the file is read back with a key that is forgotten afterwards.
  const key = recipients.length === 0 ? undefined : await temporaryKey()
  try {
    const file = await open(unfinished, "wx", 0o600)
    try {
      const archive = new Archive(at, signal)
      const onBegin = (begun: string) => {
        segment = begun
      }
      const contents = copyAll(folder, connection.client, archive, { onBegin, onProgress })
      const input = Readable.from(contents, { objectMode: false })
      const packing = createGzip({ level: 1 })
      if (key === undefined) await pipeline(input, packing, writing(file), { signal })
      else await pipeline(input, packing, encrypting([...recipients, key.recipient]), writing(file), { signal })
      await file.sync()
    } finally {
      await file.close()
    }
    const { size } = await stat(unfinished)
    await readBackup(unfinished, { signal, identities: key === undefined ? [] : [key.identity] })
    if (!replace && existsSync(output)) throw new EmbeddedFailure(`${output} already exists: choose another name`)
    await rename(unfinished, output)
    await syncFolder(dirname(output))
    return { at: at.toISOString(), bytes: size, segment }
  } catch (error) {
    await rm(unfinished, { force: true })
    signal.throwIfAborted()
    throw explained(error, output)
  } finally {
    await connection.end()
  }
}

const explained = (error: unknown, output: string): EmbeddedFailure => {
  if (error instanceof EmbeddedFailure) return error
  const reason = codeOf(error) === "ENOSPC" ? "no space is left for it" : messageOf(error)
  return new EmbeddedFailure(`${output} was not written: ${reason}`)
}

/** Writes each chunk before it takes the next. */
const writing = (file: FileHandle) => async (chunks: AsyncIterable<Uint8Array>) => {
  for await (const chunk of chunks) await file.writeFile(chunk)
}

/** Everything in the order of the archive. */
async function* copyAll(
  folder: DataFolder,
  client: Client,
  archive: Archive,
  {
    onBegin,
    onProgress
  }: {
    readonly onBegin: (segment: string) => void
    readonly onProgress: (done_bytes: number, total_bytes: number) => void
  }
): AsyncGenerator<Buffer> {
  const { cluster } = folder
  const about: AboutBackup = { format, postgres: await versionOf(client), at: archive.at.toISOString() }
  yield* archive.text(aboutName, JSON.stringify(about))
  const { uid } = await lstat(cluster)
  // The service may run as root, and PostgreSQL never does.
  const secretsOwner = process.getuid?.() ?? uid
  yield* archive.file(secretsName, () => openFileOf(secretsOwner, folder.secrets))
  const start = await beginBackup(client)
  onBegin(start)
  const { files, folders, total_bytes } = await listCluster(cluster)
  for (const name of folders) yield archive.folder(clusterName + name)
  let done_bytes = 0
  const copy = async function* (name: string) {
    for await (const chunk of archive.file(clusterName + name, () => openFileOf(uid, join(cluster, name)))) {
      done_bytes += chunk.length
      onProgress(done_bytes, total_bytes)
      yield chunk
    }
  }
  for (const name of files) yield* copy(name)
  // It says where recovery begins, and must not be older than any other file.
  yield* archive.text(clusterName + controlName, await readControl(() => openFileOf(uid, join(cluster, controlName))))
  const { label, stop } = await endBackup(client)
  yield* archive.text(`${clusterName}backup_label`, label)
  const segments = (await readdir(join(cluster, "pg_wal"))).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= start && name <= stop
  )
  if (!segments.includes(start) || !segments.includes(stop)) {
    throw new EmbeddedFailure("the write-ahead log of the backup no longer exists")
  }
  for (const name of segments.sort()) yield* copy(`pg_wal/${name}`)
  yield* archive.checksums()
}

/** The version of the server, such as `18.4`. */
const versionOf = async (client: Client): Promise<string> => {
  const { rows } = await client.query<{ readonly version: string }>(
    "SELECT current_setting('server_version_num') AS version"
  )
  const number = Number(rows[0]?.version)
  return `${Math.floor(number / 10_000)}.${number % 10_000}`
}

/** Keeps the write-ahead log from now on, for as long as the connection lasts. Returns the first segment. */
const beginBackup = async (client: Client): Promise<string> => {
  await client.query("SELECT pg_create_physical_replication_slot('backup_' || pg_backend_pid(), true, true)")
  const { rows } = await client.query<{ readonly segment: string }>(
    "SELECT pg_walfile_name(pg_backup_start('postcode backup', fast => true)) AS segment"
  )
  return rows[0]?.segment ?? ""
}

/** Returns where recovery begins, as a file for the server, and the last segment that it needs. */
const endBackup = async (client: Client): Promise<{ readonly label: string; readonly stop: string }> => {
  const { rows } = await client.query<{ readonly label: string; readonly stop: string }>(
    "SELECT labelfile AS label, pg_walfile_name(lsn) AS stop FROM pg_backup_stop(wait_for_archive => false)"
  )
  return { label: rows[0]?.label ?? "", stop: rows[0]?.stop ?? "" }
}

const controlName = "global/pg_control"

/** The server writes it in one piece, but a reader may see half of that: two equal readings are whole. */
const readControl = async (open: () => Promise<FileHandle | undefined>): Promise<Buffer> => {
  const read = async () => {
    await using file = await open()
    if (file === undefined) throw new EmbeddedFailure(`${controlName} is missing in the data`)
    return await file.readFile()
  }
  for (let last = await read(); ; ) {
    const next = await read()
    if (next.equals(last)) return next
    last = next
  }
}

interface ClusterFiles {
  readonly files: ReadonlyArray<string>
  readonly folders: ReadonlyArray<string>
  readonly total_bytes: number
}

/** What a backup has of the cluster; names are relative, and those of folders end with a slash. */
const listCluster = async (cluster: string): Promise<ClusterFiles> => {
  const files: Array<string> = []
  const folders: Array<string> = []
  let total_bytes = 0
  const visit = async (folder: string): Promise<void> => {
    for (const entry of await readdir(join(cluster, folder), { withFileTypes: true })) {
      const name = folder + entry.name
      if (name.startsWith("pg_tblspc/")) throw new EmbeddedFailure(`a backup has no tablespaces: drop ${name} first`)
      if (entry.isDirectory()) {
        folders.push(`${name}/`)
        if (!withoutFiles.has(name)) await visit(`${name}/`)
      } else if (entry.isFile() && !isTemporary(name)) {
        files.push(name)
        const stats = await lstat(join(cluster, name)).catch(() => undefined)
        total_bytes += stats?.size ?? 0
      } else if (entry.isSymbolicLink()) {
        throw new EmbeddedFailure(`${join(cluster, name)} is a link to other files, which a backup does not follow`)
      }
    }
  }
  await visit("")
  if (files.length + folders.length > maxEntries - otherEntries) {
    throw new EmbeddedFailure(`${cluster} has more files than a backup may have, ${maxEntries}`)
  }
  return { files, folders, total_bytes }
}

/** Left for the write-ahead log and what describes the backup. */
const otherEntries = 10_000

/** Folders whose files a server makes anew; the write-ahead log is copied apart. */
const withoutFiles: ReadonlySet<string> = new Set([
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
  "pg_wal/archive_status",
  "pg_wal/summaries"
])

const isTemporary = (name: string): boolean =>
  name === controlName ||
  /^pg_wal\/|^postmaster\.|^backup_label|^tablespace_map|(^|\/)pgsql_tmp|(^|\/)pg_internal\.init/.test(name)

/** Makes the entries of the archive, and their checksums. */
class Archive {
  readonly at: Date
  private readonly signal: AbortSignal
  private sums = ""

  constructor(at: Date, signal: AbortSignal) {
    this.at = at
    this.signal = signal
  }

  folder(name: string): Buffer {
    return tarHeader({ name, size: 0 }, this.at)
  }

  *text(name: string, content: Buffer | string): Generator<Buffer> {
    const bytes = Buffer.from(content as string)
    yield tarHeader({ name, size: bytes.length }, this.at)
    yield bytes
    yield Buffer.alloc(paddingOf(bytes.length))
    this.sums += checksumLine(name, createHash("sha256").update(bytes).digest("hex"))
  }

  /**
   * A file of the size that it has now. What is added to it meanwhile is left out, and what is cut off is zero: the
   * write-ahead log has both. A file that is removed is left out.
   */
  async *file(name: string, open: () => Promise<FileHandle | undefined>): AsyncGenerator<Buffer> {
    const file = await open()
    if (file === undefined) return
    try {
      const { size } = await file.stat()
      const hash = createHash("sha256")
      yield tarHeader({ name, size }, this.at)
      for (let position = 0; position < size; ) {
        this.signal.throwIfAborted()
        const chunk = Buffer.alloc(Math.min(chunk_bytes, size - position))
        const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
        const content = bytesRead === 0 ? chunk : chunk.subarray(0, bytesRead)
        hash.update(content)
        yield content
        position += content.length
      }
      yield Buffer.alloc(paddingOf(size))
      this.sums += checksumLine(name, hash.digest("hex"))
    } finally {
      await file.close()
    }
  }

  *checksums(): Generator<Buffer> {
    yield* this.text(checksumsName, this.sums)
    yield tarEnd
  }
}

const chunk_bytes = 262_144
