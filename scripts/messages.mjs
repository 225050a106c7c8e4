// What the scripts say while they work. It goes to standard error: standard output belongs to the command.
import { writeSync } from "node:fs"

/** @param {string} line */
export const say = (line) => {
  try {
    writeSync(2, `${line}\n`)
  } catch {
    // Standard error is closed or full: the work is worth more than the word about it.
  }
}

/** @param {number} since a `performance.now()` */
export const secondsSince = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/**
 * A failure that the reader can do something about: its message is all they see, without a stack.
 */
export class SetUpError extends Error {}
