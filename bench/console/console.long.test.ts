import { describe, expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { consoleBench, knownWays } from "../console.ts"
import { sizeLimits_bytes } from "../size/SizeLimits.ts"

describe("bench console", () => {
  it("yields the size of every file, and both screens beside React's", async () => {
    const figures: Array<Figure> = []
    const bench = consoleBench({ rounds: 1, ways: knownWays.slice(0, 1) })
    for await (const figure of bench({ units: undefined, progress: () => {} })) figures.push(figure)
    const whole = figures.findIndex(({ figure }) => figure === "up to the first screen, gzipped")
    const files = figures.slice(0, whole)
    expect(files.map(({ figure }) => figure)).toEqual(
      expect.arrayContaining(["the page, gzipped", "index.js, gzipped", "index.css, gzipped", "icon.svg, gzipped"])
    )
    expect(figures[whole]).toMatchObject({ peer: "the limit", peer_value: sizeLimits_bytes.console })
    const opened = files.filter(({ figure }) => /^(keys|usage|directory)/.test(figure))
    const most = files.reduce((sum, { value }) => sum + value, 0) - opened.reduce((sum, { value }) => sum + value, 0)
    expect(figures[whole]?.value).toBeGreaterThan(files.find(({ figure }) => figure.startsWith("kit.js"))?.value ?? 0)
    expect(figures[whole]?.value).toBeLessThanOrEqual(most)
    const loads = figures.slice(whole + 1)
    expect(loads.map(({ figure }) => figure)).toEqual(
      ["keys", "usage"].flatMap((screen) => measures.map((measure) => `${screen}: ${measure}`))
    )
    for (const { peer, peer_value, value } of loads) {
      expect(peer).toMatch(/^React \d+\.\d+\.\d+$/)
      expect(value).toBeGreaterThan(0)
      expect(peer_value).toBeGreaterThan(0)
    }
    const scripts = (screen: string) => loads.find(({ figure }) => figure === `${screen}: scripts over the wire`)
    const sizeOf = (ending: string) =>
      files.filter(({ figure }) => figure.includes(ending)).reduce((sum, { value }) => sum + value, 0)
    for (const screen of ["keys", "usage"]) {
      expect(scripts(screen)?.value).toBeLessThanOrEqual(sizeOf(".js"))
      expect(scripts(screen)?.ratio).toBeGreaterThan(1)
    }
  })
})

const measures = [
  "first paint",
  "complete",
  "scripts at work until then",
  "main thread at work until then",
  "scripts over the wire",
  "style sheets over the wire"
]
