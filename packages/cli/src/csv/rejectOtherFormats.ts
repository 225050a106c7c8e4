/** Detects files that are not CSV in UTF-8. */
import { CommandFailure } from "../ExitCode.ts"

/**
 * Checks the first row for the signs of other formats.
 *
 * @throws CommandFailure that names the likely format
 */
export const rejectOtherFormats = (text: string, names: ReadonlyArray<string>): void => {
  if (text.includes("\0"))
    throw new CommandFailure("it holds zero bytes: expected CSV in UTF-8, not UTF-16 or a binary file")
  if (text.includes("\r")) throw new CommandFailure("its lines end with a carriage return alone: expected LF or CR LF")
  const [separator] = names.length === 1 ? (/[;\t|]/.exec(text) ?? []) : []
  if (separator !== undefined) {
    const name = { ";": "semicolons", "\t": "tabs", "|": "bars" }[separator]
    throw new CommandFailure(`its columns seem to be separated by ${name}: expected commas`)
  }
}
