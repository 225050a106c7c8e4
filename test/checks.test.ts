// How "npm test" counts what it ran.
import { expect, it, vi } from "vitest"
import { countTests, summarize } from "../scripts/checks.mjs"

const file = (status: string, ...tests: ReadonlyArray<string>) => ({
  status,
  assertionResults: tests.map((one, index) => ({ status: one, fullName: `test ${index}` }))
})

it("passed and failed tests are counted over all files", () => {
  const files = [file("passed", "passed", "passed"), file("failed", "passed", "failed", "failed")]
  expect(countTests(files, true)).toEqual({ passed: 3, failed: 2 })
})

it("a file that cannot be loaded is one failure", () => {
  expect(countTests([file("failed"), file("passed", "passed")], true)).toEqual({ passed: 1, failed: 1 })
})

it("a file whose tests pass but which fails besides is one failure", () => {
  expect(countTests([file("failed", "passed")], true)).toEqual({ passed: 1, failed: 1 })
})

it.for(["pending", "skipped", "todo", "disabled"])(
  "a test that is %s counts as failed in a full run only",
  (status) => {
    const said = vi.spyOn(console, "log").mockImplementation(() => {})
    const files = [file("passed", "passed", status)]
    expect(countTests(files, true)).toEqual({ passed: 1, failed: 1 })
    expect(said.mock.calls).toEqual([["Skipped, which counts as failed: test 1"]])
    expect(countTests(files, false)).toEqual({ passed: 1, failed: 0 })
  }
)

it("the summary is one plain line, and the exit code says whether anything failed", () => {
  const said = vi.spyOn(console, "log").mockImplementation(() => {})
  expect(
    summarize([
      { passed: 4, failed: 0 },
      { passed: 120, failed: 0 }
    ])
  ).toBe(0)
  expect(
    summarize([
      { passed: 4, failed: 1 },
      { passed: 118, failed: 2 }
    ])
  ).toBe(1)
  expect(said.mock.calls).toEqual([["124 passed, 0 failed"], ["122 passed, 3 failed"]])
})
