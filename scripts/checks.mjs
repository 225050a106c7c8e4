// The checks behind "npm test": all of them run even if one fails, each is timed, and one line at the end counts them.
import { join } from "node:path"
import { writeReference } from "./build.mjs"
import { run, tool, withTools } from "./child.mjs"
import { node } from "./node.mjs"
import { root } from "./workspace.mjs"

/** @typedef {{ part: string, time_ms: number }} Duration */
/** @typedef {{ passed: number, failed: number }} Count */
/** @typedef {Count & { durations: ReadonlyArray<Duration> }} Outcome */

/**
 * One process builds the declarations of each package once, and checks everything else against them. A second checker for
 * each project would check again what they share, which is most.
 */
export const types = () => runTool("types", tool("typescript", "tsc"), "-b", "--checkers", "1")

/** The dependency rules are rules of lint. Biome takes no hint about colours from its environment. */
export const lint = () => {
  const colors = `--colors=${isPlain() ? "off" : "force"}`
  return runTool("lint and format", tool("@biomejs/biome", "biome"), "ci", colors, "--error-on-warnings", ".")
}

export const unusedCode = () =>
  runTool("unused code", tool("knip", "knip"), "--config", join(root, "config", "knip.json"))

/**
 * The words and the length of sentences in documents, by `config/textlint.json`. `docs/reference` and the
 * reference of the packages are generated from code, so this also checks comments of public exports, the command's help
 * and the guide to errors.
 */
export const words = async () => {
  await writeReference()
  const files = documents.map((path) => join(root, path))
  return runTool(
    "words",
    tool("textlint", "textlint"),
    "--config",
    join(root, "config", "textlint.json"),
    "--format",
    "compact",
    ...files
  )
}

const documents = [
  "README.md",
  "CONTRIBUTING.md",
  ".github/SECURITY.md",
  "test/README.md",
  "bench/README.md",
  "drills/README.md",
  "vectors/README.md",
  "site/*.md",
  "site/generated/**/*.md",
  "docs/**/*.md",
  "packages/*/README.md",
  "examples/**/README.md",
  ".changeset/*.md"
]

/**
 * Runs a check, and prints a line for it when it ends, below what is wrong.
 *
 * @param {string} name
 * @param {() => Promise<string | undefined>} work answers what is wrong
 * @returns {Promise<Outcome>}
 */
export const check = async (name, work) => {
  const since = performance.now()
  const fault = await work()
  const time_ms = performance.now() - since
  if (fault !== undefined) console.log(fault)
  report(name, fault === undefined, time_ms)
  const [passed, failed] = fault === undefined ? [1, 0] : [0, 1]
  return { passed, failed, durations: [{ part: name, time_ms }] }
}

/**
 * A check that is a program for Node.
 *
 * @param {string} name
 * @param {...string} command
 */
export const runTool = (name, ...command) =>
  check(name, async () => {
    const { code, output } = await run(node(), command, { env: plainInFiles() })
    return code === 0 ? undefined : output.trimEnd() || `${name} ended with exit code ${code}.`
  })

/** Long tests run with "npm run test:all" alone, and when a filter names them. */
export const withoutLongTests = "--exclude=**/*.long.test.ts"

/**
 * Runs the tests, with their own output, and counts them. Without filters a skipped test counts as a failed one: a test
 * that does not run tells nothing. Filters skip tests on purpose. What failed is named once more, in a line each: the end
 * of a long output may be all that is kept of it.
 *
 * @param {ReadonlyArray<string>} options
 * @param {ReadonlyArray<string>} filters
 * @param {Readonly<Record<string, string>>} [env]
 * @returns {Promise<Outcome>}
 */
export const runTests = async (options, filters, env = {}) => {
  const since = performance.now()
  /** @type {import("./reporter.mjs").TestSummary} */
  let summary = { passed: 0, failed: [], skipped: [], durations_ms: {} }
  const reporters = ["default", join(root, "scripts", "reporter.mjs")].map((name) => `--reporter=${name}`)
  const { code } = await run(node(), [tool("vitest", "vitest"), "run", ...reporters, ...options, ...filters], {
    env: { ...plainInFiles(), ...env },
    onMessage: (message) => {
      summary = message
    }
  })
  const time_ms = performance.now() - since
  const outcome = countTests(summary, { code, skippedFail: filters.length === 0 })
  report("tests", outcome.failed === 0, time_ms)
  return { ...outcome, durations: [...outcome.durations, { part: "tests, from start to end", time_ms }] }
}

/**
 * Two test files run at a time, so the sum of the durations is up to twice the time from start to end.
 *
 * @param {import("./reporter.mjs").TestSummary} summary
 * @param {{ code: number, skippedFail: boolean }} run vitest's exit code; a run without a test is a failure, too
 * @returns {Outcome}
 */
export const countTests = ({ durations_ms, failed, passed, skipped }, { code, skippedFail }) => {
  const lines = skippedFail ? [...failed, ...skipped] : failed
  for (const line of lines) console.log(line)
  const longestFirst = Object.entries(durations_ms).sort(([, one], [, other]) => other - one)
  return {
    passed,
    failed: lines.length === 0 && (code !== 0 || passed === 0) ? 1 : lines.length,
    durations: longestFirst.map(([folder, time_ms]) => ({ part: `tests of ${folder}`, time_ms }))
  }
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
const report = (name, ok, time_ms) =>
  console.log(`${ok ? "ok    " : "FAILED"}  ${name.padEnd(18)}  ${(time_ms / 1000).toFixed(1)} s`)

/** Colours are for terminals, not for files and pipes, whatever each tool does by itself. */
const isPlain = () => !process.stdout.isTTY && process.env.FORCE_COLOR === undefined

const plainInFiles = () => ({ ...withTools(), ...(isPlain() ? { NO_COLOR: "1" } : {}) })
