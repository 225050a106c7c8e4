/**
 * `enrich` under kills on demand: `npm run kills -- [--rows N] [--kills N] [--service-kills N] [--seed S]`. Exit code 1 if
 * a row is lost, doubled or charged twice.
 */
import { parseArgs } from "node:util"
import { wholeOptions } from "../kit/WholeOptions.ts"
import { runEnrichKills } from "./runEnrichKills.ts"

const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "100000" },
    kills: { type: "string", default: "10" },
    "service-kills": { type: "string", default: "3" },
    seed: { type: "string", default: "1" }
  }
})

const whole = wholeOptions(values)

const report = await runEnrichKills({
  rows: whole("rows"),
  kills: whole("kills"),
  serviceKills: whole("service-kills"),
  seed: whole("seed"),
  progress: (message) => process.stderr.write(`${message}\n`)
})
process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
process.exitCode = Object.values(report.wrong).every((found) => found.length === 0) ? 0 : 1
