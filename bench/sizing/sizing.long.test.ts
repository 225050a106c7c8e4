import { expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { sizingBench } from "../sizing.ts"

it("bench sizing yields files, memory, times and disk", { timeout: 300_000 }, async () => {
  const figures: Array<Figure> = []
  const bench = sizingBench({ nodeFlags: ["--conditions=@postcode/source"], charging_s: 2 })
  for await (const figure of bench({ units: 2_000, progress: () => {} })) figures.push(figure)
  expect(figures.filter(({ value }) => !(value > 0))).toEqual([])
  expect(figures.map(({ figure }) => figure)).toEqual([...new Set(figures.map(({ figure }) => figure))])
  expect(figures.map(({ figure }) => figure)).toContain("database, for each charged lookup")
})
