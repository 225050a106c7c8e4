/** Files in the user's configuration folder that only the user can read. */
import { randomUUID } from "node:crypto"
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"

/** The text of a file; undefined if there is none. Fails if other users can read the file. */
export const readPrivate = async (file: string): Promise<string | undefined> => {
  try {
    if (process.platform !== "win32" && ((await stat(file)).mode & 0o077) !== 0) {
      const message = `others can read ${file}: chmod 600 it, and replace its key if others may have read it`
      throw new CommandFailure(message, exitCodes.notAllowed)
    }
    return await readFile(file, "utf8")
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Written under another name first, so that an interruption leaves the old file or the new one. */
export const writePrivate = async (file: string, text: string): Promise<void> => {
  await mkdir(join(file, ".."), { recursive: true, mode: 0o700 })
  const temporary = `${file}.${randomUUID()}`
  try {
    const handle = await open(temporary, "wx", 0o600)
    try {
      await handle.writeFile(text)
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** Whether a file or folder does not exist. */
export const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === "ENOENT"
