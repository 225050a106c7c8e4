// The checks behind "npm test": all of them run even if one fails, each is timed, and one line at the end counts them.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, sep } from "node:path"
import { run, tool, twoAtOnce, withTools } from "./child.mjs"
import { durationsVariable } from "./durations.mjs"
import { node } from "./node.mjs"
import { root } from "./workspace.mjs"

/** @typedef {{ part: string, time_ms: number }} Duration */
/** @typedef {{ passed: number, failed: number }} Count */
/** @typedef {Count & { durations: ReadonlyArray<Duration> }} Outcome */
/** @typedef {{ name: string, commands: ReadonlyArray<ReadonlyArray<string>> }} Check */

const dependencyRules = ["style/noRestrictedImports", "suspicious/noImportCycles"]

/**
 * One process builds the declarations of each package once, and checks everything else against them. A second checker for
 * each project would check again what they share, which is most.
 *
 * @returns {Check}
 */
export const types = () => ({ name: "types", commands: [[tool("typescript", "tsc"), "-b", "--checkers", "1"]] })

/** @returns {Check} */
export const lint = () => ({
  name: "lint and format",
  commands: [[...biome("ci"), "--error-on-warnings", ...dependencyRules.map((rule) => `--skip=${rule}`), "."]]
})

/** @returns {Check} */
export const unusedCode = () => ({ name: "unused code", commands: [[tool("knip", "knip")]] })

/** @returns {Check} */
export const dependencies = () => ({
  name: "dependency rules",
  commands: [[...biome("lint"), ...dependencyRules.map((rule) => `--only=${rule}`), "."]]
})

/**
 * Runs the commands of all checks, two at a time, and prints a line for each check when its last command has ended, below
 * the output of those that failed. The time of a check is the sum of its commands.
 *
 * @param {ReadonlyArray<Check>} checks
 * @returns {Promise<Outcome>}
 */
export const runChecks = async (checks) => {
  const running = checks.map(({ commands, name }) => ({ name, left: commands.length, ok: true, time_ms: 0 }))
  const commands = checks.flatMap((check, index) => check.commands.map((command) => ({ command, index })))
  await twoAtOnce(commands, async ({ command, index }) => {
    const check = /** @type {typeof running[number]} */ (running[index])
    const since = performance.now()
    const { code, output } = await run(node(), command, { env: plainInFiles() })
    check.time_ms += performance.now() - since
    if (code !== 0) console.log(output.trimEnd() || `${check.name} ended with exit code ${code}.`)
    check.ok &&= code === 0
    check.left--
    if (check.left === 0) report(check.name, check.ok, check.time_ms)
  })
  const failed = running.filter(({ ok }) => !ok).length
  const durations = running.map(({ name, time_ms }) => ({ part: name, time_ms }))
  return { passed: checks.length - failed, failed, durations }
}

/** Long tests run with "npm run test:all" alone, and when a filter names them. */
export const withoutLongTests = "--exclude=**/*.long.test.ts"

/**
 * Runs the tests, with their own output, and counts them. Without filters a skipped test counts as a failed one: a test
 * that does not run tells nothing. Filters skip tests on purpose.
 *
 * @param {ReadonlyArray<string>} options
 * @param {ReadonlyArray<string>} filters
 * @returns {Promise<Outcome>}
 */
