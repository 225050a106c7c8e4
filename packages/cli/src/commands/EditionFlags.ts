/** Flags of commands that make an edition of CSV files. */
import { Result } from "effect"
import { optionalFlag, type Reader, switchFlag, text } from "../Parameters.ts"

/** A day that there is. */
const day: Reader<string> = (given) => {
  const time = /^\d{4}-\d\d-\d\d$/.test(given) ? Date.parse(given) : Number.NaN
  // A day that a month does not have is read as one of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(given)
    ? Result.succeed(given)
    : Result.fail("a day such as 2026-01-31")
}

export const skipBadRows = switchFlag(
  "skip-bad-rows",
  "Leave bad rows out and take the others; a file that is not UTF-8 stays refused"
)

export const dataVersion = optionalFlag("data-version", {
  read: text,
  metavar: "TEXT",
  description: "Which edition of the data this is; a hash of the files unless told"
})

export const dataDate = optionalFlag("data-date", {
  read: day,
  metavar: "DATE",
  description: "The day of that edition, such as 2026-01-31; that of the newer file unless told"
})
