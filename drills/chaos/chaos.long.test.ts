/** Credits under chaos for 20 s; `npm run drill -- chaos` goes on for longer. */
import { expect, it } from "vitest"
import { enoughForLong } from "./ChaosOptions.ts"
import { runChaos } from "./runChaos.ts"

it("no credit is lost, doubled or given away while replicas, backends and the postmaster are killed", async () => {
  const report = await runChaos({
    duration_ms: 20_000,
    seed: 20_260_131,
    replicas: 3,
    clients: 200,
    enough: enoughForLong,
    progress: () => {}
  })
  const wrong = Object.entries(report.wrong).filter(([, found]) => found.length > 0)
  expect(wrong, JSON.stringify(wrong).slice(0, 2_000)).toEqual([])
  // It says something only if much was asked, and everything was killed.
  expect(report.charged).toBeGreaterThan(enoughForLong.charges)
  for (const kind of ["replica", "backend", "postmaster"] as const) expect(report.faults[kind]).toBeGreaterThan(0)
  expect(report.balanceReads).toBeGreaterThan(enoughForLong.reads)
  expect(report.corrections[201]).toBeGreaterThan(enoughForLong.corrections)
  expect(report.suspensions).toBeGreaterThan(enoughForLong.suspensions)
  expect(report.answers[403]).toBeGreaterThan(0)
  expect(report.answers[429]).toBeGreaterThan(0)
}, 600_000)
