// A reporter for vitest: the milliseconds that each file takes, with its imports and hooks, which vitest's JSON leaves out.
import { writeFileSync } from "node:fs"

/** The variable that names the file for the durations. */
export const durationsVariable = "TEST_DURATIONS"

export default class {
  /** @param {ReadonlyArray<Pick<import("vitest/node").TestModule, "moduleId" | "diagnostic">>} modules */
  onTestRunEnd(modules) {
    const durations_ms = modules.map((module) => {
      const { collectDuration, duration, environmentSetupDuration, prepareDuration, setupDuration } =
        module.diagnostic()
      return [module.moduleId, collectDuration + duration + environmentSetupDuration + prepareDuration + setupDuration]
    })
    const file = process.env[durationsVariable]
    if (file !== undefined) writeFileSync(file, JSON.stringify(Object.fromEntries(durations_ms)))
  }
}
