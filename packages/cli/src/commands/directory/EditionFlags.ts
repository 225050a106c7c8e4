/** Flags of commands that build an edition from CSV files. */
import { booleanFlag, optionalFlag, optionalText } from "../../Parameters.ts"
import { day } from "../Days.ts"

/** Whether to skip bad rows. */
export const skipBadRows = booleanFlag(
  "skip-bad-rows",
  "Leave bad rows out and take the others; a file that is not UTF-8 stays refused"
)

/** The name of the edition. */
export const dataVersion = optionalText(
  "data-version",
  "TEXT",
  "Which edition of the data this is; default: a hash of the files"
)

/** The date of the edition. */
export const dataDate = optionalFlag("data-date", {
  read: day,
  metavar: "DATE",
  description: "The day of that edition, such as 2026-01-31; default: that of the newer file"
})
