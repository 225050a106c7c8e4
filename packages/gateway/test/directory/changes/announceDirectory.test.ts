import { describe, expect, it } from "vitest"
import { nextAnnouncement } from "../../../src/directory/changes/announceDirectory.ts"

const noon_ms = Date.parse("2026-01-31T12:00:00.000Z")
const at = (after_s: number) => new Date(noon_ms + after_s * 1_000).toISOString()
const last = { edition: "2026-1", changes: 17, at: at(0) }
const next = (edition: string, changes: number, after_s = 3_600) =>
  nextAnnouncement(last, { edition, changes }, noon_ms + after_s * 1_000)

describe("the next announcement of the directory", () => {
  it("does not exist if nothing has changed", () => {
    expect(next("2026-1", 17)).toBeUndefined()
  })

  it("is of the changes since the last one, not before a minute has passed", () => {
    expect(next("2026-1", 20, 59)).toBeUndefined()
    expect(next("2026-1", 20, 60)).toEqual({
      version: { edition: "2026-1", changes: 20, at: at(60) },
      event: { type: "directory.changed", data: { version: "2026-1+20", changes: 3 } }
    })
  })

  it("reports another edition immediately, with its number of changes", () => {
    for (const [changes, version] of [
      [0, "2026-2"],
      [5, "2026-2+5"]
    ] as const) {
      expect(next("2026-2", changes, 1)).toEqual({
        version: { edition: "2026-2", changes, at: at(1) },
        event: { type: "directory.edition", data: { version } }
      })
    }
  })

  it("also reports an edition of the same name with fewer changes", () => {
    expect(next("2026-1", 0)?.event?.type).toBe("directory.edition")
  })

  it("is empty at first, and the first change is reported without delay", () => {
    const first = nextAnnouncement(undefined, last, noon_ms)
    expect(first?.event).toBeUndefined()
    expect(nextAnnouncement(first?.version, { edition: "2026-1", changes: 18 }, noon_ms)?.event?.type).toBe(
      "directory.changed"
    )
  })
})
