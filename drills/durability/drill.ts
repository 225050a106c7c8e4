/** A service on `--data`: kills, an upgrade of PostgreSQL and a full disk. Only root can fill a disk. npm brings older programs. */
import { type Drill, printTable } from "../kit/Drill.ts"
import type { Wrong } from "../kit/LedgerRow.ts"
import { runFullDisk } from "./runFullDisk.ts"
import { runKills } from "./runKills.ts"
import { runMinorUpgrade } from "./runMinorUpgrade.ts"
import { runStarts } from "./runStarts.ts"
import { canMount } from "./SmallDisk.ts"

const options = { kills: 10, seed: 1 }

type Part = ReadonlyArray<readonly [what: string, seen: string, wrong: Wrong]>
type Progress = (message: string) => void

export const drill: Drill<typeof options> = {
  options,
  run: async ({ kills, seed }, progress) => {
    progress("starting on new folders")
    const rows = [
      ...(await starts()),
      ...(await killed(kills, seed, progress)),
      ...(await upgraded(seed, progress)),
      ...(canMount ? await filled(seed, progress) : [])
    ]
    printTable(
      ["", "Seen", "Lost or doubled"],
      rows.map(([what, seen, wrong]) => [what, seen, Object.values(wrong).flat().length || "nothing"])
    )
    return Object.fromEntries(
      rows.flatMap(([what, , wrong]) => Object.entries(wrong).map(([promise, all]) => [`${what}, ${promise}`, all]))
    )
  }
}

const starts = async (): Promise<Part> => {
  const { first_ms, firstFromNpm_ms, second_ms } = await runStarts()
  return [
    ["first start, programs from npm", `${seconds(firstFromNpm_ms)}, with the demonstration`, {}],
    ["first start, programs installed", `${seconds(first_ms)}, with the demonstration`, {}],
    ["second start", seconds(second_ms), {}]
  ]
}

const killed = async (kills: number, seed: number, progress: Progress): Promise<Part> => {
  const { attempts, down_ms, charged, wrong } = await runKills({ kills, seed, progress })
  const kinds = Object.entries(down_ms).map(([kind, all_ms]) => {
    const sorted_ms = all_ms.toSorted((a, b) => a - b)
    const median_ms = sorted_ms[Math.floor(sorted_ms.length / 2)] ?? 0
    const seen = `${seconds(median_ms)} unavailable, at most ${seconds(sorted_ms.at(-1) ?? 0)}`
    return [`kill -9 of ${kind}, ${sorted_ms.length} times`, seen, {}] as const
  })
  return [...kinds, ["all kills", `${charged} charges answered, ${attempts} requests`, wrong]]
}

const upgraded = async (seed: number, progress: Progress): Promise<Part> => {
  const { started_ms, versions, wrong } = await runMinorUpgrade(seed, progress)
  return [[`${versions.join(" to ")}, both killed before`, `${seconds(started_ms)} to the first charge`, wrong]]
}

const filled = async (seed: number, progress: Progress): Promise<Part> => {
  const { recovered_ms, refused, reported, searched, startError, wrong } = await runFullDisk(seed, progress)
  progress(`the service wrote: ${reported}\na start wrote: ${startError}`)
  const searches = searched ? "searches answered" : "searches failed"
  return [["a full disk", `${refused} answers of 503, ${searches}; ${seconds(recovered_ms)} after space`, wrong]]
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
