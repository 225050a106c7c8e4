/**
 * The number of a house on its street, as one integer: 17 bits of number, 5 of letter and 10 of flat. 0 is none.
 * `12 Allen Avenue`, `Plot 12, Allen Avenue`, `Flat 3, 12B Allen Avenue`.
 */

/** An address, split into its number and the rest. */
export interface NumberedAddress {
  readonly number: number
  readonly rest: string
}

const maxNumber = 2 ** 17 - 1
const maxFlat = 2 ** 10 - 1

/** The integer of a house number, a letter (0 is none, 1 is A) and a flat (0 is none); 0 if they are too large. */
export const houseNumber = (number: number, letter: number, flat: number): number =>
  number > maxNumber || flat > maxFlat || letter > 26 ? 0 : ((number << 15) | (letter << 10) | flat) >>> 0

export const readHouseNumber = (address: string): NumberedAddress => {
  // Most addresses of places start with a letter that no pattern starts with.
  const found = mayStart.test(address) ? pattern.exec(address) : null
  if (found === null) return { number: 0, rest: address }
  const [, flat = "", digits, letter = "", rest] = found as unknown as readonly [
    string,
    string?,
    string?,
    string?,
    string?
  ]
  const number = houseNumber(Number(digits), letterValue(letter), Number(flat))
  return number === 0 ? { number: 0, rest: address } : { number, rest: rest as string }
}

/** 1 for `a` or `A`; 0 for nothing. */
export const letterValue = (letter: string): number => (letter === "" ? 0 : letter.charCodeAt(0) & 31)

const mayStart = /^[\dfshupnb]/i
const pattern =
  /^(?:(?:flat|suite|shop|unit|apartment|apt)\.? (\d{1,4}),? )?(?:plot |house |block |no\.? ?)?(\d{1,6})([a-z])?,? (?=.*\p{L})(.+)$/isu
