/** `postcode enrich` of 5,000 rows while it and the service are killed; `npm run drill -- kills` takes more of each. */
import { expect, it } from "vitest"
import { runEnrichKills } from "./runEnrichKills.ts"

it("each row is charged once and written once, in order, while the command and the service are killed", async () => {
  const report = await runEnrichKills({ rows: 5_000, kills: 5, serviceKills: 2, seed: 1, progress: () => {} })
  expect(Object.entries(report.wrong).filter(([, found]) => found.length > 0)).toEqual([])
  expect(report).toMatchObject({ rows: 5_000, serviceKills: 2, ledgerEntries: 50, creditsCharged: 5_000 })
  // On a quick machine, the command may end before it is killed for the last time.
  expect(report.kills).toBeGreaterThanOrEqual(4)
}, 600_000)
