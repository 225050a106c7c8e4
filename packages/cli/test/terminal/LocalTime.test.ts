import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { localTime } from "../../src/terminal/LocalTime.ts"

/** The time in another zone, which a process takes from its environment. */
const inZone = (zone: string, text: string): string => {
  const program = `import { localTime } from ${JSON.stringify(new URL("../../src/terminal/LocalTime.ts", import.meta.url).href)}
process.stdout.write(localTime(${JSON.stringify(text)}))`
  return execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    env: { TZ: zone },
    encoding: "utf8"
  })
}

describe("localTime", () => {
  it("is the time of the zone with its offset", () => {
    expect(inZone("Africa/Lagos", "2026-01-31T23:30:05.120Z")).toBe("2026-02-01 00:30:05 +01:00")
    expect(inZone("America/St_Johns", "2026-01-31T23:30:05Z")).toBe("2026-01-31 20:00:05 -03:30")
    expect(inZone("UTC", "2026-01-31T23:30:05Z")).toBe("2026-01-31 23:30:05 +00:00")
  })

  it("leaves every other text as it is", () => {
    for (const text of ["2026-01-31", "demo-250000-1", "", "2026-01-31T23:30:05+01:00"]) {
      expect(localTime(text)).toBe(text)
    }
  })
})
