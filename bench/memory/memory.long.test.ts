import { describe, expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { memoryBench } from "../memory.ts"

/** The shortest run, with few of everything. */
const small = {
  nodeFlags: ["--conditions=@postcode/source"],
  minutes: 0.01,
  addresses: 2_000,
  organizations: 2,
  keysEach: 3,
  slice_s: 0.2,
  capacity_s: 0.3
}

describe("bench memory", () => {
  it("yields every figure, and accepts only correct responses", async () => {
    const figures: Array<Figure> = []
    for await (const figure of memoryBench(small)({ units: 1_000, progress: () => {} })) figures.push(figure)
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
})
