import { Effect } from "effect"
import { afterEach, describe, expect, it, vi } from "vitest"
import { layerServiceLog } from "../../src/log/ServiceLog.ts"

afterEach(() => {
  vi.restoreAllMocks()
})

/** What an effect logs: the lines on standard error, and all that goes elsewhere. */
const logged = (effect: Effect.Effect<void>) => {
  const stderr: Array<string> = []
  const elsewhere: Array<unknown> = []
  vi.spyOn(process.stderr, "write").mockImplementation((chunk) => stderr.push(String(chunk)) > 0)
  vi.spyOn(process.stdout, "write").mockImplementation((chunk) => elsewhere.push(chunk) > 0)
  vi.spyOn(console, "log").mockImplementation((...all) => elsewhere.push(all))
  vi.spyOn(console, "error").mockImplementation((...all) => elsewhere.push(all))
  Effect.runSync(Effect.provide(effect, layerServiceLog))
  vi.restoreAllMocks()
  return { lines: stderr.map((line) => JSON.parse(line)), text: stderr.join(""), elsewhere }
}

const failing = (error: Error, request_id: string): Effect.Effect<void> =>
  Effect.catchCause(Effect.die(error), (cause) => Effect.logError(`request ${request_id} failed`, cause))

describe("the log of the service", () => {
  it("is one JSON line on standard error, also for a cause of many lines", () => {
    const { elsewhere, lines, text } = logged(failing(new Error("one\ntwo"), "a-1"))
    expect(elsewhere).toEqual([])
    expect(text).toMatch(/^[^\n]+\n$/)
    expect(lines).toEqual([
      {
        at: expect.any(String),
        level: "error",
        message: "request a-1 failed",
        cause: expect.stringContaining("one\ntwo")
      }
    ])
  })

  it("has no cause where there is none, and puts the parts of a message together", () => {
    const { lines } = logged(Effect.logWarning("units", 3))
    expect(lines).toEqual([{ at: expect.any(String), level: "warn", message: "units 3" }])
  })

  it("holds no key, neither in a request id nor in a cause", () => {
    const random = "0123456789abcdefghijklmnopqrstuvwxyzAB"
    for (const key of [`svc_test_${random}`, `svc_live_${random}`, `svc_pk_${random}`, `svc_mk_${random}`]) {
      const { text } = logged(failing(new Error(`a "${key}"\n${key}`), key))
      expect(text).not.toContain(random)
      expect(text).toContain("svc_")
    }
  })
})
