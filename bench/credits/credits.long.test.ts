import { describe, expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { creditsBench } from "../credits.ts"

/** One short round. */
const small = { nodeFlags: ["--conditions=@postcode/source"], connections: 16, rounds: 1, round_s: 0.5 }

const figuresOf = async (pgbench: string | undefined) => {
  const figures: Array<Figure> = []
  const said: Array<string> = []
  const bench = creditsBench({ ...small, pgbench })({ units: undefined, progress: (message) => said.push(message) })
  for await (const figure of bench) figures.push(figure)
  return { figures, said }
}

describe("bench credits", () => {
  it("yields every figure beside its peer, and says that pgbench is missing", async () => {
    const { figures, said } = await figuresOf(undefined)
    expect(figures.map(({ bench, figure, unit }) => [bench, figure, unit])).toEqual([
      ["credits", "debits of one account, 16 connections", "requests/s"],
      ["credits", "of these, 99 % are answered within", "ms"],
      ["credits", "debits in one commit", "debits"],
      ["credits", "debits of one account, beside the database alone", "debits/s"]
    ])
    for (const { value } of figures) expect(value).toBeGreaterThan(0)
    const [rate, p99, batch, alone] = figures
    for (const { peer_value } of [rate, p99] as ReadonlyArray<Figure>) expect(peer_value).toBeGreaterThan(0)
    expect(batch).toMatchObject({ peer: "a statement a request", peer_value: 1 })
    expect(batch?.value).toBeGreaterThan(1)
    expect(alone).toMatchObject({ peer: "pgbench, as many in one commit", peer_value: null, ratio: null })
    expect(said.join("\n")).toContain("pgbench: missing. On Debian: apt install")
  })
})
