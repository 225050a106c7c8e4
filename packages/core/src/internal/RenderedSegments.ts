/**
 * The segment values of a whole postcode, read from its text in any rendering and either case without making another
 * text. `gap` is how many characters stand between two segments: 0 in a compact text, else 1.
 */
import { isValid } from "../Postcode.ts"

/** A whole postcode without white space around it, or undefined if the text is none. */
export const wholePostcode = (text: string): string | undefined => {
  if (!isValid(text)) return undefined
  // A postcode starts with a letter and ends with a digit, both ASCII. White space lies below or above these.
  const isTrimmed = isAsciiInk(text.charCodeAt(0)) && isAsciiInk(text.charCodeAt(text.length - 1))
  return isTrimmed ? text : text.trim()
}

export const gapOf = (whole: string): number => (whole.length === compactLength ? 0 : 1)

export const stateIn = (whole: string): number => letters(whole, 0)
export const lgaIn = (whole: string, gap: number): number => digits(whole, 2 + gap)
export const districtIn = (whole: string, gap: number): number => {
  const at = 4 + 2 * gap
  return (either(whole, at) * 36 + either(whole, at + 1)) * 36 + either(whole, at + 2)
}
export const areaIn = (whole: string, gap: number): number => letters(whole, 7 + 3 * gap)
export const unitIn = (whole: string, gap: number): number => digits(whole, 9 + 4 * gap)

const compactLength = 11
const anyCase = 0x5f

const isAsciiInk = (code: number): boolean => code > 0x20 && code < 0x7f

const letters = (text: string, at: number): number => letter(text.charCodeAt(at)) * 26 + letter(text.charCodeAt(at + 1))

const letter = (code: number): number => (code & anyCase) - 0x41

const digits = (text: string, at: number): number => (text.charCodeAt(at) - 0x30) * 10 + text.charCodeAt(at + 1) - 0x30

const either = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code < 0x3a ? code - 0x30 : letter(code) + 10
}
