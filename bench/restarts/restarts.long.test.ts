import { describe, expect, it } from "vitest"
import type { Figure } from "../Bench.ts"
import { restartsBench } from "../restarts.ts"

const small = {
  nodeFlags: ["--conditions=@postcode/source"],
  restarts: 2,
  clients: 4,
  pause_ms: 10,
  settle_s: 0.3,
  nginx: false
}

describe("bench restarts", () => {
  it("replaces both replicas without a failed request, and every lookup is paid once", {
    timeout: 300_000
  }, async () => {
    const figures: Array<Figure> = []
    for await (const figure of restartsBench(small)({ units: 1_000, progress: () => {} })) figures.push(figure)
    const values = Object.fromEntries(figures.map(({ figure, value }) => [figure, value]))
    expect(values).toMatchObject({
      "requests that failed": 0,
      "charged twice": 0,
      "charged without an answer": 0,
      "answered without a charge": 0,
      "exit codes other than 0": 0
    })
    expect(values["lookups answered and paid"]).toBeGreaterThan(0)
  })
})
