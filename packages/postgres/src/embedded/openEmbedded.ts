/** Opens the database of a data folder: creates what is missing, and runs its server. */
import { createCluster, findPrograms, removeUnfinished } from "./Cluster.ts"
import { type DataFolder, databaseUrlOf, dataFolder, holdsData, makeDataFolder, serviceRole } from "./DataFolder.ts"
import { EmbeddedFailure, FolderInUse, folderInUse } from "./EmbeddedFailure.ts"
import { runServer } from "./EmbeddedServer.ts"
import { connectTo, holderOf } from "./ServerConnection.ts"
import { removeOldPrograms } from "./ServerPrograms.ts"
import { letThrough, serverUser } from "./ServerUser.ts"

/** The data folder of a server, and what may use it. */
export interface EmbeddedOptions {
  /** The folder: missing, empty, or with data. */
  readonly path: string
  /** The folder of PostgreSQL's programs on this machine. Default: programs that npm fetches. */
  readonly bin?: string | undefined
  /** What this process does, for the message that refuses others: `postcode serve`. */
  readonly purpose: string
  /** How many connections others may open. */
  readonly connections: number
  /** Told of everything that takes long or goes wrong, for as long as the database is open. */
  readonly onEvent: (message: string) => void
  /**
   * Called once this process has the folder, before the database is used.
   *
   * @param isNew whether the database has never been used
   */
  readonly prepare?: (folder: DataFolder, isNew: boolean) => Promise<void>
}

/** An open database. */
export interface EmbeddedDatabase {
  readonly folder: DataFolder
  /** The address of the service's database, as its owner. */
  readonly url: string
  /** Settles when another process has taken the folder, so that this one cannot go on. */
  readonly lost: Promise<FolderInUse>
  /** Stops the server. */
  readonly close: () => Promise<void>
}

/** Rejects with `EmbeddedFailure`, or the reason of the signal. */
export const openEmbedded = async (options: EmbeddedOptions, signal: AbortSignal): Promise<EmbeddedDatabase> => {
  try {
    return await open(options, signal)
  } catch (error) {
    signal.throwIfAborted()
    // Two processes that start on a new folder get in each other's way until one of them has it.
    const used = error instanceof FolderInUse ? undefined : await findUsed(options.path)
    throw used === undefined ? error : folderInUse(used.folder, used.holder)
  }
}

const open = async (options: EmbeddedOptions, signal: AbortSignal): Promise<EmbeddedDatabase> => {
  const { bin, connections, onEvent, path, prepare, purpose } = options
  const folder = await makeDataFolder(path)
  const user = await serverUser(folder, onEvent)
  if (user !== undefined) await letThrough(folder, user)
  const programs = await findPrograms(folder, bin, { user, signal, onFetch: onEvent })
  if (!(await holdsData(folder))) await createCluster(folder, { programs, signal, user })
  const maxConnections = connections + otherConnections
  const server = await runServer({ folder, programs, user, purpose, maxConnections, onEvent }, signal)
  try {
    await makeDatabase(folder, prepare ?? (async () => {}))
    await removeUnfinished(folder)
    await removeOldPrograms(folder, programs)
  } catch (error) {
    await server.stop()
    throw error
  }
  return { folder, url: databaseUrlOf(folder), lost: server.lost, close: server.stop }
}

/** For imports, backups, this process itself and what PostgreSQL reserves. */
const otherConnections = 40

/** A folder that another process has open. */
export interface UsedFolder {
  readonly folder: DataFolder
  /** The address of the service's database, as its owner. */
  readonly url: string
  /** The process, as it was named when it opened the folder. */
  readonly holder: string
}

/** The folder, if a running process has it open. */
export const findUsed = async (path: string): Promise<UsedFolder | undefined> => {
  const folder = await dataFolder(path)
  const connection = await connectTo(folder, "postcode")
  if (connection === undefined) return undefined
  try {
    const holder = await holderOf(connection)
    return holder === undefined ? undefined : { folder, url: databaseUrlOf(folder), holder }
  } catch {
    // The server ends.
    return undefined
  } finally {
    await connection.end()
  }
}

/** A role without rights beyond its own database, and the database. */
const makeDatabase = async (
  folder: DataFolder,
  prepare: (folder: DataFolder, isNew: boolean) => Promise<void>
): Promise<void> => {
  const connection = await connectTo(folder, "postcode")
  if (connection === undefined) throw new EmbeddedFailure(`PostgreSQL in ${folder.path} ended while it started`)
  const { client } = connection
  const exists = async (query: string) => (await client.query(query, [serviceRole])).rows.length > 0
  try {
    const isNew = !(await exists("SELECT FROM pg_database WHERE datname = $1"))
    await prepare(folder, isNew)
    if (!isNew) return
    if (!(await exists("SELECT FROM pg_roles WHERE rolname = $1")))
      await client.query(`CREATE ROLE ${serviceRole} LOGIN`)
    await client.query(`CREATE DATABASE ${serviceRole} OWNER ${serviceRole} TEMPLATE template0 ENCODING 'UTF8'`)
  } finally {
    await connection.end()
  }
}
