/**
 * Starts a load generator from its source, which ends with this process. The replicas and the database share a few
 * processors with it: what posts lets them go first, and what measures goes first if it may, as on a machine of its own.
 */
import { type ChildProcess, fork } from "node:child_process"
import { setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { atEndOfProcess } from "../kit/postgres/index.ts"

/**
 * @param options arrives as JSON in the first argument
 * @param priority as `nice`; a negative one, which only root may set, is 0 for others
 */
export const forkSource = (module: URL, options: object, priority: number): ChildProcess => {
  const child = fork(fileURLToPath(module), [JSON.stringify(options)], {
    execArgv: ["--conditions=@postcode/source"],
    serialization: "advanced",
    stdio: ["ignore", 2, 2, "ipc"]
  })
  if (child.pid !== undefined) setPriority(child.pid, process.getuid?.() === 0 ? priority : Math.max(0, priority))
  child.once("close", atEndOfProcess('kill -9 "$1"', `${child.pid}`))
  return child
}
