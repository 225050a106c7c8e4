import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"
import { addressBench } from "../address.ts"
import type { Figure } from "../Bench.ts"

/** Every step on a small demonstration, without a database. */
const small = {
  nodeFlags: ["--conditions=@postcode/source"],
  texts: 60,
  peerTexts: 60,
  rounds: 2,
  postgresFolders: [fileURLToPath(import.meta.url)]
}

describe("bench address", () => {
  it("yields every figure with those of its peers, and draws the calibration", async () => {
    const folder = await mkdtemp(join(tmpdir(), "postcode-bench-test-"))
    try {
      const picture = join(folder, "calibration.svg")
      const figures: Array<Figure> = []
      const said: Array<string> = []
      const options = { units: 20_000, picture, progress: (message: string) => void said.push(message) }
      for await (const figure of addressBench(small)(options)) figures.push(figure)
      const measured = (end: string): number => figures.find(({ figure }) => figure.endsWith(end))?.value ?? Number.NaN

      expect(measured("right, of 37 states")).toBe(100)
      expect(measured("a text, median")).toBeGreaterThan(0)
      expect(measured("memory beside the directory")).toBeGreaterThan(0)
      expect(figures.filter(({ peer_value }) => peer_value !== null).map(({ peer }) => peer)).toEqual(
        expect.arrayContaining([
          "to reach",
          expect.stringMatching(/^MiniSearch \d/),
          expect.stringMatching(/^FlexSearch \d/)
        ])
      )
      expect(said.join("\n")).toContain("PostgreSQL is missing")
      const svg = await readFile(picture, "utf8")
      expect(svg).toMatch(/^<svg .*>high<.*% of \d+<.*<\/svg>\n$/s)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
