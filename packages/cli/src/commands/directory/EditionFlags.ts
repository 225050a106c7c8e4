/** Flags of commands that build an edition from CSV files. */
import { Result } from "effect"
import { booleanFlag, optionalFlag, type Reader, text } from "../../Parameters.ts"
import { isDay } from "../Days.ts"

const day: Reader<string> = (given) => (isDay(given) ? Result.succeed(given) : Result.fail("a day such as 2026-01-31"))

/** Whether to skip bad rows. */
export const skipBadRows = booleanFlag(
  "skip-bad-rows",
  "Leave bad rows out and take the others; a file that is not UTF-8 stays refused"
)

/** The name of the edition. */
export const dataVersion = optionalFlag("data-version", {
  read: text,
  metavar: "TEXT",
  description: "Which edition of the data this is; default: a hash of the files"
})

/** The date of the edition. */
export const dataDate = optionalFlag("data-date", {
  read: day,
  metavar: "DATE",
  description: "The day of that edition, such as 2026-01-31; default: that of the newer file"
})
