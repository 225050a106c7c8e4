import { readFileSync } from "node:fs"

/** A field of a process's memory, such as `VmRSS`, in bytes. Linux only. */
export const statusField = (pid: number, name: string): number =>
  1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1])
