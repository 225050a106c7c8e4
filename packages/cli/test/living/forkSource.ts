/** Starts a load generator from its source, which lets others have the processor first and ends with this process. */
import { type ChildProcess, fork } from "node:child_process"
import { setPriority } from "node:os"
import { fileURLToPath } from "node:url"
import { atEndOfProcess } from "@postcode/postgres/testing"

/** @param options arrives as JSON in the first argument */
export const forkSource = (module: URL, options: object): ChildProcess => {
  const child = fork(fileURLToPath(module), [JSON.stringify(options)], {
    execArgv: ["--conditions=@postcode/source"],
    serialization: "advanced",
    stdio: ["ignore", 2, 2, "ipc"]
  })
  if (child.pid !== undefined) setPriority(child.pid, 5)
  child.once("close", atEndOfProcess('kill -9 "$1"', `${child.pid}`))
  return child
}
