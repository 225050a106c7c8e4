// How "npm test" runs its checks, and counts and times what it ran.
import { join } from "node:path"
import { beforeEach, expect, it, vi } from "vitest"
import { twoAtOnce } from "../../scripts/child.mjs"
import { check, countTests, summarize } from "../../scripts/test.mjs"
import { root } from "../../scripts/workspace.mjs"

/** A file as vitest's JSON reporter writes it. */
const file = (status: "passed" | "failed", tests: ReadonlyArray<string> = [], time_ms = 0) => ({
  name: join(root, "packages", "a", "A.test.ts"),
  status,
  startTime: 1_000,
  endTime: 1_000 + time_ms,
  assertionResults: tests.map((status, index) => ({
    fullName: `test ${index}`,
    status,
    failureMessages: status === "failed" ? ["expected 1\n  at line 2"] : []
  }))
})

let lines: ReadonlyArray<string> = []
const count = (files: Parameters<typeof countTests>[0], everyTest: boolean, code = 0) => {
  const { failed, passed, ...more } = countTests(files, code, everyTest)
  lines = more.lines
  return { passed, failed }
}

let printed: Array<string> = []
beforeEach(() => {
  printed = []
  vi.spyOn(console, "log").mockImplementation((line) => printed.push(line))
})

it("passed and failed tests are counted over all files", () => {
  const files = [file("passed", ["passed", "passed"]), file("failed", ["passed", "failed", "failed"])]
  expect(count(files, true, 1)).toEqual({ passed: 3, failed: 2 })
})

it("each failed test is named on one line", () => {
  count([file("failed", ["passed", "failed"]), file("failed")], true, 1)
  expect(lines).toEqual([
    "failed: packages/a/A.test.ts: test 1: expected 1",
    "failed: packages/a/A.test.ts: the file itself"
  ])
})

it("a test that passes at the second try is named, and counts as passed", () => {
  const late = { fullName: "test 1", status: "passed", failureMessages: ["expected 2\n  at line 3"] }
  const { assertionResults, ...rest } = file("passed", ["passed"])
  expect(count([{ ...rest, assertionResults: [...assertionResults, late] }], true)).toEqual({ passed: 2, failed: 0 })
  expect(lines).toEqual(["passed at the second try: packages/a/A.test.ts: test 1: expected 2"])
})

it("a file that cannot be loaded, or fails although its tests pass, is one failure", () => {
  expect(count([file("failed"), file("passed", ["passed"])], true, 1)).toEqual({ passed: 1, failed: 1 })
  expect(count([file("failed", ["passed"])], true, 1)).toEqual({ passed: 1, failed: 1 })
})

it.for(["pending", "skipped", "todo"])("a test that is %s counts as failed in a full run only", (status) => {
  const files = [file("passed", ["passed", status])]
  expect(count(files, true)).toEqual({ passed: 1, failed: 1 })
  expect(lines).toEqual([`${status}: packages/a/A.test.ts: test 1: `])
  expect(count(files, false)).toEqual({ passed: 1, failed: 0 })
})

it("a run that fails without a failed test, or has no test, is one failure", () => {
  expect(count([file("passed", ["passed"])], true, 1)).toEqual({ passed: 1, failed: 1 })
  expect(count([], false)).toEqual({ passed: 0, failed: 1 })
})

it("the slowest files are named, the longest first", () => {
  const { durations } = countTests([file("passed", ["passed"], 20), file("passed", ["passed"], 300)], 0, true)
  expect(durations).toEqual([
    ["packages/a/A.test.ts", 300],
    ["packages/a/A.test.ts", 20]
  ])
})

it("the summary ends with one plain line, and the exit code says whether anything failed", () => {
  const outcome = (passed: number, failed: number, lines: ReadonlyArray<string> = []) => ({
    ...{ passed, failed, lines },
    durations: [["types", 12_340]] as const
  })
  expect(summarize([outcome(4, 0), outcome(120, 0)])).toBe(0)
  expect(printed.slice(1)).toEqual(["   12.3  types", "   12.3  types", "\n124 passed, 0 failed"])
  printed = []
  expect(summarize([outcome(4, 1, ["failed: lint"]), outcome(118, 2)])).toBe(1)
  expect([printed[0], printed.at(-1)]).toEqual(["failed: lint", "\n122 passed, 3 failed"])
})

it("a check that fails is told at its end, and its faults in the summary", async () => {
  const lines = ["failed: bad:\nthe reason"]
  expect(await check("bad", async () => "the reason")).toMatchObject({ passed: 0, failed: 1, lines })
  expect(await check("good", async () => undefined)).toMatchObject({ passed: 1, failed: 0, lines: [] })
  expect(printed).toEqual([expect.stringMatching(/^FAILED {2}bad /), expect.stringMatching(/^ok {6}good /)])
})

it("all items are processed, two at a time", async () => {
  const done: Array<number> = []
  const inWork = new Set<number>()
  let most = 0
  await twoAtOnce([5, 1, 4, 2, 3], async (item) => {
    inWork.add(item)
    most = Math.max(most, inWork.size)
    for (let turn = 0; turn < item; turn++) await Promise.resolve()
    inWork.delete(item)
    done.push(item)
  })
  expect({ done: done.sort(), most }).toEqual({ done: [1, 2, 3, 4, 5], most: 2 })
})
