import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { bundle } from "./bundle.ts"

describe("@postcode/core/Postcode in a web page", () => {
  it("weighs at most 2,048 bytes gzipped with everything in it, and imports nothing", async () => {
    const { code, gzip_bytes } = await bundle('export * from "@postcode/core/Postcode"')
    expect(gzip_bytes).toBeLessThanOrEqual(2_048)
    expect(gzip_bytes).toBe(gzipSync(code, { level: 9 }).length)
    expect(code).not.toMatch(/\bimport\b|\brequire\b/)
    expect(code).toMatch(/\bas parsePartial\b/)
  })

  it("weighs a third of that where only isValid is used, as the rest can be shaken off", async () => {
    const { code, gzip_bytes } = await bundle('export { isValid } from "@postcode/core/Postcode"')
    expect(gzip_bytes).toBeLessThanOrEqual(683)
    expect(code).not.toContain("district")
  })
})
