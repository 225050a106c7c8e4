/** The primary of three PostgreSQL nodes is lost under load. */
import { type Drill, printTable } from "../kit/Drill.ts"
import { missingForFailover } from "./missingForFailover.ts"
import { runFailovers } from "./runFailovers.ts"

const options = { failovers: 5, clients: 20 }

export const drill: Drill<typeof options> = {
  options,
  missing: missingForFailover,
  run: async (settings, progress) => {
    const { charged, outages, rows, searches, wrong } = await runFailovers({ ...settings, progress })
    const kinds = [...new Set(outages.map(({ kind }) => kind)), "all"]
    printTable(
      ["Event", "Times", "Paid calls out, median", "Longest"],
      kinds.map((kind) => {
        const own = outages.filter((outage) => kind === "all" || outage.kind === kind)
        const sorted_ms = own.map(({ outage_ms }) => outage_ms).sort((a, b) => a - b)
        const median_ms = sorted_ms[Math.floor((sorted_ms.length - 1) / 2)] ?? 0
        return [kind, own.length, seconds(median_ms), seconds(sorted_ms.at(-1) ?? 0)]
      })
    )
    const countOf = (promises: ReadonlyArray<string>) =>
      Object.entries(wrong)
        .filter(([promise]) => promises.includes(promise))
        .flatMap(([, found]) => found).length
    process.stdout.write("\n")
    printTable(
      ["", "Count"],
      [
        ["charges acknowledged", charged],
        ["charges in the ledger", rows],
        ["charges lost", countOf(lost)],
        ["charges doubled", countOf(doubled)],
        ["searches without a key", searches.free],
        ["searches with a key", searches.keyed],
        ["searches failed", searches.failed.length],
        ["slowest search", seconds(searches.slowest_ms)]
      ]
    )
    return { ...wrong, "a search that failed": searches.failed }
  }
}

const lost = ["an answer without its row", "an Idempotency-Key that was answered and not paid"]
const doubled = ["a request with several rows", "an Idempotency-Key that was paid twice", "a row without its request"]

const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
