/** Detects files that are not CSV in UTF-8. */
import type { CsvRow } from "@postcode/core/Csv"
import { CommandFailure } from "@postcode/server/process/ExitCode"
import { delimiters } from "./Delimiter.ts"

/**
 * Checks the first row for the signs of other formats.
 *
 * @param hasFlag whether the command takes `--delimiter`
 * @throws CommandFailure that names the likely format
 */
export const rejectOtherFormats = ({ delimiter, fields, text }: CsvRow, hasFlag = false): void => {
  if (text.includes("\0"))
    throw new CommandFailure(
      "it holds zero bytes: expected CSV in UTF-8, not UTF-16 or a binary file; save it as CSV UTF-8"
    )
  if (text.includes("\r")) throw new CommandFailure("its lines end with a carriage return alone: expected LF or CR LF")
  const [other] =
    Object.entries(delimiters).find(([, one]) => fields.length === 1 && one !== delimiter && text.includes(one)) ?? []
  if (other !== undefined) {
    const remedy = hasFlag ? `use --delimiter ${other}` : "expected commas"
    throw new CommandFailure(`its fields seem to be separated by ${other}s: ${remedy}`)
  }
}
