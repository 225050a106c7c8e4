/** Credits while replicas, backends and the postmaster are killed. */
import { type Drill, printJson } from "../kit/Drill.ts"
import { enoughForLong } from "./ChaosOptions.ts"
import { runChaos } from "./runChaos.ts"

const options = { seconds: 60, seed: 1, replicas: 3, clients: 200 }

export const drill: Drill<typeof options> = {
  options,
  run: async ({ seconds, ...settings }, progress) => {
    const report = await runChaos({ ...settings, duration_ms: 1_000 * seconds, enough: enoughForLong, progress })
    printJson(report)
    return report.wrong
  }
}
