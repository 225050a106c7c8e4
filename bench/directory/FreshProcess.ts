/**
 * Runs a step of the benchmark in a process of its own: its compiler has seen nothing else, no other step's garbage is
 * there to collect, and all memory goes back when it is done.
 */
import { fork } from "node:child_process"
import type { TaskName, Tasks } from "./tasks.ts"

export interface ProcessOptions {
  /** Flags of Node for the process. */
  readonly nodeFlags: ReadonlyArray<string>
  readonly progress: (message: string) => void
  /** Ends the process, and fails the call once it has ended. */
  readonly signal: AbortSignal
}

type Parameter<Name extends TaskName> = Parameters<Tasks[Name]>[0]
type Result<Name extends TaskName> = Awaited<ReturnType<Tasks[Name]>>

/** What a parent sends, once. */
export interface Order<Name extends TaskName = TaskName> {
  readonly name: Name
  readonly parameter: Parameter<Name>
}

/** What a process sends back: any number of lines of progress, then how it went. */
export type Report =
  | { readonly progress: string }
  | { readonly result: unknown }
  /** The stack of what the task threw. */
  | { readonly failure: string }

/**
 * The result of a task, which ran in a fresh process.
 *
 * @throws Error if the task failed, the process died, or the signal was given
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
    // Standard output is for figures alone.
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
  // A process that has ended takes no order. Its end says so, with its exit code.
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
