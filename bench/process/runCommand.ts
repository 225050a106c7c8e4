/** Runs the `postcode` command and measures time and memory. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import type { ProcessOptions } from "./FreshProcess.ts"

export interface Ran {
  /** From the start of the command to its end. */
  readonly time_s: number
  readonly peak_bytes: number
}

/** Runs the command to its end. */
export const runCommand = async (args: ReadonlyArray<string>, options: ProcessOptions): Promise<Ran> => {
  const start = performance.now()
  const child = startCommand(args, options)
  const [stdout, stderr, peak] = await Promise.all([
    text(child.stdout as Readable),
    text(child.stderr as Readable),
    text(child.stdio[3] as Readable),
    child.exitCode === null ? once(child, "close") : undefined
  ])
  const time_s = (performance.now() - start) / 1000
  if (child.exitCode !== 0) {
    throw new Error(`postcode ${args.join(" ")}: exit code ${child.exitCode}\n${stdout}${stderr}`)
  }
  return { time_s, peak_bytes: Number(peak) }
}

/** Starts the command. Its output must be read; file descriptor 3 reports its peak memory at the end. */
export const startCommand = (args: ReadonlyArray<string>, { nodeFlags, signal }: ProcessOptions): ChildProcess => {
  const reporter = new URL("./reportPeakMemory.ts", import.meta.url).href
  return spawn(process.execPath, [...nodeFlags, "--import", reporter, commandPath(nodeFlags), ...args], {
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    signal
  })
}

const require = createRequire(import.meta.url)

/** The command's path: the build, or the source under the condition for sources. */
export const commandPath = (nodeFlags: ReadonlyArray<string>): string => {
  const folder = dirname(require.resolve("@postcode/cli/package.json"))
  return join(folder, nodeFlags.includes("--conditions=@postcode/source") ? "src/main.ts" : "dist/main.js")
}
