/**
 * A directory that lives, on demand: `npm run living -- [--units N] [--seconds N] [--rate N] [--replicas N]
 * [--workers N] [--kills N] [--searches N] [--seed S] [--no-large] [--no-revert]`. Exit code 1 if a promise broke.
 */
import { parseArgs } from "node:util"
import { wholeOptions } from "../kit/WholeOptions.ts"
import { runLiving } from "./runLiving.ts"

const { values } = parseArgs({
  allowNegative: true,
  options: {
    units: { type: "string", default: "20000" },
    seconds: { type: "string", default: "60" },
    rate: { type: "string", default: "300" },
    replicas: { type: "string", default: "2" },
    workers: { type: "string", default: "1" },
    kills: { type: "string", default: "14" },
    searches: { type: "string", default: "100" },
    seed: { type: "string", default: "1" },
    large: { type: "boolean", default: true },
    revert: { type: "boolean", default: true }
  }
})

const whole = wholeOptions(values)

const report = await runLiving({
  units: whole("units"),
  seconds: whole("seconds"),
  rate: whole("rate"),
  replicas: whole("replicas"),
  workers: whole("workers"),
  kills: values.kills === "0" ? 0 : whole("kills"),
  searches: whole("searches"),
  seed: whole("seed"),
  large: values.large,
  revert: values.revert,
  progress: (message) => process.stderr.write(`${message}\n`)
})
process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
process.exitCode = Object.values(report.wrong).every((found) => found.length === 0) ? 0 : 1
