/** Detects rows of files whose lines end in more than one way. */
import type { CsvRow } from "@postcode/core/Csv"
import { CommandFailure } from "@postcode/server/process/ExitCode"

/**
 * Checks the first row.
 *
 * @throws CommandFailure if some lines end with a carriage return alone, and others do not
 */
export const rejectOtherFormats = ({ text }: CsvRow): void => {
  if (text.includes("\r")) {
    throw new CommandFailure("some of its lines end with a carriage return alone, and some do not: save it again")
  }
}
