/**
 * Reads whole postcodes in any format and either case without allocating. The result is module state, valid until the
 * next read.
 */
import { foldCharacters, isValid, maxInputLength, type Postcode } from "./Postcode.ts"
import { segmentValues } from "./SegmentValue.ts"

/** Reads a postcode in any format and either case, as `parse` does. Returns whether it is one. */
export const readPostcode = (text: string): boolean => {
  if (typeof text !== "string" || text.length > maxInputLength) return false
  let start = 0
  let end = text.length
  while (start < end && text.charCodeAt(start) === space) start++
  while (end > start && text.charCodeAt(end - 1) === space) end--
  const length = end - start
  const isRead =
    length === canonicalLength
      ? isJoined(text, start) && readSegments(text, start, 1)
      : length === compactLength && readSegments(text, start, 0)
  return isRead || readUnusual(text)
}

/** Reads a canonical postcode. Returns false if the value, against its type, is not canonical. */
export const readCanonical = (postcode: Postcode): boolean =>
  postcode.length === canonicalLength && readSegments(postcode, 0, 1)

/** The last read: state and LGA as one number, and the values of the other segments. */
export const lastLga = (): number => lga
export const lastDistrict = (): number => district
export const lastArea = (): number => area
export const lastUnit = (): number => unit

/** The last read as a packed code. */
export const lastPackedCode = (): number =>
  ((lga * segmentValues.district + district) * segmentValues.area + area) * segmentValues.unit + unit

let lga = 0
let district = 0
let area = 0
let unit = 0

const canonicalLength = 15
const compactLength = 11
const space = 0x20
const dash = 0x2d

/** Whether dashes or spaces stand between the segments of 15 characters. */
const isJoined = (text: string, start: number): boolean => {
  const first = text.charCodeAt(start + 2)
  const others =
    (text.charCodeAt(start + 5) ^ first) | (text.charCodeAt(start + 9) ^ first) | (text.charCodeAt(start + 12) ^ first)
  return (first === dash || first === space) && others === 0
}

/** Handles surrounding white space and typographic separators; most such texts are not postcodes. */
const readUnusual = (text: string): boolean => {
  if (!isValid(text)) return false
  const whole = foldCharacters(text).trim()
  return readSegments(whole, 0, whole.length === compactLength ? 0 : 1)
}

/**
 * Reads segments with `gap` arbitrary characters between them. Returns whether every character is valid.
 *
 * Branch-free until the end, because the processor cannot predict the characters of a postcode. An invalid character
 * makes its value, or the distance from its value to the maximum, negative.
 */
const readSegments = (text: string, start: number, gap: number): boolean => {
  const lgaStart = start + 2 + gap
  const districtStart = lgaStart + 2 + gap
  const areaStart = districtStart + 3 + gap
  const unitStart = areaStart + 2 + gap
  return readCharacters(
    text.charCodeAt(start),
    text.charCodeAt(start + 1),
    text.charCodeAt(lgaStart),
    text.charCodeAt(lgaStart + 1),
    text.charCodeAt(districtStart),
    text.charCodeAt(districtStart + 1),
    text.charCodeAt(districtStart + 2),
    text.charCodeAt(areaStart),
    text.charCodeAt(areaStart + 1),
    text.charCodeAt(unitStart),
    text.charCodeAt(unitStart + 1)
  )
}

/** Whether bytes are a canonical postcode, in either case, which is read as by `readPostcode`. Of other formats, it says no. */
export const readPostcodeIn = (bytes: Uint8Array, start: number, end: number): boolean =>
  end - start === canonicalLength &&
  bytes[start + 2] === dash &&
  bytes[start + 5] === dash &&
  bytes[start + 9] === dash &&
  bytes[start + 12] === dash &&
  readCharacters(
    bytes[start] as number,
    bytes[start + 1] as number,
    bytes[start + 3] as number,
    bytes[start + 4] as number,
    bytes[start + 6] as number,
    bytes[start + 7] as number,
    bytes[start + 8] as number,
    bytes[start + 10] as number,
    bytes[start + 11] as number,
    bytes[start + 13] as number,
    bytes[start + 14] as number
  )

/** The characters of the segments, in their order. */
const readCharacters = (
  char1: number,
  char2: number,
  char3: number,
  char4: number,
  code1: number,
  code2: number,
  code3: number,
  char8: number,
  char9: number,
  char10: number,
  char11: number
): boolean => {
  const state1 = letter(char1)
  const state2 = letter(char2)
  const lga1 = char3 - 0x30
  const lga2 = char4 - 0x30
  const district1 = eithers[code1 & 127] as number
  const district2 = eithers[code2 & 127] as number
  const district3 = eithers[code3 & 127] as number
  const area1 = letter(char8)
  const area2 = letter(char9)
  const unit1 = char10 - 0x30
  const unit2 = char11 - 0x30
  lga = ((state1 * 26 + state2) * 10 + lga1) * 10 + lga2
  district = (district1 * 36 + district2) * 36 + district3
  area = area1 * 26 + area2
  unit = unit1 * 10 + unit2
  const letters = outside(state1, 25) | outside(state2, 25) | outside(area1, 25) | outside(area2, 25)
  const digits = outside(lga1, 9) | outside(lga2, 9) | outside(unit1, 9) | outside(unit2, 9)
  const either = district1 | district2 | district3 | outside(code1, 127) | outside(code2, 127) | outside(code3, 127)
  return (letters | digits | either) >= 0
}

/** Negative unless the value is from 0 to the maximum. */
const outside = (value: number, maximum: number): number => value | (maximum - value)

/** The value of a letter in either case. */
const letter = (code: number): number => (code & ~0x20) - 0x41

/** The value of a letter or digit in the ASCII range, or −1. */
const eithers = Int8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 36)
  return Number.isNaN(value) ? -1 : value
})
