/** Finds the postcode column of a CSV file: the given one, or one with a known name. */
import { CommandFailure, exitCodes } from "../../ExitCode.ts"
import { printable } from "../../Output.ts"

/** Known names of the postcode column, first match wins. Only letters and digits are compared. */
const usualNames = ["postcode", "postalcode", "zipcode", "zip", "postcodes", "code"]

/**
 * The index of the column.
 *
 * @param names the header
 * @param wanted a name, or a number from 1
 * @throws CommandFailure if no column or more than one matches
 */
export const columnByName = (names: ReadonlyArray<string>, wanted: string | undefined): number => {
  if (wanted === undefined) return usualColumn(names)
  const isExact = matching(names, (name) => name === wanted)
  const found = isExact.length > 0 ? isExact : matching(names, (name) => folded(name) === folded(wanted))
  if (found.length > 1) throw ambiguous(names, `${found.length} columns are called ${printable(wanted)}`)
  const place = found[0] ?? placeOf(wanted, names.length)
  if (place !== undefined) return place
  throw ambiguous(names, `there is no column ${printable(wanted)}`)
}

/**
 * The same for a file without a header.
 *
 * @param count the number of columns in the first row
 */
export const columnByNumber = (count: number, wanted: string | undefined): number => {
  if (wanted === undefined && count === 1) return 0
  const place = wanted === undefined ? undefined : placeOf(wanted, count)
  if (place !== undefined) return place
  throw new CommandFailure(
    `the first row has ${count === 1 ? "1 column" : `${count} columns`}: ` +
      `without a header, --column has to be a number from 1 to ${count}`,
    exitCodes.wrongUsage
  )
}

const usualColumn = (names: ReadonlyArray<string>): number => {
  for (const usual of usualNames) {
    const found = matching(names, (name) => name.toLowerCase().replace(/[^a-z0-9]/g, "") === usual)
    if (found.length > 1) throw ambiguous(names, "more than one column may hold the postcodes")
    if (found[0] !== undefined) return found[0]
  }
  if (names.length === 1) return 0
  throw ambiguous(names, "no column is called postcode")
}

const matching = (names: ReadonlyArray<string>, matches: (name: string) => boolean): ReadonlyArray<number> =>
  names.flatMap((name, place) => (matches(name) ? [place] : []))

const folded = (name: string): string => name.trim().toLowerCase()

const placeOf = (wanted: string, count: number): number | undefined => {
  const number = /^\d{1,9}$/.test(wanted) ? Number(wanted) : 0
  return number >= 1 && number <= count ? number - 1 : undefined
}

const maxListed = 30

const ambiguous = (names: ReadonlyArray<string>, problem: string): CommandFailure => {
  const listed = names.slice(0, maxListed).map((name, place) => `${place + 1} ${printable(name.slice(0, 40))}`)
  const more = names.length > maxListed ? ` and ${names.length - maxListed} more` : ""
  return new CommandFailure(
    `${problem}: name one with --column, by its name or number, of ${listed.join(", ")}${more}`,
    exitCodes.wrongUsage
  )
}
