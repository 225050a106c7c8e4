/** PostgreSQL's own folder: its creation, and the settings of the server on it. */
import { execFile } from "node:child_process"
import { chown, mkdtemp, readdir, readFile, rename } from "node:fs/promises"
import { basename, join } from "node:path"
import { promisify } from "node:util"
import { fixedSettings } from "./ConfigurationFiles.ts"
import { type DataFolder, holdsData } from "./DataFolder.ts"
import { codeOf, EmbeddedFailure, messageOf } from "./EmbeddedFailure.ts"
import { removeFolder } from "./FolderOwner.ts"
import { postgresVersion } from "./PinnedPrograms.ts"
import {
  environmentOf,
  idsOf,
  installPrograms,
  majorOf,
  type Programs,
  type ProgramsOptions,
  systemPrograms
} from "./ServerPrograms.ts"
import type { ServerUser } from "./ServerUser.ts"

/** Creates an empty cluster. It gets its name when it is complete and on the disk. */
export const createCluster = async (
  folder: DataFolder,
  {
    programs,
    signal,
    user
  }: { readonly programs: Programs; readonly signal: AbortSignal; readonly user: ServerUser | undefined }
): Promise<void> => {
  const unfinished = await makeUnfinished(folder)
  if (user !== undefined) await chown(unfinished, user.uid, user.gid)
  const flags = [
    "-D",
    unfinished,
    "-U",
    superuser,
    "--auth-local=trust",
    "--auth-host=reject",
    "-E",
    "UTF8",
    "--no-locale"
  ]
  // One call for all files, where the system has it.
  if (process.platform === "linux" && majorOf(programs.version) >= 17) flags.push("--sync-method=syncfs")
  try {
    await promisify(execFile)(join(programs.bin, "initdb"), flags, {
      cwd: "/",
      env: environmentOf(programs),
      signal,
      ...idsOf(user)
    })
  } catch (error) {
    await removeFolder(unfinished)
    signal.throwIfAborted()
    const { stderr = "" } = error as { readonly stderr?: string }
    const reasons = stderr.split("\n").filter((line) => /\b(error|FATAL|PANIC|HINT):/.test(line))
    throw new EmbeddedFailure(`${folder.path} could not be initialized: ${reasons.join("; ") || messageOf(error)}`)
  }
  await finish(folder, unfinished)
}

/** A new folder for a cluster that is not complete. */
export const makeUnfinished = ({ cluster }: DataFolder): Promise<string> => mkdtemp(`${cluster}${unfinishedSuffix}`)

/** Gives a complete cluster its name, unless another process was faster: then its cluster is kept. */
export const finish = async ({ cluster }: DataFolder, unfinished: string): Promise<boolean> => {
  try {
    await rename(unfinished, cluster)
    return true
  } catch (error) {
    await removeFolder(unfinished)
    if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") return false
    throw error
  }
}

/**
 * Removes what killed processes left. Only for the process that has the folder. Another one that began at the same time
 * may still write to its own: what cannot be removed stays for the next start.
 */
export const removeUnfinished = async ({ cluster, path }: DataFolder): Promise<void> => {
  const prefix = basename(cluster) + unfinishedSuffix
  for (const name of await readdir(path)) {
    if (name.startsWith(prefix)) await removeFolder(join(path, name)).catch(() => {})
  }
}

const unfinishedSuffix = ".unfinished-"

/** PostgreSQL's superuser. The socket's folder is what keeps others out. */
export const superuser = "postgres"

/** The programs for a folder. Data of another version is refused before anything is fetched for it. */
export const findPrograms = async (
  folder: DataFolder,
  bin: string | undefined,
  options: ProgramsOptions
): Promise<Programs> => {
  const programs = bin === undefined ? undefined : await systemPrograms(bin, options.user)
  if (await holdsData(folder)) await checkVersion(folder, programs?.version ?? postgresVersion)
  return programs ?? (await installPrograms(folder, options))
}

/** Refuses data of another major version, which these programs cannot read. */
const checkVersion = async ({ cluster, path }: DataFolder, version: string): Promise<void> => {
  const found = /^\d+$/m.exec(await readFile(join(cluster, "PG_VERSION"), "utf8").catch(() => ""))?.[0] ?? ""
  if (found === `${majorOf(version)}`) return
  throw new EmbeddedFailure(
    found === ""
      ? `${cluster} is not a folder of PostgreSQL: its file PG_VERSION is missing`
      : `${path} holds data of PostgreSQL ${found}, and these programs are of PostgreSQL ${version}: ${otherPrograms}`
  )
}

/** Where programs of another version come from. */
export const otherPrograms =
  "name the folder of the right programs with --postgres-bin (POSTCODE_POSTGRES_BIN), or use the version of postcode that wrote it"

/** Durable, and modest: memory beyond these buffers is the system's cache. */
export const settingsOf = (
  folder: DataFolder,
  { version }: Programs,
  maxConnections: number
): Readonly<Record<string, string>> => ({
  ...fixedSettings(folder, majorOf(version)),
  listen_addresses: "",
  unix_socket_directories: `"${folder.socket}"`,
  unix_socket_permissions: "0700",
  max_connections: `${maxConnections}`,
  shared_buffers: "64MB",
  max_wal_size: "512MB",
  fsync: "on",
  synchronous_commit: "on",
  full_page_writes: "on",
  // What a backup needs of the write-ahead log; nothing is sent to other servers.
  wal_level: "replica",
  max_wal_senders: "0",
  // An archive of the log that has stopped does not fill the disk.
  max_slot_wal_keep_size: "2GB",
  log_checkpoints: "off",
  log_destination: "stderr",
  logging_collector: "off"
})
