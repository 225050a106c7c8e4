import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { bundle } from "./bundle.ts"

describe("@postcode/core/Postcode in a web page", () => {
  it("has no imports, and its size is that of the whole module with gzip", async () => {
    const { code, gzip_bytes } = await bundle('export * from "@postcode/core/Postcode"')
    expect(gzip_bytes).toBe(gzipSync(code, { level: 9 }).length)
    expect(code).not.toMatch(/\bimport\b|\brequire\b/)
    expect(code).toMatch(/\bas parsePartial\b/)
  })

  it("with isValid alone, contains none of the other functions", async () => {
    const { code } = await bundle('export { isValid } from "@postcode/core/Postcode"')
    expect(code).not.toContain("district")
  })
})

describe("a part of an entry of several modules in a web page", () => {
  it.for([
    ["daysLeft", "Prices", 400],
    ["csvRow", "Csv", 400],
    ["environments", "Credits", 100],
    ["formatVersion", "Directory", 300]
  ] as const)("%s of %s loads none of the rest", async ([name, entry, limit_bytes]) => {
    const { gzip_bytes } = await bundle(`export { ${name} } from "@postcode/core/${entry}"`)
    expect(gzip_bytes).toBeLessThanOrEqual(limit_bytes)
  })
})
