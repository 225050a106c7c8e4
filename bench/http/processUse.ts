/** CPU time and memory of processes from Linux's /proc, equal for Node and other programs. */
import { existsSync, readdirSync, readFileSync } from "node:fs"

/** @throws Error on a system without it */
export const requireProcessStats = (): void => {
  if (!existsSync("/proc/self/schedstat")) throw new Error("bench http reads /proc/…/schedstat, so it needs Linux.")
}

/** CPU nanoseconds of all threads of these processes, in user and system mode. */
export const processorTime_ns = (pids: ReadonlyArray<number>): number =>
  pids
    .flatMap((pid) => contents(`/proc/${pid}/task`, readdirSync).map((thread) => `/proc/${pid}/task/${thread}`))
    .map((thread) => Number(contents(`${thread}/schedstat`, readText)[0]?.split(" ")[0] ?? 0))
    .reduce((sum, time_ns) => sum + time_ns, 0)

/** The peak memory of a process, in bytes. */
export const peakMemory_bytes = (pid: number): number =>
  1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1])

/** A process and its running descendants. */
export const withChildren = (pid: number): ReadonlyArray<number> => [
  pid,
  ...readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
]

/** The second field after the name, which may contain anything but ends with the last parenthesis. */
const parentOf = (pid: string): number | undefined => {
  const [stat = ""] = contents(`/proc/${pid}/stat`, readText)
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
}

const readText = (path: string): ReadonlyArray<string> => [readFileSync(path, "latin1")]

/** Undefined if the process or thread has ended. */
const contents = (path: string, read: (path: string) => ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    return read(path)
  } catch {
    return []
  }
}
