/** Finds the columns of a CSV file to validate: the given ones, or the postcodes' by a known name. */
import { foldName } from "@postcode/core/Csv"
import { isValid } from "@postcode/core/Postcode"
import { CommandFailure, exitCodes } from "@postcode/server/process/ExitCode"
import { printable } from "@postcode/server/process/Output"

/** The columns as the user named them: names, or numbers from 1. */
export interface WantedColumns {
  /** The postcodes' column. */
  readonly column: string | undefined
  /** The columns that make up an address, in order; none if addresses are not resolved. */
  readonly address: ReadonlyArray<string>
}

/** Indexes of columns. */
export interface FoundColumns {
  /** Undefined if only addresses are resolved. */
  readonly postcode: number | undefined
  readonly address: ReadonlyArray<number>
}

/** Known names of the postcode column, first match wins. Only letters and digits are compared. */
const usualNames = ["postcode", "postalcode", "zipcode", "zip", "postcodes", "postleitzahl", "plz", "codepostal"]

/** Whether a name says so among other words: `Shipping Zip`, `billing_postcode`, `Post code (new)`. */
const namesPostcodes = (name: string): boolean => /postcode|postalcode|zipcode|zip$/.test(foldName(name))

/** A column of this name often has other codes: it counts only if nothing else was asked for. */
const vagueName = "code"

/**
 * The columns by the header of a file. A file with addresses needs no postcodes.
 *
 * @throws CommandFailure if no column or more than one matches
 */
export const columnsByName = (names: ReadonlyArray<string>, { address, column }: WantedColumns): FoundColumns => ({
  address: address.map((wanted) => columnNamed(names, wanted, "--address")),
  postcode:
    column !== undefined
      ? columnNamed(names, column, "--column")
      : address.length === 0
        ? onlyOrUsual(names)
        : (usualColumn(names, usualNames) ?? onlyOf(matching(names, namesPostcodes)))
})

/**
 * The same for a file without a header.
 *
 * @param count the number of columns in the first row
 */
export const columnsByNumber = (count: number, { address, column }: WantedColumns): FoundColumns => ({
  address: address.map((wanted) => columnNumbered(count, wanted, "--address")),
  postcode: column === undefined && address.length > 0 ? undefined : columnNumbered(count, column, "--column")
})

/**
 * Whether a row may be the header, by the names that the user gave; undefined if that cannot be told. Of a file without
 * a header, whether a row has a postcode.
 *
 * @param needsPostcode whether a column with a known name of postcodes is needed
 */
export const headerTest = (
  wanted: ReadonlyArray<string>,
  needsPostcode: boolean,
  noHeader: boolean
): ((fields: ReadonlyArray<string>) => boolean) | undefined => {
  if (noHeader) return (fields) => fields.some((field) => isValid(field.trim()))
  const names = wanted.filter((name) => !/^\d{1,9}$/.test(name)).map(foldName)
  if (names.length === 0 && !needsPostcode) return undefined
  return (fields) => {
    const folded = fields.map(foldName)
    return (
      names.every((name) => folded.includes(name)) &&
      (!needsPostcode ||
        [...usualNames, vagueName].some((usual) => folded.includes(usual)) ||
        // Alone in its row, it may be a title.
        (fields.filter((field) => field.trim() !== "").length > 1 && fields.some(namesPostcodes)))
    )
  }
}

/** One column, by the first row of a file and the name or number that the user gave. */
export const columnOf = (first: ReadonlyArray<string>, noHeader: boolean, wanted: string, flag: string): number =>
  noHeader ? columnNumbered(first.length, wanted, flag) : columnNamed(first, wanted, flag)

const columnNamed = (names: ReadonlyArray<string>, wanted: string, flag: string): number => {
  const isExact = matching(names, (name) => name === wanted)
  const found = isExact.length > 0 ? isExact : matching(names, (name) => isSameName(name, wanted))
  if (found.length > 1) throw ambiguous(names, `${found.length} columns are called ${printable(wanted)}`, flag)
  const place = found[0] ?? placeOf(wanted, names.length)
  if (place !== undefined) return place
  throw ambiguous(names, `there is no column ${printable(wanted)}`, flag)
}

const columnNumbered = (count: number, wanted: string | undefined, flag: string): number => {
  if (wanted === undefined && count === 1) return 0
  const place = wanted === undefined ? undefined : placeOf(wanted, count)
  if (place !== undefined) return place
  throw new CommandFailure(
    `the first row has ${count === 1 ? "1 column" : `${count} columns`}: ` +
      `without a header, ${flag} has to be a number from 1 to ${count}`,
    exitCodes.wrongUsage
  )
}

const onlyOrUsual = (names: ReadonlyArray<string>): number => {
  const usual = usualColumn(names, [...usualNames, vagueName])
  if (usual !== undefined) return usual
  if (names.length === 1) return 0
  const near = matching(names, namesPostcodes)
  const only = onlyOf(near)
  if (only !== undefined) return only
  throw ambiguous(names, near.length === 0 ? "no column is called postcode" : manyPostcodes, "--column", near)
}

const manyPostcodes = "more than one column may hold the postcodes"

const onlyOf = (places: ReadonlyArray<number>): number | undefined => (places.length === 1 ? places[0] : undefined)

const usualColumn = (names: ReadonlyArray<string>, known: ReadonlyArray<string>): number | undefined => {
  for (const usual of known) {
    const found = matching(names, (name) => foldName(name) === usual)
    if (found.length > 1) throw ambiguous(names, manyPostcodes, "--column", found)
    if (found[0] !== undefined) return found[0]
  }
  return undefined
}

const matching = (names: ReadonlyArray<string>, matches: (name: string) => boolean): ReadonlyArray<number> =>
  names.flatMap((name, place) => (matches(name) ? [place] : []))

const isSameName = (name: string, wanted: string): boolean =>
  foldName(name) === foldName(wanted) && (foldName(name) !== "" || name.trim() === wanted.trim())

const placeOf = (wanted: string, count: number): number | undefined => {
  const number = /^\d{1,9}$/.test(wanted) ? Number(wanted) : 0
  return number >= 1 && number <= count ? number - 1 : undefined
}

const maxListed = 30

/** @param likely the places of the columns to list; all if there are none */
const ambiguous = (
  names: ReadonlyArray<string>,
  problem: string,
  flag: string,
  likely: ReadonlyArray<number> = []
): CommandFailure => {
  const places = likely.length > 0 ? likely : [...names.keys()]
  const listed = places
    .slice(0, maxListed)
    .map((place) => `${place + 1} ${printable((names[place] as string).slice(0, 40))}`)
  const more = places.length > maxListed ? ` and ${places.length - maxListed} more` : ""
  return new CommandFailure(
    `${problem}: name one with ${flag}, by its name or number, of ${listed.join(", ")}${more}`,
    exitCodes.wrongUsage
  )
}
