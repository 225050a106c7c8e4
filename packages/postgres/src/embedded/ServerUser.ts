/** The user that PostgreSQL runs as: the present one, or another where that is root, as which it refuses to run. */
import { execFile } from "node:child_process"
import { chmod, stat } from "node:fs/promises"
import { userInfo } from "node:os"
import { dirname } from "node:path"
import { promisify } from "node:util"
import type { DataFolder } from "./DataFolder.ts"
import { codeOf, EmbeddedFailure } from "./EmbeddedFailure.ts"

export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/** The owner of the data, if there is any. Undefined for the present user. */
export const serverUser = async ({ cluster }: DataFolder): Promise<ServerUser | undefined> => {
  const owner = await stat(cluster).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  })
  const own = process.getuid?.()
  if (owner === undefined) return own === 0 ? await unprivilegedUser() : namedUser()
  if (owner.uid === own && own !== 0) return undefined
  if (own !== 0) {
    throw new EmbeddedFailure(`${cluster} belongs to another user (${owner.uid}): run this as that user, or as root`)
  }
  if (owner.uid === 0) {
    throw new EmbeddedFailure(
      `${cluster} belongs to root, and PostgreSQL does not run as root: chown -R postgres ${cluster}, or another user`
    )
  }
  return owner
}

/** As root, the packages' user `postgres`, or `nobody`. Undefined for every other user. */
export const unprivilegedUser = async (): Promise<ServerUser | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ["postgres", "nobody"]) {
    try {
      const [uid, gid] = await Promise.all(["-u", "-g"].map((flag) => promisify(execFile)("id", [flag, name])))
      return { uid: Number(uid?.stdout), gid: Number(gid?.stdout) }
    } catch {
      // There is no such user; try the next.
    }
  }
  throw new EmbeddedFailure(
    "PostgreSQL does not run as root, and there is neither a user postgres nor nobody to run it as"
  )
}

/** Lets another user pass through the folder. Fails if that user cannot reach it. */
export const letThrough = async (folder: DataFolder, user: ServerUser): Promise<void> => {
  const { mode } = await stat(folder.path)
  await chmod(folder.path, mode | 0o011)
  for (let path = dirname(folder.path); ; path = dirname(path)) {
    const stats = await stat(path)
    const bit = stats.uid === user.uid ? 0o100 : stats.gid === user.gid ? 0o010 : 0o001
    if ((stats.mode & bit) === 0) {
      throw new EmbeddedFailure(
        `PostgreSQL does not run as root, and the user that it runs as (${user.uid}) may not enter ${path}: ` +
          `choose a folder such as /var/lib/postcode, or chmod a+x ${path}`
      )
    }
    if (path === dirname(path)) return
  }
}

/** PostgreSQL looks up the name of the user that creates its files. */
const namedUser = (): undefined => {
  try {
    userInfo()
  } catch {
    throw new EmbeddedFailure(`the user ${process.getuid?.()} has no name in /etc/passwd, which PostgreSQL needs`)
  }
}
