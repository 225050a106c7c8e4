/** Flags of commands that look at a new edition: what becomes of what they find. */
import { checkDirectory, implausibleLines } from "@postcode/core/Csv"
import { readDirectory } from "@postcode/server/directory/DirectoryFiles"
import { say } from "@postcode/server/process/Output"
import { counted } from "@postcode/server/process/Progress"
import { booleanFlag, oneOf, optionalFlag, optionalText } from "../../Parameters.ts"
import { type ReadingFlags, readingOf } from "./ReadingFlags.ts"

/** The flags. */
export const checkFlags = {
  report: optionalText("report", "FILE", "Write all warnings to a CSV file: line, postcode, kind and detail"),
  badRows: optionalText("bad-rows", "FILE", "Write the bad rows of units.csv to a file to mend, with line and reason"),
  strict: booleanFlag("strict", "Refuse the files if there is a warning"),
  drop: optionalFlag("drop", {
    read: oneOf(["implausible"]),
    metavar: "implausible",
    description:
      "Leave out units whose location cannot be right: at 0,0, exchanged, outside, far from their place, or in another state"
  })
}

/** The values of the flags. */
export interface CheckFlags extends ReadingFlags {
  readonly report: string | undefined
  readonly badRows: string | undefined
  readonly strict: boolean
  readonly drop: "implausible" | undefined
  readonly skipBadRows: boolean
}

/** The options of a reader. With `--drop`, the files are read once more before, to find the rows. */
export const checkedReadingOf = async (folder: string, flags: CheckFlags, signal: AbortSignal) => {
  const reading = { ...(await readingOf(flags)), checksAddresses: true }
  if (flags.drop === undefined) return reading
  const { sheet, skipBadRows } = flags
  const checked = await readDirectory(
    folder,
    { quiet_ms: 0, keepsAttributes: false, skipBadRows, reading, sheet },
    signal
  )
  const dropped = implausibleLines(checkDirectory(checked.directory, checked.facts), checked.lineOf)
  say(`--drop: ${counted(dropped.size, "unit")} ${dropped.size === 1 ? "is" : "are"} left out`)
  return { ...reading, dropsLine: (line: number) => dropped.has(line) }
}
