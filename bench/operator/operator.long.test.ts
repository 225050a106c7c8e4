import { expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { operatorBench } from "../operator.ts"

it("bench operator yields the first, the slowest hundredth and the slowest call", { timeout: 300_000 }, async () => {
  const figures: Array<Figure> = []
  const bench = operatorBench({ calls: 3 })({ units: undefined, organizations: 10_000, progress: () => {} })
  for await (const figure of bench) figures.push(figure)
  expect(figures.map(({ figure }) => figure)).toEqual([...new Set(figures.map(({ figure }) => figure))])
  expect(figures.length % 3).toBe(0)
  expect(figures.map(({ figure }) => figure)).toContain("search for the name of one, first call")
  for (const { value } of figures) expect(value).toBeGreaterThan(0)
})
