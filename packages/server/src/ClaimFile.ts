/** The file with the first operator's link. It exists only while the link is valid. */
import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir, uptime } from "node:os"
import { join } from "node:path"
import { invitation_ms } from "@postcode/gateway/accounts/Account"
import { Effect, type Scope } from "effect"

/** Its folder is accessible only to this user and has the process id in its name. */
export interface ClaimFile {
  readonly path: string
  readonly remove: Effect.Effect<void>
}

/** Writes the link until it is removed or the scope ends; undefined if it cannot be written. */
export const writeClaimFile = (url: string): Effect.Effect<ClaimFile | undefined, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => write(url).catch(() => undefined)),
    (file) => (file === undefined ? Effect.void : file.remove)
  )

/** Removes the files of killed processes. Running processes remove their own. */
export const removeStaleClaimFiles: Effect.Effect<void> = Effect.promise(async () => {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names) {
    const pid = folderName.exec(name)?.[1]
    const folder = join(tmpdir(), name)
    if (pid !== undefined && (!isRunning(Number(pid)) || (await isStale(folder)))) await remove(folder)
  }
})

const folderName = /^postcode-claim-([0-9]+)-/

const write = async (url: string): Promise<ClaimFile> => {
  const folder = await mkdtemp(join(tmpdir(), `postcode-claim-${process.pid}-`))
  const path = join(folder, "link")
  await writeFile(path, `${url}\n`, { mode: 0o600, flag: "wx" })
  return { path, remove: Effect.promise(() => remove(folder)) }
}

/** The system refuses to remove files of other users. */
const remove = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true }).catch(() => {})

/** This process has not written yet: in a container the previous process had the same id. */
const isRunning = (pid: number): boolean => {
  if (pid === process.pid) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}

/** Its process is gone (the id was reused), or its link has expired. */
const isStale = async (folder: string): Promise<boolean> => {
  const { mtimeMs: written_ms } = await stat(folder).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
  const age_ms = Date.now() - written_ms
  return age_ms > Math.min(uptime() * 1_000, invitation_ms)
}
