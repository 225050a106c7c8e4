/** Ten kills of a service on a data folder and of its PostgreSQL; `npm run drill -- durability` has more. */
import { expect, it } from "vitest"
import { runKills } from "./runKills.ts"

it("no charge is lost or doubled while the service and its PostgreSQL are killed", async () => {
  const report = await runKills({ kills: 10, seed: 1, progress: () => {} })
  expect(Object.entries(report.wrong).filter(([, found]) => found.length > 0)).toEqual([])
  expect(report.charged).toBeGreaterThan(200)
  expect(Object.values(report.down_ms).map(({ length }) => length)).toEqual([4, 2, 2, 2])
}, 600_000)
