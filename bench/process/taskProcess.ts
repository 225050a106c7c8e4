/** The process of `inFreshProcess`: runs one task and ends. */

import type { Order, Report } from "./FreshProcess.ts"
import { tasks } from "./tasks.ts"

const report = (what: Report): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(what, undefined, undefined, (error) => (error === null ? resolve() : reject(error)))
  })

const run = async ({ name, parameter }: Order): Promise<void> => {
  try {
    const task = tasks[name] as (parameter: unknown, progress: (message: string) => void) => unknown
    await report({ result: await task(parameter, (progress) => void report({ progress })) })
  } catch (error) {
    await report({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  process.off("disconnect", abandon)
  process.disconnect()
}

/** The parent process is gone. */
const abandon = (): void => process.exit(1)

process.once("disconnect", abandon)
process.once("message", (order: Order) => void run(order))
