// The checks behind "npm test": each by itself, all of them even if one fails, and one count at the end.
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { run, tool, withTools } from "./child.mjs"
import { secondsSince } from "./messages.mjs"
import { node } from "./node.mjs"

/** @typedef {{ passed: number, failed: number }} Count */
/** @typedef {{ name: string, commands: ReadonlyArray<ReadonlyArray<string>> }} Check */

const dependencyRules = ["style/noRestrictedImports", "suspicious/noImportCycles"]

/** @returns {Check} */
export const types = () => ({
  name: "types",
  commands: [
    [tool("typescript", "tsc"), "-b"],
    [tool("typescript", "tsc"), "-p", "tsconfig.tests.json"],
    [tool("typescript", "tsc"), "-p", "bench/console/react"],
    [tool("typescript", "tsc"), "-p", "packages/widget/test"],
    [tool("typescript", "tsc"), "-p", "packages/console/test"],
    [tool("typescript", "tsc"), "-p", "packages/cli/src/demonstration/page"],
    [tool("typescript", "tsc"), "-p", "examples/offline-search"],
    [tool("typescript", "tsc"), "-p", "examples/widget-react"],
    [tool("typescript", "tsc"), "-p", "site"]
  ]
})

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
 * Runs checks one after the other and prints a line for each, below what it had to say if it failed.
 *
 * @param {ReadonlyArray<Check>} checks
 * @returns {Promise<Count>}
 */
export const runChecks = async (checks) => {
  let failed = 0
  for (const { name, commands } of checks) {
    const since = performance.now()
    const ended = []
    for (const command of commands) ended.push(await run(node(), command, { env: plainInFiles() }))
    const bad = ended.filter(({ code }) => code !== 0)
    for (const { code, output } of bad) console.log(output.trimEnd() || `${name} ended with exit code ${code}.`)
    report(name, bad.length === 0, secondsSince(since))
    if (bad.length > 0) failed++
  }
  return { passed: checks.length - failed, failed }
}

/** Long tests run with "npm run test:all" alone, and when a filter names them. */
export const withoutLongTests = "--exclude=**/*.long.test.ts"

/**
 * Runs the tests, with their own output, and counts them. Without filters a skipped test counts as a failed one: a test
 * that does not run tells nothing. Filters skip tests on purpose.
 *
 * @param {ReadonlyArray<string>} options
 * @param {ReadonlyArray<string>} filters
 * @returns {Promise<Count>}
 */
export const runTests = async (options, filters) => {
  const folder = mkdtempSync(join(tmpdir(), "tests-"))
  const file = join(folder, "results.json")
  const since = performance.now()
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${file}`]
    const command = [tool("vitest", "vitest"), "run", ...reporters, ...options, ...filters]
    const { code } = await run(node(), command, { env: plainInFiles(), show: true })
    const count = countTests(readResults(file), filters.length === 0)
    const nothingRan = count.passed === 0 && count.failed === 0
    const failed = count.failed === 0 && (code !== 0 || nothingRan) ? 1 : count.failed
    report("tests", failed === 0, secondsSince(since))
    return { passed: count.passed, failed }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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
 * @param {string} time
 */
export const report = (name, ok, time) => console.log(`${ok ? "ok    " : "FAILED"}  ${name.padEnd(18)}  ${time}`)

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
 * @param {string} file
 * @returns {ReadonlyArray<FileResult>}
 */
const readResults = (file) => {
  try {
    return JSON.parse(readFileSync(file, "utf8")).testResults
  } catch {
    return []
  }
}
