// A reporter for vitest: sends to the process that started vitest what the checks count, name and time.
import { root } from "./workspace.mjs"

/** @typedef {Pick<import("vitest/node").TestCase, "fullName" | "result">} Test */
/** @typedef {Pick<import("vitest/node").TestModule, "moduleId" | "diagnostic" | "state"> & { children: { allTests: () => Iterable<Test> } }} Module */
/**
 * `failed` and `skipped` have a line for each test. `durations_ms` has the time of the test files of each package, or of
 * each other folder, with imports and hooks.
 *
 * @typedef {{ passed: number, failed: ReadonlyArray<string>, skipped: ReadonlyArray<string>, durations_ms: Readonly<Record<string, number>> }} TestSummary
 */

export default class {
  /** @param {ReadonlyArray<Module>} modules */
  onTestRunEnd(modules) {
    return new Promise((resolve) => {
      if (process.send) process.send(summaryOf(modules), resolve)
      else resolve(null)
    })
  }
}

/**
 * A file that fails without a failed test in it (it could not be loaded) counts as one failure.
 *
 * @param {ReadonlyArray<Module>} modules
 * @returns {TestSummary}
 */
export const summaryOf = (modules) => {
  /** @type {Record<string, number>} */
  const durations_ms = {}
  const summary = { passed: 0, failed: /** @type {Array<string>} */ ([]), skipped: /** @type {Array<string>} */ ([]) }
  for (const module of modules) {
    const file = module.moduleId.slice(root.length).replaceAll("\\", "/")
    const folder = /^packages\/[^/]+|^[^/]+/.exec(file)?.[0] ?? file
    durations_ms[folder] = (durations_ms[folder] ?? 0) + durationOf(module)
    const failedBefore = summary.failed.length
    for (const test of module.children.allTests()) {
      const { errors, state } = test.result()
      if (state === "passed") summary.passed++
      else if (state === "failed") {
        summary.failed.push(`Failed: ${file}: ${test.fullName}: ${errors[0]?.message.split("\n")[0] ?? ""}`)
      } else summary.skipped.push(`Skipped, which counts as failed: ${test.fullName}`)
    }
    if (module.state() === "failed" && summary.failed.length === failedBefore) {
      summary.failed.push(`Failed: ${file}: the file itself`)
    }
  }
  return { ...summary, durations_ms }
}

/** @param {Module} module */
const durationOf = (module) => {
  const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } = module.diagnostic()
  return collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration
}
