/** The running processes of a folder's server, also those that another process started. */
import { execFile } from "node:child_process"
import { readdir, readFile, readlink, rm } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { promisify } from "node:util"
import { type DataFolder, port } from "./DataFolder.ts"

/**
 * The ids of its processes. Where the system tells the working folder of a process, these are all of them, since each
 * works in the folder of the data; elsewhere it is the postmaster, by its arguments.
 */
export const serverProcesses = async ({ cluster }: DataFolder): Promise<ReadonlyArray<number>> => {
  if (process.platform === "linux") {
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name))
    // A process may end meanwhile, and others' are not readable.
    const folders = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")))
    return pids.filter((_, i) => folders[i] === cluster).map(Number)
  }
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,args="])
  return stdout
    .split("\n")
    .filter((line) => line.includes(` -D ${cluster} `))
    .map((line) => Number.parseInt(line, 10))
}

/** The process id in the server's own file; undefined if there is none. */
export const postmaster = async (folder: DataFolder): Promise<number | undefined> =>
  firstLine(join(folder.cluster, "postmaster.pid"))

/**
 * Removes the files by which a killed server would stop the next one: they hold the id of a process, which another
 * program may have by now, as after the restart of a container. PostgreSQL replaces them itself if there is no such
 * process. Call it only while no process of the server runs.
 */
export const removeStaleLocks = async (folder: DataFolder): Promise<void> => {
  const files = [join(folder.cluster, "postmaster.pid"), join(folder.socket, `.s.PGSQL.${port}.lock`)]
  for (const file of files) {
    const pid = await firstLine(file)
    if (pid === undefined || !isRunning(pid) || (await serverProcesses(folder)).length > 0) continue
    // Another process may have started a server in between.
    if ((await firstLine(file)) === pid) await rm(file, { force: true })
  }
}

/** Sends a signal to the server and waits; returns whether all of its processes have ended by then. */
export const endProcesses = async (
  folder: DataFolder,
  pid: number,
  signal: NodeJS.Signals,
  timeout_ms: number
): Promise<boolean> => {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended by itself.
  }
  for (const end_ms = performance.now() + timeout_ms; performance.now() < end_ms; await setTimeout(50)) {
    if ((await serverProcesses(folder)).length === 0) return true
  }
  return false
}

const firstLine = async (file: string): Promise<number | undefined> => {
  const line = Number.parseInt(await readFile(file, "utf8").catch(() => ""), 10)
  return Number.isSafeInteger(line) && line > 0 ? line : undefined
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
}
