/** A directory that is searched and changed while replicas, backends and the postmaster are killed. */
import { type Drill, printJson } from "../kit/Drill.ts"
import { runLiving } from "./runLiving.ts"

const options = {
  units: 20_000,
  seconds: 60,
  rate: 300,
  replicas: 2,
  workers: 1,
  kills: 14,
  searches: 100,
  seed: 1,
  large: true,
  revert: true
}

export const drill: Drill<typeof options> = {
  options,
  run: async (settings, progress) => {
    const report = await runLiving({ ...settings, progress })
    printJson(report)
    return report.wrong
  }
}
