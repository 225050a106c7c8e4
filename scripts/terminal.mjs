// What the scripts print while they work. It goes to standard error: standard output belongs to the command.
import { realpathSync, writeSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** @param {string} line */
export const say = (line) => {
  try {
    writeSync(2, `${line}\n`)
  } catch {
    // Standard error is closed or full. The work goes on without its messages.
  }
}

/** @param {number} since a `performance.now()` */
export const secondsSince = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** A failure that the reader can mend: its message is printed without a stack. */
export class SetUpError extends Error {}

/**
 * Runs a script if it is the program, not if a module imports it, and sets the exit code.
 *
 * @param {string} url `import.meta.url` of the script
 * @param {(args: ReadonlyArray<string>) => Promise<number | void>} script answers an exit code, by default 0
 */
export const runAsProgram = async (url, script) => {
  if (realpathSync(process.argv[1] ?? ".") !== fileURLToPath(url)) return
  try {
    process.exitCode = (await script(process.argv.slice(2))) ?? 0
  } catch (error) {
    say(error instanceof SetUpError ? error.message : String(error instanceof Error ? error.stack : error))
    process.exitCode = 1
  }
}
