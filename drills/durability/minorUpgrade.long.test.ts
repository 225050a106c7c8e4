/** The data of an older minor version of PostgreSQL, whose programs come from npm. */
import { expect, it } from "vitest"
import { olderVersion, runMinorUpgrade } from "./runMinorUpgrade.ts"

it("data of an older minor version is served with the present programs, and nothing is lost", async () => {
  const { charged, programs, versions, wrong } = await runMinorUpgrade(1, () => {})
  expect(Object.entries(wrong).filter(([, found]) => found.length > 0)).toEqual([])
  expect(versions).toEqual(["18.3", "18.4"])
  expect(programs).toHaveLength(1)
  expect(programs).not.toContain(olderVersion)
  expect(charged).toBeGreaterThan(200)
}, 600_000)
