import { describe, expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { overloadBench } from "../overload.ts"

/** One short round. */
const small = {
  nodeFlags: ["--conditions=@postcode/source"],
  connections: 20,
  slowClients: 5,
  customers: 2,
  rounds: 1,
  // On a busy machine nothing is served in a second or two.
  settle_s: 1,
  time_s: 4
}

describe("bench overload", () => {
  it("yields throughput and response times with and without load control", { timeout: 900_000 }, async () => {
    const figures: Array<Figure> = []
    for await (const figure of overloadBench(small)({ units: 1_000, progress: () => {} })) figures.push(figure)
    const named = (name: string) => figures.find(({ figure }) => figure === name)
    for (const kind of ["free requests", "paid lookups"]) {
      expect(named(`${kind} at 3 times the capacity: served, of the capacity`)?.peer).toBe("no load control")
    }
    expect(named("free requests: capacity in memory")?.value).toBeGreaterThan(0)
    expect(named("paid lookups: capacity on PostgreSQL")?.value).toBeGreaterThan(0)
    expect(new Set(figures.map(({ figure }) => figure)).size).toBe(figures.length)
  })
})
