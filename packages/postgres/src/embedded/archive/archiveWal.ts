/**
 * Archives the write-ahead log of a running server as it is written, as `pg_receivewal` does: a lost disk then costs the
 * last second, and a backup can be restored to any second after it. A replication slot keeps what is not archived yet.
 */
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { setTimeout } from "node:timers/promises"
import type { Client } from "pg"
import { saveRevocations } from "../../keys/Revocations.ts"
import { type DataFolder, dataFolder, serviceRole } from "../DataFolder.ts"
import { codeOf, EmbeddedFailure, messageOf } from "../EmbeddedFailure.ts"
import { checkFolderOwner, openFileOf } from "../FolderOwner.ts"
import { connectTo } from "../ServerConnection.ts"
import { listPieces, type WalPiece, walFolderOf, writePiece } from "./WalPieces.ts"
import { formatPosition, parsePosition, segmentName, segmentStart } from "./WalPosition.ts"

export interface ArchiveOptions {
  /** An existing folder, on another disk. */
  readonly folder: string
  /** The public keys to which the log is encrypted. Default: none, and it is not encrypted. */
  readonly recipients?: ReadonlyArray<string>
  readonly signal: AbortSignal
  /** Told of everything that goes wrong, and of the first archived moment. */
  readonly onEvent: (message: string) => void
}

/** How far the log is archived. */
export interface ArchiveState {
  readonly folder: string
  /** Everything that was confirmed before is archived, in ISO 8601. */
  readonly at: string
}

/** How far the log of a data folder is archived; undefined if it never was. */
export const archiveState = async (path: string): Promise<ArchiveState | undefined> => {
  const { archive } = await dataFolder(path)
  try {
    const state: Partial<ArchiveState> | null = JSON.parse(await readFile(archive, "utf8"))
    const { at, folder } = state ?? {}
    return typeof folder === "string" && typeof at === "string" ? { folder, at } : undefined
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) === "ENOENT") return undefined
    throw error
  }
}

/** Archives until the signal, also across restarts of the server. Rejects if the folder belongs to another log. */
export const archiveWal = async (data: DataFolder, options: ArchiveOptions): Promise<void> => {
  const { folder, onEvent, signal } = options
  await checkFolderOwner(data.path)
  await stat(folder).catch((error: unknown) => {
    throw new EmbeddedFailure(`${folder} cannot be used: ${messageOf(error)}`)
  })
  let isWaiting = false
  while (!signal.aborted) {
    const connection = await connectTo(data, "postcode archive")
    if (connection === undefined) {
      if (!isWaiting) onEvent(`no PostgreSQL answers in ${data.path}: waiting for the service`)
      isWaiting = true
      await pause(interval_ms, signal)
      continue
    }
    isWaiting = false
    try {
      await follow(data, connection.client, options)
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof EmbeddedFailure) throw error
      onEvent(`the log is not archived: ${messageOf(error)}; the next attempt is in ${retry_ms / 1_000} s`)
      await pause(retry_ms, signal)
    } finally {
      await connection.end()
    }
  }
}

const interval_ms = 1_000
const retry_ms = 5_000
/** Without other commits, one in this time: a restore to a second needs one after it. */
const heartbeat_ms = 10_000
/** So many pieces of a segment become one. */
const maxPieces = 200
const slot = "postcode_archive"

const pause = (ms: number, signal: AbortSignal): Promise<void> => setTimeout(ms, undefined, { signal }).catch(() => {})

/** Archives until the signal or the end of the connection. */
const follow = async (data: DataFolder, client: Client, options: ArchiveOptions): Promise<void> => {
  const { onEvent, signal } = options
  const folder = walFolderOf(resolve(options.folder))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const log = await describe(client)
  await checkSystem(folder, log.system)
  const archive = new Archive(data, client, folder, log, options.recipients ?? [])
  await archive.begin(onEvent)
  let stored_ms = Number.NEGATIVE_INFINITY
  while (!signal.aborted) {
    const at = new Date().toISOString()
    const isBeat = performance.now() - stored_ms >= heartbeat_ms
    // A transaction with a number is written to the log.
    if (isBeat) await client.query("SELECT pg_current_xact_id()")
    await archive.advance()
    if (isBeat) {
      await writeState(data, { folder: resolve(options.folder), at })
      await saveKeys(data, join(resolve(options.folder), "revocations.jsonl"))
      if (stored_ms === Number.NEGATIVE_INFINITY) onEvent(`the log is archived up to ${at}`)
      stored_ms = performance.now()
    }
    await pause(interval_ms, signal)
  }
}

/** Saves the revoked keys beside the log: a restore to an earlier time makes them valid again. */
const saveKeys = async (data: DataFolder, file: string): Promise<void> => {
  // Before the first start of the service, there is neither the database nor its tables.
  const connection = await connectTo(data, "postcode archive", serviceRole).catch(() => undefined)
  if (connection === undefined) return
  try {
    await saveRevocations(connection.client, file)
  } catch (error) {
    if (codeOf(error) !== undefinedTable) throw error
  } finally {
    await connection.end()
  }
}

const undefinedTable = "42P01"

interface Log {
  readonly system: string
  readonly timeline: number
  readonly segment_bytes: number
}

