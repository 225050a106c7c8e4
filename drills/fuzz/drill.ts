/** What a hostile network sends, to every endpoint. `--store` is `memory` or `postgres`. */
import type { Drill } from "../kit/Drill.ts"
import { describeReport } from "./FuzzReport.ts"
import { runFuzz } from "./runFuzz.ts"
import { stores } from "./Service.ts"

const options = { requests: 20_000, seed: 1, store: "memory", units: 250_000 }

export const drill: Drill<typeof options> = {
  options,
  run: async ({ store: name, ...settings }, progress) => {
    const store = stores.find((known) => known === name)
    if (store === undefined) throw new Error(`--store: expected one of ${stores.join(", ")}`)
    const report = await runFuzz({ ...settings, store, isTimed: true, progress })
    process.stdout.write(`${describeReport(report)}\n`)
    return { "an answer or a line of the log": report.failures.map(({ count, fault }) => `${count} × ${fault}`) }
  }
}
