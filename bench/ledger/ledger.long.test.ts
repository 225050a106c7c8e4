import { expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { ledgerBench } from "../ledger.ts"

it("bench ledger yields every figure, on a ledger that is right", async () => {
  const figures: Array<Figure> = []
  const bench = ledgerBench({ accounts: 5, debits: 200, few: 100 })({ units: 2_000, progress: () => {} })
  for await (const figure of bench) figures.push(figure)
  expect(figures.map(({ figure, unit }) => [figure, unit])).toEqual([
    ["write-ahead log of a debit, 100 entries", "bytes"],
    ["p99 of a debit, 100 entries", "ms"],
    ["write-ahead log of a debit, 2,000 entries", "bytes"],
    ["p99 of a debit, 2,000 entries", "ms"],
    ["finding the entry of a request, 2,000 entries", "ms"],
    ["write-ahead log of a debit, 2,000 entries", "bytes"],
    ["verifying a month in the database", "entries/s"],
    ["closing, archiving and detaching a month", "entries/s"],
    ["verifying a month in the archive", "entries/s"],
    ["verifying once more and dropping", "entries/s"],
    ["an archived entry", "bytes"]
  ])
  for (const { value } of figures) expect(value).toBeGreaterThan(0)
})
