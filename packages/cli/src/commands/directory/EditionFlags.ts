/** Flags of commands that build an edition from CSV files. */
import { booleanFlag, optionalFlag, optionalText } from "../../Parameters.ts"
import { day } from "../Days.ts"

/** Whether to skip bad rows. */
export const skipBadRows = booleanFlag(
  "skip-bad-rows",
  "Skip bad rows instead of refusing the file; a file that is not UTF-8 is always refused"
)

/** The name of the edition. */
export const dataVersion = optionalText("data-version", "TEXT", "The name of the edition; default: a hash of the files")

/** The date of the edition. */
export const dataDate = optionalFlag("data-date", {
  read: day,
  metavar: "DATE",
  description: "The date of the edition, such as 2026-01-31; default: that of the newer file"
})
