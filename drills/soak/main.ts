/**
 * A soak under failovers: `npm run soak -- [--minutes N] [--seed S] [--clients N]`. Prints a line each minute and a table
 * of memory to standard error, and a report as JSON. Exit code 1 if anything is wrong.
 */
import { parseArgs } from "node:util"
import { missingForFailover } from "../failover/missingForFailover.ts"
import { wholeOptions } from "../kit/WholeOptions.ts"
import { runSoak } from "./runSoak.ts"

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    seed: { type: "string", default: "1" },
    clients: { type: "string", default: "12" }
  }
})
const whole = wholeOptions(values)
const start_ms = performance.now()
const progress = (message: string) => {
  const passed_s = Math.round((performance.now() - start_ms) / 1_000)
  process.stderr.write(`${Math.floor(passed_s / 60)}:${String(passed_s % 60).padStart(2, "0")} ${message}\n`)
}

const missing = missingForFailover("soak")
if (missing !== undefined) {
  process.stderr.write(`${missing}\n`)
  process.exit(2)
}

const report = await runSoak({ minutes: whole("minutes"), seed: whole("seed"), clients: whole("clients"), progress })

const { by_period_mb } = report.memory
const print = (...cells: ReadonlyArray<unknown>) => process.stderr.write(`| ${cells.join(" | ")} |\n`)
print("Memory, median", ...by_period_mb.map((_, i) => `replica ${i + 1}`))
print("---", ...by_period_mb.map(() => "---"))
for (const [period] of (by_period_mb[0] ?? []).entries()) {
  print(`period ${period + 1}`, ...by_period_mb.map((own) => `${own[period]} MB`))
}
process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`)
const wrong = Object.entries(report.wrong).flatMap(([promise, all]) => all.map((one) => `${promise}: ${one}`))
for (const one of wrong) progress(one)
// The nodes still run, and end with this process.
process.exit(wrong.length === 0 ? 0 : 1)
