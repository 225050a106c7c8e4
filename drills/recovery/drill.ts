/** A database of one's own is lost with its disk, and restored by pgBackRest. */
import { type Drill, printTable } from "../kit/Drill.ts"
import { missingForRecovery } from "./missingForRecovery.ts"
import { runRecovery } from "./runRecovery.ts"

const options = { seconds: 20, clients: 12, seed: 1 }

export const drill: Drill<typeof options> = {
  options,
  missing: missingForRecovery,
  run: async (settings, progress) => {
    const { charged, compared, lost_s, lostCharges, restored_s, wrong } = await runRecovery({ ...settings, progress })
    const wrongCharges = Object.values(wrong).flat().length
    printTable(
      ["", "Seen"],
      [
        ["charges answered before the disk was lost", charged],
        ["lost with the disk, as the log was not archived yet", `${lost_s.toFixed(1)} s, ${lostCharges} charges`],
        ["restored to the end of the log", `in ${restored_s[0].toFixed(1)} s`],
        ["restored to the named second", `in ${restored_s[1].toFixed(1)} s`],
        ["charges compared at the named second", compared],
        ["missing, doubled or too many", wrongCharges]
      ]
    )
    return wrong
  }
}
