/** The verified backups of a data folder, in a file of the folder: monitoring needs the last, and retention all of them. */
import { existsSync } from "node:fs"
import { readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { archiveState } from "../archive/archiveWal.ts"
import { listPieces, walFolderOf } from "../archive/WalPieces.ts"
import { type DataFolder, dataFolder } from "../DataFolder.ts"
import { codeOf } from "../EmbeddedFailure.ts"

/** A verified backup. */
export interface BackupRecord {
  /** The absolute path. */
  readonly file: string
  /** When it began, in ISO 8601. */
  readonly at: string
  /** The size of the file. */
  readonly bytes: number
  /** The segment of the write-ahead log with which its recovery begins. */
  readonly segment: string
}

/** All verified backups that are not yet deleted, oldest first. */
export const backupRecords = async (path: string): Promise<ReadonlyArray<BackupRecord>> => {
  const { backups } = await dataFolder(path)
  try {
    const records: unknown = JSON.parse(await readFile(backups, "utf8"))
    return Array.isArray(records) ? records.filter(isRecord) : []
  } catch (error) {
    // A file that another program damaged counts as missing: then no backup is deleted, and monitoring reports none.
    if (error instanceof SyntaxError || codeOf(error) === "ENOENT") return []
    throw error
  }
}

const isRecord = (value: Partial<BackupRecord> | null): value is BackupRecord =>
  typeof value?.file === "string" &&
  typeof value.segment === "string" &&
  typeof value.at === "string" &&
  !Number.isNaN(Date.parse(value.at))

/** Adds a backup, and forgets the one that had its name. */
export const recordBackup = async (folder: DataFolder, record: BackupRecord): Promise<void> => {
  const others = (await backupRecords(folder.path)).filter(({ file }) => file !== record.file)
  await write(folder, [...others, record].slice(-maxRecords))
}

/** Backups that are not deleted may be many: the oldest of them are forgotten, and stay. */
const maxRecords = 1_000

/**
 * Deletes the oldest backups of a folder that this data folder wrote and verified. All other files stay, also backups of
 * other data folders. Returns the deleted files.
 *
 * @param newest the last backup, which stays whatever the clock says
 */
export const removeOldBackups = async (
  folder: DataFolder,
  newest: BackupRecord,
  keep: number
): Promise<ReadonlyArray<string>> => {
  const records = await backupRecords(folder.path)
  const others = records.filter(({ file }) => dirname(file) === dirname(newest.file) && file !== newest.file)
  const existing = others.filter(({ file }) => existsSync(file)).sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const kept = keep === 1 ? [] : existing.slice(1 - keep)
  const old = existing.filter((record) => !kept.includes(record))
  for (const { file } of old) await rm(file)
  await removeInterrupted(dirname(newest.file))
  const state = await archiveState(folder.path)
  if (state?.folder === dirname(newest.file)) await removeOldPieces(state.folder, [...kept, newest])
  await write(
    folder,
    records.filter((record) => !others.includes(record) || kept.includes(record))
  )
  return old.map(({ file }) => file)
}

/** Deletes what is left of backups that were killed. A backup that runs writes its file all the time. */
const removeInterrupted = async (folder: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!/^postcode-\S+\.unfinished-\d+$/.test(name)) continue
    const file = join(folder, name)
    const stats = await stat(file).catch(() => undefined)
    if (stats !== undefined && Date.now() - stats.mtimeMs > day_ms) await rm(file, { force: true })
  }
}

const day_ms = 86_400_000

/** Deletes the archived log from before the oldest backup, on its timeline. */
const removeOldPieces = async (folder: string, backups: ReadonlyArray<BackupRecord>): Promise<void> => {
  const [oldest = ""] = backups.map(({ segment }) => segment).sort()
  const timeline = Number.parseInt(oldest.slice(0, 8), 16)
  const wal = walFolderOf(folder)
  for (const { file, segment } of await listPieces(wal, timeline)) if (segment < oldest) await rm(file, { force: true })
}

const write = async ({ backups }: DataFolder, records: ReadonlyArray<BackupRecord>): Promise<void> => {
  const unfinished = `${backups}.unfinished-${process.pid}`
  await writeFile(unfinished, `${JSON.stringify(records, null, 2)}\n`, { mode: 0o600, flush: true })
  await rename(unfinished, backups)
}
