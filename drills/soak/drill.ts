/** Failovers, new editions, changes, rotated keys and restarts at once, on three replicas behind HAProxy. */
import { missingForFailover } from "../failover/missingForFailover.ts"
import { type Drill, printJson } from "../kit/Drill.ts"
import { runSoak } from "./runSoak.ts"

const options = { seconds: 600, seed: 1, clients: 12 }

export const drill: Drill<typeof options> = {
  options,
  missing: missingForFailover,
  run: async ({ seconds, ...settings }, progress) => {
    const report = await runSoak({ ...settings, minutes: seconds / 60, progress })
    for (const [replica, medians_mb] of report.memory.by_period_mb.entries()) {
      progress(`memory of replica ${replica + 1}, median of each period: ${medians_mb.join(", ")} MB`)
    }
    printJson(report)
    return report.wrong
  }
}
