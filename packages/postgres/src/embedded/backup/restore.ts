/** Restores a backup into an empty folder. Nothing of it is in use before every file is there and has its checksum. */
import { constants } from "node:fs"
import { open, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { addLog, recover } from "../archive/recoverTo.ts"
import { findPrograms, finish, makeUnfinished } from "../Cluster.ts"
import { configurationFiles } from "../ConfigurationFiles.ts"
import { type DataFolder, holdsData, makeDataFolder } from "../DataFolder.ts"
import { EmbeddedFailure, messageOf } from "../EmbeddedFailure.ts"
import { removeFolder } from "../FolderOwner.ts"
import { postgresVersion } from "../PinnedPrograms.ts"
import { letThrough, type ServerUser, serverUser } from "../ServerUser.ts"
import { type AboutBackup, secretsName } from "./BackupFormat.ts"
import { newFile, type ReadOptions, readBackup } from "./readBackup.ts"
import { syncFolder } from "./SyncFolder.ts"

/** The folder that a backup is restored to, and how that is followed and stopped. */
export interface RestoreOptions extends ReadOptions {
  /** The folder: missing, or without data. */
  readonly path: string
  /** The folder of PostgreSQL's programs on this machine. Default: programs that npm fetches. */
  readonly bin?: string | undefined
  /** The folder of an archived log, and the time to recover to. Default: the state of the backup. */
  readonly recovery?: { readonly wal: string; readonly until: string } | undefined
  /** Told of an account that is created. */
  readonly onEvent?: (message: string) => void
}

/** Restores the file; returns when the backup was begun. */
export const restore = async (file: string, options: RestoreOptions): Promise<AboutBackup> => {
  const failed = (error: unknown): EmbeddedFailure =>
    new EmbeddedFailure(`${file} was not restored: ${messageOf(error)}`)
  await stat(file).catch((error: unknown) => {
    throw failed(error)
  })
  const folder = await makeDataFolder(options.path)
  if (await holdsData(folder)) {
    throw new EmbeddedFailure(`${folder.path} holds data already: restore into another folder, and serve that`)
  }
  const user = await serverUser(folder, options.onEvent)
  if (user !== undefined) await letThrough(folder, user)
  const { bin, identities = [], onEvent = () => {}, reserve_bytes = 50e6, signal } = options
  // Without a recovery, nothing is run.
  const programs =
    bin === undefined && options.recovery === undefined
      ? undefined
      : await findPrograms(folder, bin, { user, signal, onFetch: onEvent })
  const unfinished = await makeUnfinished(folder)
  try {
    const about = await readBackup(file, options, {
      folder: unfinished,
      postgres: programs?.version ?? postgresVersion
    })
    for (const [name, content] of configurationFiles) await writeFile(join(unfinished, name), content, newFile)
    await keepSecrets(folder, unfinished)
    const recovery = options.recovery && { ...options.recovery, identities, reserve_bytes }
    if (recovery !== undefined) await addLog(unfinished, recovery)
    await handOver(unfinished, user)
    if (recovery !== undefined && programs !== undefined) {
      await recover({ ...folder, cluster: unfinished }, { programs, user, onEvent, signal, until: recovery.until })
    }
    const restored = await finish(folder, unfinished)
    if (!restored) throw new EmbeddedFailure(`another process has put data into ${folder.path}: nothing was restored`)
    await syncFolder(folder.path)
    return about
  } catch (error) {
    await removeFolder(unfinished)
    options.signal.throwIfAborted()
    throw error instanceof EmbeddedFailure ? error : failed(error)
  }
}

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
