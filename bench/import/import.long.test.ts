import { describe, expect, it } from "vitest"
import { importBench } from "../import.ts"

describe("bench import", () => {
  it("yields the speed beside psql, the memory, and the leftovers of kills", async () => {
    const figures = new Map<string, number>()
    const peers = new Map<string, number | null>()
    const bench = importBench({
      nodeFlags: ["--conditions=@postcode/source"],
      rounds: 1,
      kills: 2,
      installsPeers: false
    })
    for await (const { figure, peer, peer_value, value } of bench({ units: 3_000, progress: () => {} })) {
      figures.set(figure, value)
      if (peer !== null) peers.set(peer, peer_value)
      if (peer_value !== null) figures.set(`${figure}, peer`, peer_value)
    }
    const names = [...figures.keys()]
    expect(names).toEqual(
      expect.arrayContaining([
        "importing a directory: check, index, compare, publish",
        "importing a directory, peak memory of the command",
        "kill -9 at 2 moments of an import: current editions that were not whole",
        "… searches of a replica meanwhile",
        "… that failed"
      ])
    )
    expect(figures.get("importing a directory: check, index, compare, publish")).toBeGreaterThan(0)
    expect(peers.get("papaparse 5.7.1, reading alone")).toBeGreaterThan(0)
    expect(peers.get("DuckDB 1.5.6, one thread, reading alone")).toBeNull()
    expect(figures.get("kill -9 at 2 moments of an import: current editions that were not whole")).toBe(0)
    expect(figures.get("… that failed")).toBe(0)
  })
})
