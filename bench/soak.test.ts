import { describe, expect, it } from "vitest"
import type { Figure } from "./Bench.ts"
import { clientAddress } from "./soak/clientAddress.ts"
import { trendOf } from "./soak/trend.ts"
import { soakBench } from "./soak.ts"

/** As short as it can be, with few of everything. */
const small = {
  nodeFlags: ["--conditions=@postcode/source"],
  minutes: 0.01,
  addresses: 2_000,
  organizations: 2,
  keysEach: 3,
  slice_s: 0.2,
  capacity_s: 0.3
}

describe("bench soak", () => {
  it("yields every figure, and takes nothing but right answers", async () => {
    const figures: Array<Figure> = []
    for await (const figure of soakBench(small)({ units: 1_000, progress: () => {} })) figures.push(figure)
    expect(figures.map(({ figure }) => figure)).toEqual([
      "requests, all answered rightly",
      "requests, refused with 503 and a time to wait",
      "requests, half of what it can do",
      "99 % are answered within, median of all looks",
      "heap, growth in the second half",
      "heap, growth in the second half, give or take",
      "heap at the end, garbage collected",
      "memory with what is stored alone",
      "peak memory beside it",
      "open files and connections at the end"
    ])
    for (const { value } of figures) expect(value).not.toBeNaN()
  })

  it("knows the slope of a line, and how sure it is of one through points beside it", () => {
    const line = Array.from({ length: 50 }, (_, i) => ({ at_h: i / 100, value: 7 + 3 * i }))
    expect(trendOf(line).slope).toBeCloseTo(300, 9)
    expect(trendOf(line).uncertainty).toBeCloseTo(0, 6)
    // By hand: the mean is (1, 1), Σxy = 1, Σx² = 2, the residues are 1/6, -1/3, 1/6; t for one degree is 12.71.
    const beside = trendOf([0.5, 0.5, 2].map((value, at_h) => ({ at_h, value })))
    expect(beside.slope).toBeCloseTo(0.75, 9)
    expect(beside.uncertainty).toBeCloseTo(12.71 * Math.sqrt((0.25 ** 2 + 0.5 ** 2 + 0.25 ** 2) / 2), 6)
    expect(() => trendOf([])).toThrow("three samples or more, found 0")
  })

  it("makes addresses that all differ, of both families, many of them in one /64", () => {
    const all = Array.from({ length: 40_000 }, (_, i) => clientAddress(i))
    expect(new Set(all).size).toBe(all.length)
    const networks = new Set(all.filter((one) => one.includes(":")).map((one) => one.split("::")[0]))
    expect(networks.size).toBe(2_500)
  })
})
