import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatVersion, parseVersion } from "../../src/directory/DirectoryVersion.ts"
import { unescaped, vectorRows } from "../Vectors.ts"

describe("the text of a version", () => {
  it("is the one in vectors/versions.csv", () => {
    const [, ...rows] = vectorRows("versions.csv")
    expect(rows.length).toBeGreaterThan(10)
    for (const [edition = "", changes, text = ""] of rows) {
      const version = { edition: unescaped(edition), changes: Number(changes) }
      expect(formatVersion(version)).toBe(text)
      expect(parseVersion(text)).toEqual(version)
    }
  })

  it("is printable ASCII without spaces and can be parsed, for any edition of up to 64 characters", () => {
    const edition = fc.string({ unit: "grapheme", maxLength: 64 }).filter((text) => text.length <= 64)
    fc.assert(
      fc.property(edition, fc.nat({ max: 999_999_999 }), (edition, changes) => {
        const text = formatVersion({ edition, changes })
        expect(text).toMatch(/^[\x21-\x7e]{1,800}$/)
        expect(parseVersion(text)).toEqual({ edition, changes })
      }),
      { seed: 20_260_131, numRuns: 1_000 }
    )
  })

  it("has the first 64 characters of a longer edition", () => {
    expect(formatVersion({ edition: "a".repeat(1_000_000), changes: 5 })).toBe(`${"a".repeat(64)}+5`)
  })

  it("is refused if it is empty, malformed, or has an invalid number", () => {
    const refused = [
      "",
      "2026-1+",
      "2026-1+x",
      "2026-1+01",
      "2026-1+-1",
      "2026-1+1.5",
      "2026-1+1+2",
      "%",
      "%ff",
      "2026 1",
      " 2026",
      "2026-1+1000000000"
    ]
    for (const text of refused) expect(parseVersion(text), text).toBeUndefined()
  })
})
