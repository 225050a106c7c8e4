// How "npm test" runs its checks, and counts and times what it ran.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { beforeEach, expect, it, vi } from "vitest"
import { byFolder, countTests, printDurations, runChecks, summarize } from "../scripts/checks.mjs"
import { twoAtOnce } from "../scripts/child.mjs"
import DurationsReporter, { durationsVariable } from "../scripts/durations.mjs"

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

it("every check runs, also after one that fails, whose output is printed before its line", async () => {
  const outcome = await runChecks([
    {
      name: "bad",
      commands: [
        ["--eval", "console.log('the reason'); process.exitCode = 3"],
        ["--eval", ""]
      ]
    },
    { name: "silent", commands: [["--eval", "process.exitCode = 4"]] },
    { name: "good", commands: [["--eval", ""]] }
  ])
  expect(outcome).toMatchObject({ passed: 1, failed: 2 })
  expect(outcome.durations.map(({ part }) => part)).toEqual(["bad", "silent", "good"])
  for (const { time_ms } of outcome.durations) expect(time_ms).toBeGreaterThan(0)
  expect(lines.indexOf("the reason")).toBeLessThan(lines.findIndex((line) => line.startsWith("FAILED  bad ")))
  expect(lines).toContain("silent ended with exit code 4.")
  expect(lines.filter((line) => line.startsWith("ok      good "))).toHaveLength(1)
  expect(lines).toHaveLength(5)
})

it("two items are worked on at a time, and all of them", async () => {
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

it("the time of a test file has its imports and hooks in it", () => {
  const folder = mkdtempSync(join(tmpdir(), "durations-"))
  try {
    const file = join(folder, "durations.json")
    vi.stubEnv(durationsVariable, file)
    const diagnostic = () => ({
      collectDuration: 1,
      duration: 20,
      environmentSetupDuration: 300,
      prepareDuration: 4_000,
      setupDuration: 50_000,
      concurrencyId: 1,
      workerId: 1,
      heap: undefined,
      importDurations: {}
    })
    new DurationsReporter().onTestRunEnd([{ moduleId: "/a.test.ts", diagnostic }])
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ "/a.test.ts": 54_321 })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

it("the times of test files are summed by package or folder, the longest first", () => {
  const times = {
    "test/a.test.ts": 1,
    "packages/a/test/A.test.ts": 2,
    "packages/b/test/B.test.ts": 3,
    "test/b/c.test.ts": 5
  }
  expect(
    byFolder(Object.fromEntries(Object.entries(times).map(([file, time_ms]) => [resolve(file), time_ms])))
  ).toEqual([
    { part: "tests of test", time_ms: 6 },
    { part: "tests of packages/b", time_ms: 3 },
    { part: "tests of packages/a", time_ms: 2 }
  ])
})

it("the seconds of every part are printed, and of all", () => {
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
