/** A disk of its own for a test, which can be filled: a file system in a file. Only root may mount one. */
import { execFile } from "node:child_process"
import { mkdir, open, rm, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { temporaryFolder } from "../kit/TemporaryFolder.ts"

export interface SmallDisk extends AsyncDisposable {
  readonly path: string
  /** Fills it to the last block. */
  readonly fill: () => Promise<void>
  /** Removes what filled it. */
  readonly empty: () => Promise<void>
}

export const canMount = process.platform === "linux" && process.getuid?.() === 0

export const makeSmallDisk = async (megabytes: number): Promise<SmallDisk> => {
  const folder = await temporaryFolder()
  const [image, path] = [join(folder.path, "image"), join(folder.path, "disk")]
  const run = promisify(execFile)
  await writeFile(image, "")
  await truncate(image, megabytes * 1e6)
  await run("chmod", ["755", folder.path])
  await mkdir(path)
  // No blocks are kept for root.
  await run("mkfs.ext4", ["-q", "-m", "0", image])
  await run("mount", ["-o", "loop", image, path])
  const filler = join(path, "lost+found", "filler")
  return {
    path,
    fill: async () => {
      await using file = await open(filler, "a")
      for (let size = 1 << 20; size >= 512; ) {
        try {
          await file.appendFile(Buffer.alloc(size))
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error
          size >>= 1
        }
      }
    },
    empty: () => rm(filler, { force: true }),
    [Symbol.asyncDispose]: async () => {
      await run("umount", ["-l", path])
      await folder[Symbol.asyncDispose]()
    }
  }
}
