/** A full disk under a data folder; only root can make a disk to be filled. */
import { expect, it } from "vitest"
import { runFullDisk } from "./runFullDisk.ts"
import { canMount } from "./SmallDisk.ts"

it.skipIf(!canMount)(
  "a full disk is reported, loses nothing, and is over once there is space again",
  async () => {
    const report = await runFullDisk(1, () => {})
    expect(Object.entries(report.wrong).filter(([, found]) => found.length > 0)).toEqual([])
    expect(report.refused).toBeGreaterThan(0)
    expect(report.searched).toBe(true)
    expect(report.reported).toMatch(/^no space is left for .*, so PostgreSQL cannot run: free some/)
    expect(report.startError).toMatch(/^error: no space is left for .*, so PostgreSQL cannot run: free some/)
  },
  600_000
)
