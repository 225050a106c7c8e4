/** Data folders of tests. What a test leaves running in one ends with it. */
import { chmod, readFile, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { atEndOfProcess } from "./postgres/index.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

export interface DataFolder extends AsyncDisposable {
  readonly path: string
  /** The process id of its server; undefined if none runs. */
  readonly postmaster: () => Promise<number | undefined>
}

/** A folder that does not exist yet. */
export const dataFolder = async (): Promise<DataFolder> => {
  const parent = await temporaryFolder()
  // PostgreSQL runs as another user than root.
  await chmod(parent.path, 0o755)
  const path = join(parent.path, "data")
  const pidFile = join(path, "postgres", "postmaster.pid")
  const end = atEndOfProcess('test -f "$1" && kill -QUIT "$(head -n 1 "$1")"', pidFile)
  const postmaster = async () => {
    const pid = Number.parseInt(await readFile(pidFile, "utf8").catch(() => ""), 10)
    return Number.isNaN(pid) || !isRunning(pid) ? undefined : pid
  }
  return {
    path,
    postmaster,
    [Symbol.asyncDispose]: async () => {
      end()
      while ((await postmaster()) !== undefined) await setTimeout(20)
      // A test that fails may leave a service that goes on writing for a moment.
      await rm(parent.path, { recursive: true, force: true, maxRetries: 20 })
    }
  }
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
