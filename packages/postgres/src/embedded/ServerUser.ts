/** The user that PostgreSQL runs as: the present one, or another where that is root, as which it refuses to run. */
import { execFile } from "node:child_process"
import { chmod, lstat, stat } from "node:fs/promises"
import { userInfo } from "node:os"
import { dirname } from "node:path"
import { promisify } from "node:util"
import type { DataFolder } from "./DataFolder.ts"
import { codeOf, EmbeddedFailure, messageOf } from "./EmbeddedFailure.ts"

export interface ServerUser {
  readonly uid: number
  readonly gid: number
}

/**
 * The owner of the data, if there is any. Undefined for the present user.
 *
 * @param onEvent told of an account that is created
 */
export const serverUser = async (
  { cluster }: DataFolder,
  onEvent?: (message: string) => void
): Promise<ServerUser | undefined> => {
  const owner = await lstat(cluster).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined
    throw error
  })
  const own = process.getuid?.()
  if (owner === undefined) return own === 0 ? await unprivilegedUser(onEvent) : namedUser()
  if (!owner.isDirectory()) throw new EmbeddedFailure(`${cluster} is no folder`)
  if (owner.uid === own && own !== 0) return undefined
  if (own !== 0) {
    throw new EmbeddedFailure(`${cluster} belongs to another user (${owner.uid}): run this as that user, or as root`)
  }
  const unsuitable = owner.uid === 0 ? "root" : owner.uid === (await idOf("nobody", "-u")) ? "nobody" : undefined
  if (unsuitable !== undefined) {
    throw new EmbeddedFailure(
      `${cluster} belongs to ${unsuitable}, and PostgreSQL does not run as ${unsuitable}: chown -R ${account} ${cluster}, ` +
        `after ${createAccount} if there is no such user`
    )
  }
  return owner
}

/**
 * As root, the user `postcode`, or the packages' user `postgres`. If there is neither, `postcode` is created: `nobody` may
 * be the user of other programs, which could read the data. Undefined for every user but root.
 */
export const unprivilegedUser = async (onEvent?: (message: string) => void): Promise<ServerUser | undefined> => {
  if (process.getuid?.() !== 0) return undefined
  const found = (await accountOf(account)) ?? (await accountOf("postgres"))
  if (found !== undefined) return found
  const [command = "", ...flags] = createAccount.split(" ")
  const failure = await promisify(execFile)(command, flags).then(() => undefined, messageOf)
  // Another process may have been faster.
  const created = await accountOf(account)
  if (created === undefined) {
    throw new EmbeddedFailure(
      `PostgreSQL does not run as root, and needs a user of its own: create one with ${createAccount} (${failure})`
    )
  }
  onEvent?.(`created the user ${account}, as which PostgreSQL runs`)
  return created
}

const account = "postcode"

const createAccount = `useradd --system --user-group --home-dir /var/lib/postcode --shell /usr/sbin/nologin ${account}`

const accountOf = async (name: string): Promise<ServerUser | undefined> => {
  const [uid, gid] = await Promise.all([idOf(name, "-u"), idOf(name, "-g")])
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

/** Undefined if there is no such user. */
const idOf = (name: string, flag: "-u" | "-g"): Promise<number | undefined> =>
  promisify(execFile)("id", [flag, name]).then(
    ({ stdout }) => Number(stdout),
    () => undefined
  )

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
