/**
 * Work of root on files of other users. Another user may put a link in the place of a file between two calls of root, so
 * root works only where no other user can, and reads other users' files only through handles that it has checked.
 */
import { execFile } from "node:child_process"
import { constants } from "node:fs"
import { type FileHandle, lstat, open, rm } from "node:fs/promises"
import { dirname } from "node:path"
import { promisify } from "node:util"
import { codeOf, EmbeddedFailure } from "./EmbeddedFailure.ts"

const isRoot = (): boolean => process.getuid?.() === 0

/**
 * Refuses a folder for root that another user may alter, or may replace by way of a folder above it.
 *
 * @param path absolute, without symbolic links
 */
export const checkFolderOwner = async (path: string): Promise<void> => {
  if (!isRoot()) return
  // From the top: what is in a folder of root's is what root finds there a moment later.
  for (const current of foldersTo(path)) {
    const stats = await lstat(current)
    const { gid, mode, uid } = stats
    if (!stats.isDirectory()) throw new EmbeddedFailure(`${current} is no folder`)
    if (uid !== 0) {
      throw new EmbeddedFailure(
        `${current} belongs to another user (${uid}), who could replace what root writes there: run this as that user, ` +
          "or choose a folder of root such as /var/lib/postcode"
      )
    }
    const isWritable = (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0)
    // In a folder with this bit, as /tmp, others cannot replace what is root's.
    const isSticky = (mode & stickyBit) !== 0 && current !== path
    if (isWritable && !isSticky) {
      throw new EmbeddedFailure(
        `${current} may be altered by other users: chmod go-w ${current}, or choose another folder`
      )
    }
  }
}

const stickyBit = 0o1000

/** The folder and all above it, from the top. */
const foldersTo = (path: string): ReadonlyArray<string> =>
  path === dirname(path) ? [path] : [...foldersTo(dirname(path)), path]

/**
 * Opens a file of a user for reading; undefined if there is none. A link is refused, and so is what another user owns:
 * root would read for the user of the data what that user may not.
 */
export const openFileOf = async (uid: number, path: string): Promise<FileHandle | undefined> => {
  // A pipe would block.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const file = await open(path, flags).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return undefined
    throw codeOf(error) === "ELOOP" ? new EmbeddedFailure(`${path} is a link, which a backup does not follow`) : error
  })
  if (file === undefined) return undefined
  const stats = await file.stat()
  if (stats.isFile() && stats.uid === uid) return file
  await file.close()
  throw new EmbeddedFailure(`${path} does not belong to the user of the data (${uid}): move it away, or chown it`)
}

/** Removes a folder with files of another user, without following a link that this user puts in the way meanwhile. */
export const removeFolder = async (path: string): Promise<void> => {
  if (isRoot()) await promisify(execFile)("rm", ["-rf", "--", path])
  else await rm(path, { recursive: true, force: true })
}
