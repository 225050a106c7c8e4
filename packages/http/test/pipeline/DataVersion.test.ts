import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { dataHeaders } from "../../src/pipeline/DataVersion.ts"

const edition = (version: string, date = "", changes = 0) => dataHeaders({ version, date, changes })

describe("dataHeaders", () => {
  it("has version and date, and omits unknown ones", () => {
    expect(edition("2026-1", "2026-01-31")).toEqual({ "x-data-version": "2026-1", "x-data-date": "2026-01-31" })
    expect(edition("2026-1")).toEqual({ "x-data-version": "2026-1" })
    expect(edition("", "2026-01-31")).toEqual({ "x-data-date": "2026-01-31" })
    expect(edition("")).toEqual({})
  })

  it("does not encode letters, digits, dots, dashes, underscores and tildes", () => {
    for (const version of ["demo-250000-1", "sha256-0f8fad5bd9cb", "2026.1_rc-2", "v1~a"]) {
      expect(edition(version)["x-data-version"]).toBe(version)
    }
  })

  it("has the number of changes after a plus sign", () => {
    expect(edition("2026-1", "", 17)["x-data-version"]).toBe("2026-1+17")
    expect(edition("2026-1", "", 0)["x-data-version"]).toBe("2026-1")
    expect(edition("", "", 17)["x-data-version"]).toBe("+17")
    expect(edition("2026+1", "", 17)["x-data-version"]).toBe("2026%2B1+17")
  })

  it("is printable ASCII without spaces, of bounded length, for any text, and can be read back", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 64 }), fc.nat(), (text, changes) => {
        fc.pre(text.length <= 64 && (text !== "" || changes > 0))
        const shown = edition(text, text, changes)["x-data-version"] ?? ""
        expect(shown).toMatch(/^[\x21-\x7e]{1,800}$/)
        const [version = "", count = "0", ...rest] = shown.split("+")
        expect([decodeURIComponent(version), Number(count), rest]).toEqual([text, changes, []])
      }),
      { seed: 20_260_131, numRuns: 1_000 }
    )
  })

  it("encodes halves of surrogate pairs as replacement characters", () => {
    for (const half of ["\ud800", "a\udc00b", "\udc00\ud800"]) {
      expect(decodeURIComponent(edition(half)["x-data-version"] ?? "")).toBe(half.replace(/[\ud800-\udfff]/g, "\ufffd"))
    }
  })

  it("shows the first 64 characters of a version that is longer", () => {
    expect(edition("a".repeat(64))["x-data-version"]).toBe("a".repeat(64))
    expect(edition("a".repeat(1_000_000), "", 5)["x-data-version"]).toBe(`${"a".repeat(64)}+5`)
  })
})
