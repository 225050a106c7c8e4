import { describe, expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { httpBench } from "../http.ts"

/** One short round. */
const small = {
  nodeFlags: ["--conditions=@postcode/source"],
  connections: 4,
  rounds: 1,
  warm_up_rounds: 0,
  requests: 20,
  customers: 2,
  sessions: 3
}

describe("bench http", () => {
  it("yields every figure beside raw node:http", async () => {
    const figures: Array<Figure> = []
    for await (const figure of httpBench(small)({ units: 1_000, progress: () => {} })) figures.push(figure)
    const inMemory = [
      "lookup, level 1",
      "lookup, level 2",
      "autocomplete",
      "reverse",
      "reverse, with names",
      "nearby",
      "assemble",
      "widget session",
      "autocomplete, without a key",
      "autocomplete, publishable key",
      "bookmarks, remembered token",
      "bookmarks, other token",
      "organization, management key"
    ]
    const times = (name: string) => [`${name}: half are answered within`, `${name}: 99 % are answered within`]
    expect(figures.map(({ figure }) => figure)).toEqual([
      ...inMemory.flatMap((name) => [`${name}: processor time`, ...times(name)]),
      "lookup, level 2, on PostgreSQL: processor time",
      "lookup, level 2, on PostgreSQL: processor time of the database",
      ...times("lookup, level 2, on PostgreSQL"),
      "peak memory, in memory",
      "peak memory, on PostgreSQL"
    ])
    for (const { value } of figures) expect(value).toBeGreaterThan(0)
    for (const { peer, peer_value } of figures) if (peer !== null) expect(peer_value).toBeGreaterThan(0)
  })
})
