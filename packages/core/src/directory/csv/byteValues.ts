/** Values of fields that are read from their bytes, without a text. */

/**
 * The number of a sign, digits and decimals; NaN of anything else, also of a number with more digits than a double has
 * exactly. It is the double that `Number` returns for the text: a quotient of two exact numbers is rounded once.
 */
export const decimalIn = (bytes: Uint8Array, start: number, end: number): number => {
  const sign = bytes[start]
  let at = sign === minus || sign === plus ? start + 1 : start
  const firstDigit = at
  let digits = 0
  for (let digit = digitAt(bytes, at); at < end && digit <= 9; digit = digitAt(bytes, ++at))
    digits = 10 * digits + digit
  let length = at - firstDigit
  let scale = 1
  if (length > 0 && at < end && bytes[at] === point) {
    const firstDecimal = ++at
    for (let digit = digitAt(bytes, at); at < end && digit <= 9; digit = digitAt(bytes, ++at)) {
      digits = 10 * digits + digit
      scale *= 10
    }
    if (at === firstDecimal) return Number.NaN
    length += at - firstDecimal
  }
  if (at !== end || length === 0 || length > maxExactDigits) return Number.NaN
  return sign === minus ? -digits / scale : digits / scale
}

/** From 0 to 9, or above. */
const digitAt = (bytes: Uint8Array, at: number): number => ((bytes[at] as number) - 0x30) >>> 0

const maxExactDigits = 15
const minus = 0x2d
const plus = 0x2b
const point = 0x2e

/** Whether a field is a word of ASCII. */
export const isWordIn = (bytes: Uint8Array, start: number, end: number, word: Uint8Array): boolean => {
  if (end - start !== word.length) return false
  for (let at = 0; at < word.length; at++) if (bytes[start + at] !== word[at]) return false
  return true
}

/** Whether all bytes of a field are ASCII, and not NUL. */
export const isAsciiIn = (bytes: Uint8Array, start: number, end: number): boolean => {
  let bits = 0
  for (let at = start; at < end; at++) bits |= (bytes[at] as number) | ((bytes[at] as number) - 1)
  return (bits & ~0x7f) === 0
}
