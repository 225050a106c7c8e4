/** `postcode enrich` of a long file while the command and the service are killed. */
import { type Drill, printJson } from "../kit/Drill.ts"
import { runEnrichKills } from "./runEnrichKills.ts"

const options = { rows: 100_000, kills: 10, "service-kills": 3, seed: 1 }

export const drill: Drill<typeof options> = {
  options,
  run: async ({ kills, rows, seed, "service-kills": serviceKills }, progress) => {
    const report = await runEnrichKills({ rows, kills, serviceKills, seed, progress })
    printJson(report)
    return report.wrong
  }
}