const describe = async (client: Client): Promise<Log> => {
  const { rows } = await client.query<Log>(
    `SELECT system_identifier::text AS system, timeline_id AS timeline, bytes_per_wal_segment AS segment_bytes
      FROM pg_control_system(), pg_control_checkpoint(), pg_control_init()`
  )
  return rows[0] as Log
}

/** Refuses a folder with the log of another server. */
const checkSystem = async (folder: string, system: string): Promise<void> => {
  const file = join(folder, "system")
  await writeFile(file, `${system}\n`, { flag: "wx", mode: 0o600, flush: true }).catch(async (error: unknown) => {
    if (codeOf(error) !== "EEXIST") throw error
    if ((await readFile(file, "utf8")).trim() !== system) throw otherLog(folder)
  })
}

const otherLog = (folder: string): EmbeddedFailure =>
  new EmbeddedFailure(`${folder} holds the log of other data, or of another copy of it: name another folder`)

const writeState = async ({ archive }: DataFolder, state: ArchiveState): Promise<void> => {
  const unfinished = `${archive}.unfinished-${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(state)}\n`, { mode: 0o600 })
  await rename(unfinished, archive)
}

class Archive {
  private readonly data: DataFolder
  private readonly client: Client
  private readonly folder: string
  private readonly log: Log
  private readonly recipients: ReadonlyArray<string>
  /** What is archived ends here. */
  private position = 0
  /** The pieces of the segment in which the position is. */
  private pieces: Array<WalPiece> = []

  constructor(data: DataFolder, client: Client, folder: string, log: Log, recipients: ReadonlyArray<string>) {
    this.data = data
    this.client = client
    this.folder = folder
    this.log = log
    this.recipients = recipients
  }

  /** Continues where the archive ends. If the log since then is lost, begins with what there is, and reports it. */
  async begin(onEvent: (message: string) => void): Promise<void> {
    const { segment_bytes, timeline } = this.log
    const pieces = await listPieces(this.folder, timeline)
    const end = pieces.reduce<number | undefined>((most, piece) => Math.max(most ?? 0, piece.end), undefined)
    const first = segmentStart(await this.keptFrom(end !== undefined), segment_bytes)
    if (end !== undefined && end > (await this.flushed())) throw otherLog(this.folder)
    if (end !== undefined && end < first) {
      onEvent(
        `the log after ${formatPosition(end)} was removed before it was archived: take a backup now. ` +
          "Backups of before can be restored only to a time before that"
      )
    }
    this.position = Math.max(end ?? 0, first)
    const start = segmentStart(this.position, segment_bytes)
    this.pieces = pieces.filter((piece) => piece.start >= start)
  }

  /** Archives all that is on the disk of the server. */
  async advance(): Promise<void> {
    const { segment_bytes, timeline } = this.log
    const flushed = await this.flushed()
    while (this.position < flushed) {
      const begin = segmentStart(this.position, segment_bytes)
      const end = Math.min(flushed, begin + segment_bytes)
      const isComplete = end === begin + segment_bytes
      const replaced = isComplete || this.pieces.length >= maxPieces ? this.pieces : []
      const start = isComplete || replaced.length > 0 ? begin : this.position
      const segment = segmentName(timeline, begin, segment_bytes)
      const content = await this.read(segment, start - begin, end - start)
      await writePiece(this.folder, { segment, start, end }, content, this.recipients)
      for (const { file } of replaced) await rm(file, { force: true })
      this.position = end
      if (isComplete) {
        this.pieces = []
        await this.client.query(`SELECT pg_replication_slot_advance('${slot}', $1)`, [formatPosition(end)])
      } else {
        this.pieces = (await listPieces(this.folder, timeline)).filter((piece) => piece.start >= begin)
      }
    }
  }

  private async flushed(): Promise<number> {
    const { rows } = await this.client.query<{ readonly lsn: string }>("SELECT pg_current_wal_flush_lsn() AS lsn")
    return parsePosition(rows[0]?.lsn ?? "")
  }

  /**
   * From where on the server keeps its log for the archive.
   *
   * @param hasPieces whether the folder has the log of this timeline
   */
  private async keptFrom(hasPieces: boolean): Promise<number> {
    const { rows } = await this.client.query<{ readonly lsn: string | null; readonly status: string | null }>(
      `SELECT restart_lsn AS lsn, wal_status AS status FROM pg_replication_slots WHERE slot_name = '${slot}'`
    )
    const [found] = rows
    // Without a slot, this data never archived its log: another copy of it did.
    if (found === undefined && hasPieces) throw otherLog(this.folder)
    if (found?.lsn != null && found.status !== "lost") return parsePosition(found.lsn)
    if (found !== undefined) await this.client.query(`SELECT pg_drop_replication_slot('${slot}')`)
    await this.client.query(`SELECT pg_create_physical_replication_slot('${slot}', true)`)
    return await this.keptFrom(false)
  }

  private async read(segment: string, from: number, length: number): Promise<Buffer> {
    const { cluster } = this.data
    const { uid } = await stat(cluster)
    const path = join(cluster, "pg_wal", segment)
    await using file = await openFileOf(uid, path)
    if (file === undefined) throw new Error(`${path} no longer exists`)
    const content = Buffer.alloc(length)
    for (let done = 0; done < length; ) {
      const { bytesRead } = await file.read(content, done, length - done, from + done)
      if (bytesRead === 0) throw new Error(`${path} is too short`)
      done += bytesRead
    }
    return content
  }
}
