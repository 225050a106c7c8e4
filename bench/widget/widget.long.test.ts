import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { sizeLimits_bytes } from "../size/SizeLimits.ts"
import { widgetBench } from "../widget.ts"

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "peer-"))
  const filler = Array.from({ length: 5_000 }, (_, i) => `exports.a${i} = ${Math.sin(i)}`).join("\n")
  await mkdir(join(folder, "slow-field"))
  await writeFile(
    join(folder, "slow-field", "package.json"),
    '{"name":"slow-field","version":"1.0.0","main":"main.js"}'
  )
  await writeFile(join(folder, "slow-field", "main.js"), filler)
})
afterAll(() => rm(folder, { recursive: true }))

/** A package that renders its field 200 ms after its script has loaded. */
const slowField = () => ({
  package: "slow-field",
  version: `file:${join(folder, "slow-field")}`,
  script: `
    import "slow-field"
    setTimeout(() => document.getElementById("field").append(document.createElement("input")), 200)`
})

const missing = () => ({ ...slowField(), package: "no-field", version: `file:${join(folder, "nowhere")}` })

describe("bench widget", () => {
  it("yields every figure beside its peer, and says which peer is missing", async () => {
    const figures: Array<Figure> = []
    const said: Array<string> = []
    const bench = widgetBench({ peers: [slowField(), missing()], rounds: 1 })
    for await (const figure of bench({ units: undefined, progress: (message) => said.push(message) })) {
      figures.push(figure)
    }
    const [size = "", use = ""] = ["what a page loads at once, gzipped", "from the script to a field that takes typing"]
    const language = (code: string) => `the language ${code} on demand, gzipped`
    const order = [size, size, ...["en", "fr", "ha", "ig", "yo"].map(language), use, use]
    expect(figures.map(({ figure }) => figure).sort()).toEqual(order.sort())
    const [loads, loadsBesideNothing] = figures.filter(({ figure }) => figure === size)
    expect(loads?.value).toBeLessThanOrEqual(sizeLimits_bytes.picker)
    expect(loads?.peer_value).toBeGreaterThan(30_000)
    const [typed, typedBesideNothing] = figures.filter(({ figure }) => figure === use)
    expect(typed?.value).toBeGreaterThan(0)
    expect(typed?.peer_value).toBeGreaterThanOrEqual(200)
    for (const figure of [loadsBesideNothing, typedBesideNothing]) {
      expect(figure).toMatchObject({ peer: expect.stringContaining("no-field"), peer_value: null, ratio: null })
    }
    expect(said.join("\n")).toContain("no-field file:")
    expect(said.join("\n")).toContain(": missing: ")
  })
})
