/**
 * Failovers of the database under load: `npm run failover -- [--failovers N] [--clients N]`. Prints a table.
 * Exit code 1 if a charge was lost or doubled, or a search failed.
 */
import { parseArgs } from "node:util"
import { wholeOptions } from "../kit/WholeOptions.ts"
import { missingForFailover } from "./missingForFailover.ts"
import { runFailovers } from "./runFailovers.ts"

const { values } = parseArgs({
  options: {
    failovers: { type: "string", default: "20" },
    clients: { type: "string", default: "20" }
  }
})
const whole = wholeOptions(values)
const progress = (message: string) => process.stderr.write(`${message}\n`)

const missing = missingForFailover("failover")
if (missing !== undefined) {
  progress(missing)
  process.exit(2)
}

const report = await runFailovers({ failovers: whole("failovers"), clients: whole("clients"), progress })

const lost = ["an answer without its row", "an Idempotency-Key that was answered and not paid"]
const doubled = ["a request with several rows", "an Idempotency-Key that was paid twice", "a row without its request"]
const wrong: Readonly<Record<string, ReadonlyArray<string>>> = report.wrong
const countOf = (promises: ReadonlyArray<string>) =>
  promises.reduce((count, promise) => count + (wrong[promise]?.length ?? 0), 0)
const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
const print = (...rows: ReadonlyArray<ReadonlyArray<unknown>>) => {
  for (const row of rows) process.stdout.write(`| ${row.join(" | ")} |\n`)
}

print(["Event", "Times", "Paid calls out, median", "Longest"], ["---", "---", "---", "---"])
const kinds = [...new Set(report.outages.map(({ kind }) => kind)), "all"]
for (const kind of kinds) {
  const own = report.outages.filter((outage) => kind === "all" || outage.kind === kind)
  const sorted_ms = own.map(({ outage_ms }) => outage_ms).sort((a, b) => a - b)
  const median_ms = sorted_ms[Math.floor((sorted_ms.length - 1) / 2)] ?? 0
  print([kind, own.length, seconds(median_ms), seconds(sorted_ms.at(-1) ?? 0)])
}
const { failed, free, keyed, slowest_ms } = report.searches
process.stdout.write("\n")
print(
  ["", "Count"],
  ["---", "---"],
  ["charges acknowledged", report.charged],
  ["charges in the ledger", report.rows],
  ["charges lost", countOf(lost)],
  ["charges doubled", countOf(doubled)],
  ["searches without a key", free],
  ["searches with a key", keyed],
  ["searches failed", failed.length],
  ["slowest search", seconds(slowest_ms)]
)
const faults = Object.entries(report.wrong).flatMap(([promise, all]) => all.map((one) => `${promise}: ${one}`))
for (const fault of [...faults, ...failed.map((search) => `a search that failed: ${search}`)]) progress(fault)
// The nodes still run, and end with this process.
process.exit(faults.length + failed.length === 0 ? 0 : 1)
