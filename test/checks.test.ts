// How "npm test" counts what it ran.
import { resolve } from "node:path"
import { beforeEach, expect, it, vi } from "vitest"
import { countTests, summarize } from "../scripts/checks.mjs"

const file = (status: string, ...tests: ReadonlyArray<string>) => ({
  name: resolve("packages/a/test/A.test.ts"),
  status,
  assertionResults: tests.map((one, index) => ({
    status: one,
    fullName: `test ${index}`,
    failureMessages: one === "failed" ? ["expected 1\n  at line 2"] : []
  }))
})

let lines: Array<string> = []
beforeEach(() => {
  lines = []
  vi.spyOn(console, "log").mockImplementation((line) => lines.push(line))
})

it("passed and failed tests are counted over all files", () => {
  const files = [file("passed", "passed", "passed"), file("failed", "passed", "failed", "failed")]
  expect(countTests(files, true)).toEqual({ passed: 3, failed: 2 })
})

it("what failed is named in a line each", () => {
  countTests([file("failed", "passed", "failed"), file("failed")], true)
  expect(lines).toEqual([
    "Failed: packages/a/test/A.test.ts: test 1: expected 1",
    "Failed: packages/a/test/A.test.ts: the file itself"
  ])
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
    const files = [file("passed", "passed", status)]
    expect(countTests(files, true)).toEqual({ passed: 1, failed: 1 })
    expect(lines).toEqual(["Skipped, which counts as failed: test 1"])
    expect(countTests(files, false)).toEqual({ passed: 1, failed: 0 })
  }
)

it("the summary is one plain line, and the exit code says whether anything failed", () => {
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
  expect(lines).toEqual(["124 passed, 0 failed", "122 passed, 3 failed"])
})
