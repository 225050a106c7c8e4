/**
 * Chaos on demand: `npm run chaos -- [--seconds N] [--seed S] [--replicas N] [--clients N]`. Exit code 1 if a promise
 * broke.
 */
import { parseArgs } from "node:util"
import { wholeOptions } from "../kit/WholeOptions.ts"
import { enoughForLong } from "./ChaosOptions.ts"
import { runChaos } from "./runChaos.ts"

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "180" },
    seed: { type: "string", default: "1" },
    replicas: { type: "string", default: "3" },
    clients: { type: "string", default: "200" }
  }
})

const whole = wholeOptions(values)

const report = await runChaos({
  duration_ms: 1000 * whole("seconds"),
  seed: whole("seed"),
  replicas: whole("replicas"),
  clients: whole("clients"),
  enough: enoughForLong,
  progress: (message) => process.stderr.write(`${message}\n`)
})
process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
process.exitCode = Object.values(report.wrong).every((found) => found.length === 0) ? 0 : 1
