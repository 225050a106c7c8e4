// npm test: builds, checks and tests everything, and counts it in one line at the end. With --all, the long tests and the
// slower checks as well. Other arguments go to vitest: only the tests that they name run.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { allPackages } from "./bundles.mjs"
import { npm, run, tool, withTools } from "./child.mjs"
import { node } from "./node.mjs"
import { setUp } from "./setUp.mjs"
import { runAsProgram, SetUpError } from "./terminal.mjs"
import { readJson, root } from "./workspace.mjs"

/**
 * What was run. The lines say what failed, or passed only at the second try: they are printed at the end.
 *
 * @typedef {{ passed: number, failed: number, lines: ReadonlyArray<string>, durations: ReadonlyArray<readonly [part: string, time_ms: number]> }} Outcome
 */

/**
 * What vitest's JSON reporter writes.
 *
 * @typedef {{ fullName: string, status: string, failureMessages: ReadonlyArray<string> }} TestResult
 * @typedef {{ name: string, status: string, startTime: number, endTime: number, assertionResults: ReadonlyArray<TestResult> }} FileResult
 */

/**
 * Runs a check, and prints a line for it when it ends.
 *
 * @param {string} name
 * @param {() => Promise<string | undefined>} work answers the faults
 * @returns {Promise<Outcome>}
 */
export const check = async (name, work) => {
  const since = performance.now()
  const fault = await work()
  const time_ms = performance.now() - since
  console.log(`${fault === undefined ? "ok    " : "FAILED"}  ${name.padEnd(10)}  ${(time_ms / 1000).toFixed(1)} s`)
  const durations = [/** @type {const} */ ([name, time_ms])]
  if (fault === undefined) return { passed: 1, failed: 0, lines: [], durations }
  return { passed: 0, failed: 1, lines: [`failed: ${name}:\n${fault}`], durations }
}

/**
 * Runs a script of package.json as a check.
 *
 * @param {string} name
 */
export const checkScript = (name) =>
  check(name, async () => {
    const { code, output } = await run(...npm("npm", ["run", "-s", name]))
    return code === 0 ? undefined : output.trimEnd() || `npm run ${name} ended with exit code ${code}.`
  })

/** @param {unknown} error */
const setUpFault = (error) => {
  if (error instanceof SetUpError) return error.message
  throw error
}

/**
 * Runs tests, with their own output.
 *
 * @param {ReadonlyArray<string>} args of vitest
 * @param {boolean} everyTest whether a skipped test counts as failed. Filters skip tests on purpose.
 * @param {Readonly<Record<string, string>>} [env]
 * @returns {Promise<Outcome>}
 */
const runTests = async (args, everyTest, env = {}) => {
  const folder = mkdtempSync(join(tmpdir(), "tests-"))
  try {
    const results = join(folder, "results.json")
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${results}`]
    const { code } = await run(node(), [tool("vitest", "vitest"), "run", ...reporters, ...args], {
      env: { ...withTools(), ...colors(), ...env },
      show: true
    })
    return countTests(readResults(results), code, everyTest)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Colors are for terminals, not for files and pipes. */
const colors = () => (process.stdout.isTTY || process.env.FORCE_COLOR !== undefined ? {} : { NO_COLOR: "1" })

/**
 * @param {string} file
 * @returns {ReadonlyArray<FileResult>}
 */
const readResults = (file) => {
  try {
    return readJson(file).testResults
  } catch {
    return []
  }
}

/**
 * Counts tests, with a line for each that failed, or passed only at the second try. A file that cannot be loaded is one
 * failure, and so is a run without a test.
 *
 * @param {ReadonlyArray<FileResult>} files
 * @param {number} code vitest's exit code
 * @param {boolean} everyTest see `runTests`
 * @returns {Outcome}
 */
export const countTests = (files, code, everyTest) => {
  const isFault = (/** @type {TestResult} */ { status }) => status !== "passed" && (everyTest || status === "failed")
  const lines = files.flatMap(({ assertionResults, name, status }) => {
    const faults = assertionResults.filter(isFault)
    const file = relative(root, name)
    if (status === "failed" && faults.length === 0) return [`failed: ${file}: the file itself`]
    return faults.map((test) => lineOf(test.status, file, test))
  })
  const unsteady = files.flatMap(({ assertionResults, name }) =>
    assertionResults
      .filter(({ failureMessages, status }) => status === "passed" && failureMessages.length > 0)
      .map((test) => lineOf("passed at the second try", relative(root, name), test))
  )
  const passed = files.flatMap((file) => file.assertionResults.filter(({ status }) => status === "passed")).length
  const failed = lines.length === 0 && (code !== 0 || passed === 0) ? 1 : lines.length
  return { passed, failed, lines: [...unsteady, ...lines], durations: slowest(files) }
}

/**
 * @param {string} state
 * @param {string} file
 * @param {TestResult} test
 */
const lineOf = (state, file, { failureMessages, fullName }) =>
  `${state}: ${file}: ${fullName}: ${failureMessages[0]?.split("\n")[0] ?? ""}`

/**
 * @param {ReadonlyArray<FileResult>} files
 * @returns {ReadonlyArray<readonly [string, number]>}
 */
const slowest = (files) =>
  files
    .map(({ endTime, name, startTime }) => /** @type {const} */ ([relative(root, name), endTime - startTime]))
    .sort(([, one], [, other]) => other - one)
    .slice(0, 10)

/**
 * Prints what failed, the seconds of each check and of the slowest test files, and the counts as the last line.
 *
 * @param {ReadonlyArray<Outcome>} outcomes
 * @returns {number} the exit code
 */
export const summarize = (outcomes) => {
  const sum = (/** @type {"passed" | "failed"} */ key) => outcomes.reduce((total, outcome) => total + outcome[key], 0)
  for (const line of outcomes.flatMap(({ lines }) => lines)) console.log(line)
  console.log("\nseconds  part, or one of the ten slowest test files")
  for (const [part, time_ms] of outcomes.flatMap(({ durations }) => durations)) {
    console.log(`${(time_ms / 1000).toFixed(1).padStart(7)}  ${part}`)
  }
  console.log(`\n${sum("passed")} passed, ${sum("failed")} failed`)
  return sum("failed") === 0 ? 0 : 1
}

/**
 * Long tests wait for processes and browsers, on a machine that may have other work: one of 15,000 that is late must not
 * cost the run. It is tried again, and named.
 */
const patient = ["--retry=1", "--testTimeout=600000", "--hookTimeout=600000", "--expect.poll.timeout=60000"]

await runAsProgram(import.meta.url, async (args) => {
  const all = args[0] === "--all"
  if (args.length > 0 && !all) {
    await setUp(allPackages())
    return summarize([await runTests(args, false)])
  }
  await setUp([])
  const since = performance.now()
  const checks = all ? ["typecheck", "lint", "unused", "words"] : ["typecheck", "lint"]
  const outcomes = [
    await check("build", () => setUp(allPackages()).then(() => undefined, setUpFault)),
    // Tests wait for a fifth of their time: the checks use it.
    ...(await Promise.all([
      ...checks.map(checkScript),
      all
        ? runTests(patient, true)
        : runTests(["--exclude=**/*.long.test.ts"], true, { POSTCODE_TEST_CASES: "quarter" })
    ]))
  ]
  const total = {
    passed: 0,
    failed: 0,
    lines: [],
    durations: [/** @type {const} */ (["all, after set-up", performance.now() - since])]
  }
  return summarize([...outcomes, total])
})
