/**
 * Runs a step of the benchmark in a new process: no other step has trained its compiler or left garbage, and all its
 * memory is released at the end.
 */
import { fork } from "node:child_process"
import type { TaskName, Tasks } from "./tasks.ts"

export interface ProcessOptions {
  /** Node's flags for the process. */
  readonly nodeFlags: ReadonlyArray<string>
  readonly progress: (message: string) => void
  /** Ends the process; the call fails after its end. */
  readonly signal: AbortSignal
}

type Parameter<Name extends TaskName> = Parameters<Tasks[Name]>[0]
type Result<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>

/** The parent's single message. */
export interface Order<Name extends TaskName = TaskName> {
  readonly name: Name
  readonly parameter: Parameter<Name>
}

/** The process's messages: progress, then the result. */
export type Report =
  | { readonly progress: string }
  | { readonly result: unknown }
  /** The stack of the task's error. */
  | { readonly failure: string }

/**
 * Runs a task in a new process and returns its result.
 *
 * @throws Error if the task failed, the process died, or the signal was aborted
 */
export const inFreshProcess = async <Name extends TaskName>(
  name: Name,
  parameter: Parameter<Name>,
  { nodeFlags, progress, signal }: ProcessOptions
): Promise<Result<Name>> => {
  signal.throwIfAborted()
  const child = fork(new URL("./taskProcess.ts", import.meta.url), [], {
    execArgv: [...nodeFlags],
    serialization: "advanced",
    // Standard output is for figures.
    stdio: ["ignore", 2, 2, "ipc"]
  })
  const stop = (): void => {
    child.kill("SIGTERM")
  }
  signal.addEventListener("abort", stop)
  let end: Exclude<Report, { progress: string }> | undefined
  child.on("message", (report: Report) => {
    if ("progress" in report) progress(report.progress)
    else end = report
  })
  const order: Order<Name> = { name, parameter }
  // A process that has ended refuses messages. Its exit is reported with its code.
  child.send(order, () => {})
  return new Promise<Result<Name>>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code, by) => {
      signal.removeEventListener("abort", stop)
      if (signal.aborted) reject(signal.reason as Error)
      else if (end === undefined) reject(new Error(`${name}: its process ended without a result: ${by ?? code}`))
      else if ("failure" in end) reject(new Error(`${name}: ${end.failure}`))
      else resolve(end.result as Result<Name>)
    })
  })
}
