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
