import { describe, expect, it } from "vitest"
import { inFreshProcess } from "./FreshProcess.ts"

const options = {
  nodeFlags: ["--conditions=@postcode/source"],
  progress: () => {},
  signal: new AbortController().signal
}
const missing = { path: "/nowhere/units.snapshot", units: 1 }

describe("inFreshProcess", () => {
  it("fails with the name of the task and what it threw", async () => {
    await expect(inFreshProcess("openSnapshot", missing, options)).rejects.toThrow(
      /^openSnapshot: Error: ENOENT.*nowhere\/units\.snapshot/
    )
  })

  it("fails if the process ends without a word", async () => {
    const nodeFlags = ["--no-such-flag-of-node"]
    await expect(inFreshProcess("openSnapshot", missing, { ...options, nodeFlags })).rejects.toThrow(
      "openSnapshot: its process ended without a result: 9"
    )
  })

  it("ends the process and fails with the reason when the signal is given, and starts none after it", async () => {
    const controller = new AbortController()
    const units = 1_000_000
    const running = inFreshProcess(
      "buildFromRows",
      { units, path: undefined },
      { ...options, signal: controller.signal }
    )
    controller.abort(new Error("enough"))
    await expect(running).rejects.toThrow("enough")
    const later = inFreshProcess("openSnapshot", missing, { ...options, signal: controller.signal })
    await expect(later).rejects.toThrow("enough")
  })
})
