/** The demonstration, made wrong in 18 ways; `npm run drill -- messy` takes more rows, or another directory. */
import { demoPlacesCsv, demoUnitsCsv } from "@postcode/demo"
import { expect, it } from "vitest"
import { runMessy } from "./runMessy.ts"

it("a look at a directory finds 95 % of what is wrong in each way, and reports 0.5 % of a clean one", () => {
  const units = [...demoUnitsCsv({ units: 20_000 })].map(({ text }) => text).join("")
  const report = runMessy({ places: demoPlacesCsv(), units, each: 20, seed: 1 })
  expect(Object.entries(report.wrong).filter(([, found]) => found.length > 0)).toEqual([])
  expect(Object.keys(report.ways).length).toBeGreaterThanOrEqual(15)
  for (const [way, { wrong }] of Object.entries(report.ways)) expect(wrong, way).toBeGreaterThanOrEqual(5)
})
