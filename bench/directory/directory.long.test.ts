import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { directoryBench } from "../directory.ts"

/** Every step with a small directory, without a database. */
const small = {
  nodeFlags: ["--conditions=@postcode/source"],
  rounds: 2,
  points: 400,
  changes_s: 0.2,
  postgresFolders: [fileURLToPath(import.meta.url)],
  installsPeers: false
}

describe("bench directory", () => {
  it("yields every figure beside its peer, and says which peer is missing and why", async () => {
    const figures = new Map<string, Figure>()
    const said: Array<string> = []
    const bench = directoryBench(small)({ units: 20_000, progress: (message) => said.push(message) })
    for await (const figure of bench) figures.set(`${figure.figure} | ${figure.peer}`, figure)

    for (const { bench, value } of figures.values()) {
      expect(bench).toBe("directory")
      expect(value).toBeGreaterThanOrEqual(0)
    }
    const measured = [...figures.values()].filter(({ peer, peer_value }) => peer !== null && peer_value !== null)
    expect(measured.map(({ figure }) => figure)).toEqual(
      expect.arrayContaining([
        "nearest within 25 m",
        "nearest within 25 m, nothing near, up to 1 km off",
        "nearest within 25 m, nothing near, anywhere",
        "nearest 10 within 300 m",
        "nearest 100 within 300 m",
        "allocated by nearest within 25 m",
        "membership from a string, canonical",
        "membership from a string, any format",
        "completion of states",
        "completion of units",
        "snapshot, all sections but names",
        "opening a snapshot, checksums included",
        "building from CSV, eleven columns",
        "nearest within 25 m, at 5,000 changes/s"
      ])
    )
    for (const call of ["completion of lgas", "completion of names", "nearest within 25 m"]) {
      for (const time of ["the first call", "99 % within", "the slowest of 400"]) {
        expect(figures.get(`${call}: ${time} | null`)).toMatchObject({ unit: "µs", ratio: null })
      }
    }
    const equal = [...figures.values()].find(({ figure }) => figure === "searches that equal brute force")
    expect(equal).toMatchObject({ value: 400, peer_value: 400, ratio: 1 })
    expect(figures.get("nearest within 25 m | PostGIS")).toMatchObject({ peer_value: null, ratio: null })
    expect(said.join("\n")).toContain("csv-parse@7.0.3: missing: not installed")
    expect(said.join("\n")).toContain("postgis: missing: there is no PostgreSQL server here. On Debian: apt install")
  })
})
