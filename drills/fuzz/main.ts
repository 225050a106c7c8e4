/**
 * Everything a hostile network sends, on demand: `npm run fuzz -- [--requests N] [--seed S] [--store memory|postgres]
 * [--units N]`. Prints what was answered, by kind of request and status. Exit code 1 if an answer was wrong.
 */
import { parseArgs } from "node:util"
import { wholeOptions } from "../kit/WholeOptions.ts"
import { describeReport } from "./FuzzReport.ts"
import { runFuzz } from "./runFuzz.ts"
import { type Store, stores } from "./Service.ts"

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "200000" },
    seed: { type: "string", default: "1" },
    store: { type: "string", default: "memory" },
    units: { type: "string", default: "250000" },
    json: { type: "boolean", default: false }
  }
})

const whole = wholeOptions(values)

const storeOf = (name: string): Store => {
  const store = stores.find((known) => known === name)
  if (store === undefined) throw new Error(`--store: expected one of ${stores.join(", ")}`)
  return store
}

const report = await runFuzz({
  store: storeOf(values.store),
  requests: whole("requests"),
  seed: whole("seed"),
  units: whole("units"),
  isTimed: true,
  progress: (message) => process.stderr.write(`${message}\n`)
})
process.stdout.write(`${values.json ? JSON.stringify(report) : describeReport(report)}\n`)
// The server of the test databases would keep the process.
process.exit(report.failures.length === 0 ? 0 : 1)
