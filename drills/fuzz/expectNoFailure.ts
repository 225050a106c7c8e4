/** One run of the fuzzer for a test. */
import { expect } from "vitest"
import { runFuzz } from "./runFuzz.ts"
import type { Store } from "./Service.ts"

/** Every answer keeps the conventions and its schema, and no secret is logged. */
export const expectNoFailure = async (store: Store, requests: number): Promise<void> => {
  const report = await runFuzz({ store, requests, seed: 20_260_131, units: 2_000, isTimed: false, progress: () => {} })
  expect(report.failures).toEqual([])
  // It says something only if much got past the door, on much of the interface: a sixth of the operations wants a token from a mail.
  const { bodies = {}, bytes = {}, changed = {}, valid = {} } = report.answers
  expect(valid["200"]).toBeGreaterThan(requests / 16)
  expect(report.succeeded[0]).toBeGreaterThan(45)
  for (const statuses of [changed, bodies, bytes]) expect(statuses["400"]).toBeGreaterThan(requests / 100)
}
