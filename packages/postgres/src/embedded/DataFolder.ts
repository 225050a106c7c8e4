/** The folder of an embedded server: what is where in it, and what it must be like. */
import { mkdir, readdir, realpath, stat } from "node:fs/promises"
import { dirname, join, resolve } from "node:path"
import { codeOf, EmbeddedFailure, messageOf } from "./EmbeddedFailure.ts"
import { checkFolderOwner } from "./FolderOwner.ts"

/** Absolute paths, without symbolic links. */
export interface DataFolder {
  readonly path: string
  /** PostgreSQL's own folder, which belongs to the user that PostgreSQL runs as. Missing until it is complete. */
  readonly cluster: string
  /** The folder of the socket. Only that user and root may enter it. */
  readonly socket: string
  /** PostgreSQL's programs, a folder for each version. */
  readonly programs: string
  /** What PostgreSQL reports. */
  readonly log: string
  /** The secrets of the service, readable only for its user. */
  readonly secrets: string
  /** Where the running service answers. */
  readonly service: string
  /** The verified backups. */
  readonly backups: string
  /** How far the write-ahead log is archived. */
  readonly archive: string
}

/** The same port in every folder: it is only a part of the socket's name. */
export const port = 5432

/** The role and the name of the service's database. */
export const serviceRole = "postcode"

/** The paths of a folder, whether it exists or not. */
export const dataFolder = async (path: string): Promise<DataFolder> => {
  const absolute = await realpath(path).catch(() => resolve(path))
  return {
    path: absolute,
    cluster: join(absolute, "postgres"),
    socket: join(absolute, "socket"),
    programs: join(absolute, "programs"),
    log: join(absolute, "postgres.log"),
    secrets: join(absolute, "secrets.env"),
    service: join(absolute, "service.json"),
    backups: join(absolute, "backups.json"),
    archive: join(absolute, "archive.json")
  }
}

/** The address of the service's database, as its owner. */
export const databaseUrlOf = ({ socket }: DataFolder): string =>
  `postgresql://${serviceRole}@localhost/${serviceRole}?host=${encodeURIComponent(socket)}&port=${port}`

/** Whether the folder holds data. */
export const holdsData = ({ cluster }: DataFolder): Promise<boolean> =>
  stat(cluster).then(
    () => true,
    (error: unknown) => {
      if (codeOf(error) === "ENOENT") return false
      throw new EmbeddedFailure(`${cluster} cannot be read: ${messageOf(error)}`)
    }
  )

/** Creates the folder if it is missing. Refuses one that holds something else, that others may alter while root uses it, or whose path is too long for a socket. */
export const makeDataFolder = async (path: string): Promise<DataFolder> => {
  if (process.platform === "win32") throw new EmbeddedFailure("an embedded database needs Linux or macOS")
  try {
    // The user that PostgreSQL runs as must pass through.
    await mkdir(path, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 })
    const folder = await dataFolder(path)
    await checkFolderOwner(folder.path)
    const length = Buffer.byteLength(join(folder.socket, `.s.PGSQL.${port}`))
    if (length > longestSocket) {
      throw new EmbeddedFailure(
        `the path ${folder.path} is too long for a socket, by ${length - longestSocket} bytes: choose a shorter one`
      )
    }
    const strange = (await readdir(folder.path)).filter((name) => !isOurs(folder, name))
    if (strange.length > 0 && !(await holdsData(folder))) {
      throw new EmbeddedFailure(
        `${folder.path} holds something else, such as ${strange[0]}: name an empty folder, or one that is missing`
      )
    }
    return folder
  } catch (error) {
    throw error instanceof EmbeddedFailure
      ? error
      : new EmbeddedFailure(`the folder ${path} cannot be used: ${messageOf(error)}`)
  }
}

/** The shortest limit of the supported systems, which is that of macOS. */
const longestSocket = 103

/** An unfinished file or folder has the name of the finished one with a suffix. */
const isOurs = (folder: DataFolder, name: string): boolean =>
  name === "lost+found" ||
  Object.values(folder).some(
    (path) => dirname(path) === folder.path && name.startsWith(path.slice(folder.path.length + 1))
  )
