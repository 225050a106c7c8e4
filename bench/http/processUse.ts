/** What processes have used, as Linux counts it: it is the same for a process of Node and for any other. */
import { existsSync, readdirSync, readFileSync } from "node:fs"

/** @throws Error on a system that does not count so */
export const requireCounting = (): void => {
  if (!existsSync("/proc/self/schedstat")) throw new Error("bench http reads /proc/…/schedstat, so it needs Linux.")
}

/** Nanoseconds on a processor that all threads of these processes have had, in the program and in the system. */
export const processorTime_ns = (pids: ReadonlyArray<number>): number =>
  pids
    .flatMap((pid) => contents(`/proc/${pid}/task`, readdirSync).map((thread) => `/proc/${pid}/task/${thread}`))
    .map((thread) => Number(contents(`${thread}/schedstat`, readText)[0]?.split(" ")[0] ?? 0))
    .reduce((sum, time_ns) => sum + time_ns, 0)

/** The most memory that a process has had, in bytes. */
export const peakMemory_bytes = (pid: number): number =>
  1024 * Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1])

/** A process and those that it has started, as far as they run. */
export const withChildren = (pid: number): ReadonlyArray<number> => [
  pid,
  ...readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number)
]

/** The second field behind the name, which may hold anything but ends with the last parenthesis. */
const parentOf = (pid: string): number | undefined => {
  const [stat = ""] = contents(`/proc/${pid}/stat`, readText)
  return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1])
}

const readText = (path: string): ReadonlyArray<string> => [readFileSync(path, "latin1")]

/** Nothing, if the process or thread has ended meanwhile. */
const contents = (path: string, read: (path: string) => ReadonlyArray<string>): ReadonlyArray<string> => {
  try {
    return read(path)
  } catch {
    return []
  }
}
