/** A directory that lives, for about a minute; `npm run drill -- living` goes on for longer, with more units. */
import { expect, it } from "vitest"
import { runLiving } from "./runLiving.ts"

it("changes are visible everywhere, whole and once, through kills and a wrong import that is reverted", async () => {
  const report = await runLiving({
    ...{ units: 20_000, seconds: 10, rate: 200, replicas: 2, workers: 2, kills: 7, searches: 40 },
    ...{ large: true, revert: true, enough: 1_000, seed: 3, progress: () => {} }
  })
  expect(Object.entries(report.wrong).filter(([, found]) => found.length > 0)).toEqual([])
  expect(report.measured.changing.failed).toEqual({})
  expect(report.measured.quiet.failed).toEqual({})
  // It says something only if much changed and was shown, and everything was killed.
  expect(report.changes).toBeGreaterThan(1_000)
  expect(report.refused).toBeGreaterThan(0)
  expect(report.observed).toBeGreaterThan(1_000)
  expect(report.faults).toEqual({ replica: 2, backend: 1, postmaster: 1, poster: 2, everything: 1 })
  // Replicas show the wrong edition and the right one again, and nothing between.
  const [before, , after] = report.revert?.versions[0]?.split(", ") ?? []
  expect(report.revert?.versions).toEqual([`${before}, demo-20000-4, ${after}`])
  expect(after).toBe(before)
  expect(report.revert?.searches.failed).toEqual({})
}, 900_000)
