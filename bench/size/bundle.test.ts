import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { bundle } from "./bundle.ts"

describe("@postcode/core/Postcode in a web page", () => {
  it("imports nothing, and is weighed gzipped, with everything in it", async () => {
    const { code, gzip_bytes } = await bundle('export * from "@postcode/core/Postcode"')
    expect(gzip_bytes).toBe(gzipSync(code, { level: 9 }).length)
    expect(code).not.toMatch(/\bimport\b|\brequire\b/)
    expect(code).toMatch(/\bas parsePartial\b/)
  })

  it("is less where only isValid is used, as the rest can be shaken off", async () => {
    const { code } = await bundle('export { isValid } from "@postcode/core/Postcode"')
    expect(code).not.toContain("district")
  })
})