export const runTests = async (options, filters) => {
  const folder = mkdtempSync(join(tmpdir(), "tests-"))
  const [results, durations] = [join(folder, "results.json"), join(folder, "durations.json")]
  const since = performance.now()
  try {
    const reporters = ["default", "json", join(root, "scripts", "durations.mjs")].map((name) => `--reporter=${name}`)
    const command = [tool("vitest", "vitest"), "run", ...reporters, `--outputFile.json=${results}`]
    const env = { ...plainInFiles(), [durationsVariable]: durations }
    const { code } = await run(node(), [...command, ...options, ...filters], { env, show: true })
    const count = countTests(readJson(results)?.testResults ?? [], filters.length === 0)
    const nothingRan = count.passed === 0 && count.failed === 0
    const failed = count.failed === 0 && (code !== 0 || nothingRan) ? 1 : count.failed
    const time_ms = performance.now() - since
    report("tests", failed === 0, time_ms)
    const parts = byFolder(readJson(durations) ?? {})
    return { passed: count.passed, failed, durations: [...parts, { part: "tests, from start to end", time_ms }] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The time of the test files of each package, or of each other folder. Two files run at a time, so the sum is up to
 * twice the time from start to end.
 *
 * @param {Readonly<Record<string, number>>} durations_ms by the path of a test file
 * @returns {ReadonlyArray<Duration>}
 */
export const byFolder = (durations_ms) => {
  /** @type {Map<string, number>} */
  const sums = new Map()
  for (const [file, time_ms] of Object.entries(durations_ms)) {
    const [first = "", second = ""] = relative(root, file).split(sep)
    const folder = first === "packages" ? `${first}/${second}` : first
    sums.set(folder, (sums.get(folder) ?? 0) + time_ms)
  }
  return [...sums]
    .sort(([, one], [, other]) => other - one)
    .map(([part, time_ms]) => ({ part: `tests of ${part}`, time_ms }))
}

/**
 * Prints the seconds of each part, and of all.
 *
 * @param {ReadonlyArray<Outcome>} outcomes
 * @param {number} total_ms after the set-up
 */
export const printDurations = (outcomes, total_ms) => {
  const all = [...outcomes.flatMap(({ durations }) => durations), { part: "all, after set-up", time_ms: total_ms }]
  const width = Math.max(...all.map(({ part }) => part.length))
  console.log(`\n${"part".padEnd(width)}  seconds`)
  for (const { part, time_ms } of all) console.log(`${part.padEnd(width)}  ${(time_ms / 1000).toFixed(1).padStart(7)}`)
  console.log("")
}

/**
 * The last line of a run, in the one form that a script can rely on.
 *
 * @param {ReadonlyArray<Count>} counts
 */
export const summarize = (counts) => {
  const sum = (/** @type {keyof Count} */ key) => counts.reduce((total, count) => total + count[key], 0)
  console.log(`${sum("passed")} passed, ${sum("failed")} failed`)
  return sum("failed") === 0 ? 0 : 1
}

/**
 * @param {string} name
 * @param {boolean} ok
 * @param {number} time_ms
 */
export const report = (name, ok, time_ms) =>
  console.log(`${ok ? "ok    " : "FAILED"}  ${name.padEnd(18)}  ${(time_ms / 1000).toFixed(1)} s`)

/** @typedef {{ status: string, fullName: string, failureMessages?: ReadonlyArray<string> }} TestResult */
/** @typedef {{ name: string, status: string, assertionResults: ReadonlyArray<TestResult> }} FileResult */

/**
 * A file that fails without a failed test in it (it could not be loaded) counts as one failure. What failed is named once
 * more, in a line each: the end of a long output may be all that is kept of it.
 *
 * @param {ReadonlyArray<FileResult>} files
 * @param {boolean} skippedFail
 * @returns {Count}
 */
export const countTests = (files, skippedFail) => {
  const tests = files.flatMap(({ assertionResults, name }) => assertionResults.map((test) => ({ ...test, file: name })))
  const passed = tests.filter(({ status }) => status === "passed").length
  const failures = tests.filter(({ status }) => status === "failed")
  for (const { failureMessages = [], file, fullName } of failures) {
    console.log(`Failed: ${relative(process.cwd(), file)}: ${fullName}: ${failureMessages[0]?.split("\n")[0] ?? ""}`)
  }
  const skipped = skippedFail ? tests.filter(({ status }) => status !== "passed" && status !== "failed") : []
  for (const { fullName } of skipped) console.log(`Skipped, which counts as failed: ${fullName}`)
  const unloaded = files.filter(
    (file) => file.status === "failed" && !file.assertionResults.some(({ status }) => status === "failed")
  )
  for (const { name } of unloaded) console.log(`Failed: ${relative(process.cwd(), name)}: the file itself`)
  return { passed, failed: failures.length + skipped.length + unloaded.length }
}

/** Colours are for terminals, not for files and pipes, whatever each tool does by itself. */
const isPlain = () => !process.stdout.isTTY && process.env.FORCE_COLOR === undefined

const plainInFiles = () => ({ ...withTools(), ...(isPlain() ? { NO_COLOR: "1" } : {}) })

/**
 * Biome takes no hint from its environment.
 *
 * @param {string} command
 */
const biome = (command) => [tool("@biomejs/biome", "biome"), command, `--colors=${isPlain() ? "off" : "force"}`]

/**
 * Nothing for a file that vitest did not come to write.
 *
 * @param {string} file
 */
const readJson = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8"))
  } catch {
    return undefined
  }
}
