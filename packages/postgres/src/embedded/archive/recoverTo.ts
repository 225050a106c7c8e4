/** Recovers a restored backup with the archived log: to a time, or to its end. */
import { constants } from "node:fs"
import { open, readdir, stat, statfs, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { DataFolder } from "../DataFolder.ts"
import { EmbeddedFailure, messageOf } from "../EmbeddedFailure.ts"
import { runServer } from "../EmbeddedServer.ts"
import type { Programs } from "../ServerPrograms.ts"
import type { ServerUser } from "../ServerUser.ts"
import { listPieces, readPiece, type WalPiece } from "./WalPieces.ts"
import { parseSegmentName, segmentName, segmentStart } from "./WalPosition.ts"

export interface Recovery {
  /** The folder of the pieces. */
  readonly wal: string
  /** In ISO 8601, or `latest`. */
  readonly until: string
  readonly identities: ReadonlyArray<string>
  readonly reserve_bytes: number
}

/** Adds the archived log to the files of a cluster that was never started, and a signal to recover with it. */
export const addLog = async (cluster: string, { identities, reserve_bytes, until, wal }: Recovery): Promise<void> => {
  const segments = (await readdir(join(cluster, "pg_wal"))).filter((name) => /^[0-9A-F]{24}$/.test(name)).sort()
  const last = segments.at(-1)
  if (last === undefined) throw new EmbeddedFailure("the backup has no log to continue from")
  const segment_bytes = (await stat(join(cluster, "pg_wal", last))).size
  const { start: stop, timeline } = parseSegmentName(last, segment_bytes)
  const pieces = (await listPieces(wal, timeline)).filter(({ end }) => end > stop)
  let position = stop
  let archived: WalPiece | undefined
  for (const piece of pieces) {
    if (piece.start > position) {
      if (until !== "latest" && archived !== undefined) break
      throw new EmbeddedFailure(await gapBefore(wal, archived))
    }
    if (piece.end <= position) continue
    const content = await readPiece(piece, identities).catch((error: unknown) => {
      throw new EmbeddedFailure(`${piece.file} cannot be used: ${messageOf(error)}`)
    })
    await writePart(cluster, timeline, piece.start, content, segment_bytes, reserve_bytes)
    position = piece.end
    archived = piece
  }
  if (archived === undefined) throw new EmbeddedFailure(`${wal} holds no log after the backup`)
  await writeFile(join(cluster, "recovery.signal"), "", { mode: 0o600, flag: "wx" })
}

const gapBefore = async (wal: string, archived: WalPiece | undefined): Promise<string> => {
  if (archived === undefined) return `${wal} holds no log that begins with the backup: it was archived later`
  const { mtime } = await stat(archived.file)
  return `the log in ${wal} has a gap after ${mtime.toISOString()}: name a time before it, or a later backup`
}

const writePart = async (
  cluster: string,
  timeline: number,
  start: number,
  content: Buffer,
  segment_bytes: number,
  reserve_bytes: number
): Promise<void> => {
  const { bavail, bsize } = await statfs(cluster)
  if (bavail * bsize - reserve_bytes < segment_bytes)
    throw new EmbeddedFailure("the disk has too little space for the log")
  const segment = segmentStart(start, segment_bytes)
  const path = join(cluster, "pg_wal", segmentName(timeline, segment, segment_bytes))
  await using file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600)
  await file.truncate(segment_bytes)
  await file.write(content, 0, content.length, start - segment)
}

export interface RecoveryServer {
  readonly programs: Programs
  readonly user: ServerUser | undefined
  readonly until: string
  readonly onEvent: (message: string) => void
  readonly signal: AbortSignal
}

/** Runs the server until it has recovered, and stops it. */
export const recover = async (
  folder: DataFolder,
  { onEvent, programs, signal, until, user }: RecoveryServer
): Promise<void> => {
  const recovery = {
    // All of the log is in its folder.
    restore_command: "false",
    recovery_target_timeline: "current",
    recovery_target_action: "promote",
    // At its start, PostgreSQL knows no abbreviation of a time zone, not even Z.
    ...(until !== "latest" && { recovery_target_time: until.replace("T", " ").replace("Z", "+00") }),
    // Nobody connects before the end.
    hot_standby: "off"
  }
  const settings = { folder, programs, user, purpose: "postcode restore", maxConnections: 10, onEvent, recovery }
  const server = await runServer(settings, signal).catch((error: unknown) => {
    throw explained(messageOf(error), until) ?? error
  })
  await server.stop()
}

const explained = (reason: string, until: string): EmbeddedFailure | undefined => {
  if (/recovery ended before configured recovery target was reached/.test(reason)) {
    return new EmbeddedFailure(`the archived log ends before ${until}: name an earlier time, or latest`)
  }
  if (/requested recovery stop point is before consistent recovery point/.test(reason)) {
    return new EmbeddedFailure(`${until} is before the end of the backup: use an earlier backup`)
  }
  return undefined
}
