/**
 * `--data` under everything that may happen to one machine: `npm run durability -- [--kills N] [--seed S]`. Prints a table.
 * Exit code 1 if something was lost or doubled. Root alone can fill a disk; older programs come from npm.
 */
import { parseArgs } from "node:util"
import type { Wrong } from "../kit/LedgerRow.ts"
import { wholeOptions } from "../kit/WholeOptions.ts"
import { runFullDisk } from "./runFullDisk.ts"
import { runKills } from "./runKills.ts"
import { runMinorUpgrade } from "./runMinorUpgrade.ts"
import { runStarts } from "./runStarts.ts"
import { canMount } from "./SmallDisk.ts"

const { values } = parseArgs({
  options: { kills: { type: "string", default: "50" }, seed: { type: "string", default: "1" } }
})
const whole = wholeOptions(values)
const seed = whole("seed")

const progress = (message: string) => process.stderr.write(`${message}\n`)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
const rows: Array<readonly [what: string, seen: string, wrong: string]> = []
const faults: Array<string> = []

const add = (what: string, seen: string, wrong: Wrong): void => {
  const found = Object.entries(wrong).flatMap(([promise, all]) => all.map((one) => `${promise}: ${one}`))
  faults.push(...found)
  rows.push([what, seen, found.length === 0 ? "nothing" : `${found.length} faults`])
}

progress("starting on new folders")
const starts = await runStarts()
add("first start, programs from npm", `${seconds(starts.firstFromNpm_ms)}, with the demonstration`, {})
add("first start, programs at hand", `${seconds(starts.first_ms)}, with the demonstration`, {})
add("second start", seconds(starts.second_ms), {})

const kills = await runKills({ kills: whole("kills"), seed, progress })
for (const [kind, all_ms] of Object.entries(kills.away_ms)) {
  const sorted = [...all_ms].sort((a, b) => a - b)
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0
  add(
    `kill -9 of ${kind}, ${sorted.length} times`,
    `${seconds(middle)} away, at most ${seconds(sorted.at(-1) ?? 0)}`,
    {}
  )
}
add("all kills", `${kills.charged} charges answered, ${kills.attempts} requests`, kills.wrong)

const upgrade = await runMinorUpgrade(seed, progress)
const [before, after] = upgrade.versions
add(`${before} to ${after}, both killed before`, `${seconds(upgrade.started_ms)} to the first charge`, upgrade.wrong)

if (canMount) {
  const disk = await runFullDisk(seed, progress)
  const searched = disk.searched ? "searches answered" : "searches failed"
  add(
    "a full disk",
    `${disk.refused} answers of 503, ${searched}; ${seconds(disk.recovered_ms)} after space`,
    disk.wrong
  )
  progress(`the service said: ${disk.reported}\na start said: ${disk.startError}`)
}

for (const fault of faults) progress(fault)
for (const row of [["", "Seen", "Lost or doubled"], ["---", "---", "---"], ...rows]) {
  process.stdout.write(`| ${row.join(" | ")} |\n`)
}
process.exitCode = faults.length === 0 ? 0 : 1
