import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"

/**
 * Holds what may be shown of a thousand keys, and prints how many whole keys its memory holds. The keys are all the same,
 * made of numbers that no search takes for their text.
 */
const program = `
  import { text } from "node:stream/consumers"
  import { getHeapSnapshot } from "node:v8"
  import { composeKey, visiblePrefix } from "@postcode/gateway/keys/ApiKey"

  const random = Array.from({ length: 32 }, (_, i) => 65 + (i * 7) % 26)
  const sent = () => Buffer.from(composeKey("secret", "test", String.fromCharCode(...random))).toString()
  globalThis.held = Array.from({ length: 1000 }, () => visiblePrefix(sent()))
  const memory = await text(getHeapSnapshot())
  console.log(held[999], memory.split(sent()).length - 1)
`

describe("visiblePrefix", () => {
  it("does not keep the whole key in memory", () => {
    const flags = ["--conditions=@postcode/source", "--input-type=module", "--eval", program]
    const said = execFileSync(process.execPath, flags, { cwd: import.meta.dirname, encoding: "utf8" })
    expect(said).toBe("svc_test_AHOV 0\n")
  })
})
