// How "npm test" runs its checks, and counts and times what it ran.
import { resolve } from "node:path"
import { beforeEach, expect, it, vi } from "vitest"
import { countTests, printDurations, runTool, summarize } from "../../scripts/checks.mjs"
import { run, twoAtOnce } from "../../scripts/child.mjs"
import Reporter, { summaryOf } from "../../scripts/reporter.mjs"

const module = (name: string, status: "passed" | "failed", ...tests: ReadonlyArray<string>) =>
  ({
    moduleId: resolve(name),
    state: () => status,
    diagnostic: () => ({
      collectDuration: 1,
      duration: 20,
      environmentSetupDuration: 300,
      prepareDuration: 4_000,
      setupDuration: 50_000
    }),
    children: {
      allTests: () =>
        tests.map((state, index) => ({
          fullName: `test ${index}`,
          result: () => ({ state, errors: [{ message: "expected 1\n  at line 2" }] })
        }))
    }
  }) as unknown as Parameters<typeof summaryOf>[0][number]

const file = (status: "passed" | "failed", ...tests: ReadonlyArray<string>) =>
  module("packages/a/test/A.test.ts", status, ...tests)

const count = (files: Parameters<typeof summaryOf>[0], skippedFail: boolean, code = 0) => {
  const { failed, passed } = countTests(summaryOf(files), { code, skippedFail })
  return { passed, failed }
}

let lines: Array<string> = []
beforeEach(() => {
  lines = []
  vi.spyOn(console, "log").mockImplementation((line) => lines.push(line))
})

it("passed and failed tests are counted over all files", () => {
  const files = [file("passed", "passed", "passed"), file("failed", "passed", "failed", "failed")]
  expect(count(files, true)).toEqual({ passed: 3, failed: 2 })
})

it("each failed test is named on one line", () => {
  count([file("failed", "passed", "failed"), file("failed")], true)
  expect(lines).toEqual([
    "Failed: packages/a/test/A.test.ts: test 1: expected 1",
    "Failed: packages/a/test/A.test.ts: the file itself"
  ])
})

it("a file that cannot be loaded is one failure", () => {
  expect(count([file("failed"), file("passed", "passed")], true)).toEqual({ passed: 1, failed: 1 })
})

it("a file that fails although its tests pass is one failure", () => {
  expect(count([file("failed", "passed")], true)).toEqual({ passed: 1, failed: 1 })
})

it.for(["pending", "skipped"])("a test that is %s counts as failed in a full run only", (status) => {
  const files = [file("passed", "passed", status)]
  expect(count(files, true)).toEqual({ passed: 1, failed: 1 })
  expect(lines).toEqual(["Skipped, which counts as failed: test 1"])
  expect(count(files, false)).toEqual({ passed: 1, failed: 0 })
})

it("a run that fails without a failed test, or has no test, is one failure", () => {
  expect(count([file("passed", "passed")], true, 1)).toEqual({ passed: 1, failed: 1 })
  expect(count([], false)).toEqual({ passed: 0, failed: 1 })
})

it("vitest's reporter sends the summary to the process that started vitest", async () => {
  const program = `
    const { default: Reporter } = await import(${JSON.stringify(resolve("scripts/reporter.mjs"))})
    await new Reporter().onTestRunEnd([])`
  const messages: Array<unknown> = []
  const onMessage = (message: unknown) => messages.push(message)
  await run(process.execPath, ["--input-type=module", "--eval", program], { onMessage })
  expect(messages).toEqual([{ passed: 0, failed: [], skipped: [], durations_ms: {} }])
  await expect(new Reporter().onTestRunEnd([])).resolves.not.toThrow()
})

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

it("every check runs, also after one that fails, whose output is printed before its line", async () => {
  const outcomes = await Promise.all([
    runTool("bad", "--eval", "console.log('the reason'); process.exitCode = 3"),
    runTool("silent", "--eval", "process.exitCode = 4"),
    runTool("good", "--eval", "")
  ])
  expect(outcomes).toMatchObject([{ failed: 1 }, { failed: 1 }, { passed: 1, failed: 0 }])
  expect(outcomes.flatMap(({ durations }) => durations.map(({ part }) => part))).toEqual(["bad", "silent", "good"])
  for (const { durations } of outcomes) expect(durations[0]?.time_ms).toBeGreaterThan(0)
  expect(lines.indexOf("the reason")).toBeLessThan(lines.findIndex((line) => line.startsWith("FAILED  bad ")))
  expect(lines).toContain("silent ended with exit code 4.")
  expect(lines.filter((line) => line.startsWith("ok      good "))).toHaveLength(1)
  expect(lines).toHaveLength(5)
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

it("the time of a test file includes its imports and hooks", () => {
  expect(summaryOf([module("test/a.test.ts", "passed", "passed")]).durations_ms).toEqual({ test: 54_321 })
})

it("the times of test files are summed by package or folder, the longest first", () => {
  const names = ["test/a.test.ts", "packages/a/test/A.test.ts", "packages/b/test/B.test.ts", "test/b/c.test.ts"]
  const summary = summaryOf(names.map((name) => module(name, "passed", "passed")))
  expect(summary.durations_ms).toEqual({ test: 2 * 54_321, "packages/a": 54_321, "packages/b": 54_321 })
  const durations_ms = { "packages/a": 2, "packages/b": 3, test: 6 }
  expect(countTests({ ...summary, durations_ms }, { code: 0, skippedFail: true }).durations).toEqual([
    { part: "tests of test", time_ms: 6 },
    { part: "tests of packages/b", time_ms: 3 },
    { part: "tests of packages/a", time_ms: 2 }
  ])
})

it("the seconds of every part and of all are printed", () => {
  const outcome = (part: string, time_ms: number) => ({ passed: 1, failed: 0, durations: [{ part, time_ms }] })
  printDurations([outcome("build", 12_345), outcome("types", 100_040)], 112_400)
  expect(lines).toEqual([
    "\npart               seconds",
    "build                 12.3",
    "types                100.0",
    "all, after set-up    112.4",
    ""
  ])
})
