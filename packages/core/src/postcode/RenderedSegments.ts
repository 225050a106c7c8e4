/**
 * Reads whole postcodes from text in any rendering and either case, without making another text. What was read is held in
 * this module until the next one is.
 */
import { segmentValues } from "../directory/codes/PackedCode.ts"
import { isValid, longestInput, type Postcode } from "./Postcode.ts"

/** Reads a postcode in any rendering and either case, as `parse` does. Whether it is one. */
export const readRendered = (text: string): boolean => {
  if (typeof text !== "string" || text.length > longestInput) return false
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

/** Reads a canonical postcode. False if, against its type, it is none. */
export const readCanonical = (postcode: Postcode): boolean =>
  postcode.length === canonicalLength && readSegments(postcode, 0, 1)

/** What was read: state and lga as digits, and the values of the other segments. */
export const lgaRead = (): number => lga
export const districtRead = (): number => district
export const areaRead = (): number => area
export const unitRead = (): number => unit

/** What was read, packed. */
export const packedRead = (): number =>
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

/** With other white space around it, or other dashes and spaces between the segments; most of these are no postcodes. */
const readUnusual = (text: string): boolean => {
  if (!isValid(text)) return false
  const whole = text.trim()
  return readSegments(whole, 0, whole.length === compactLength ? 0 : 1)
}

/**
 * Reads segments with `gap` characters between them, whatever these are. Whether all characters are what they should be.
 *
 * Each character is read once, and nothing is branched on before the end, as no processor can foresee the characters of
 * a postcode. What is no digit or letter makes a negative number of itself or of what it lacks to the last one.
 */
const readSegments = (text: string, start: number, gap: number): boolean => {
  const state1 = letter(text.charCodeAt(start))
  const state2 = letter(text.charCodeAt(start + 1))
  const lgaStart = start + 2 + gap
  const lga1 = text.charCodeAt(lgaStart) - 0x30
  const lga2 = text.charCodeAt(lgaStart + 1) - 0x30
  const districtStart = lgaStart + 2 + gap
  const code1 = text.charCodeAt(districtStart)
  const code2 = text.charCodeAt(districtStart + 1)
  const code3 = text.charCodeAt(districtStart + 2)
  const district1 = eithers[code1 & 127] as number
  const district2 = eithers[code2 & 127] as number
  const district3 = eithers[code3 & 127] as number
  const areaStart = districtStart + 3 + gap
  const area1 = letter(text.charCodeAt(areaStart))
  const area2 = letter(text.charCodeAt(areaStart + 1))
  const unitStart = areaStart + 2 + gap
  const unit1 = text.charCodeAt(unitStart) - 0x30
  const unit2 = text.charCodeAt(unitStart + 1) - 0x30
  lga = ((state1 * 26 + state2) * 10 + lga1) * 10 + lga2
  district = (district1 * 36 + district2) * 36 + district3
  area = area1 * 26 + area2
  unit = unit1 * 10 + unit2
  const letters = outside(state1, 25) | outside(state2, 25) | outside(area1, 25) | outside(area2, 25)
  const digits = outside(lga1, 9) | outside(lga2, 9) | outside(unit1, 9) | outside(unit2, 9)
  const either = district1 | district2 | district3 | outside(code1, 127) | outside(code2, 127) | outside(code3, 127)
  return (letters | digits | either) >= 0
}

/** Negative unless the value is from 0 to the greatest. */
const outside = (value: number, greatest: number): number => value | (greatest - value)

/** The value of a letter in either case. */
const letter = (code: number): number => (code & ~0x20) - 0x41

/** The value of a letter or digit in the ASCII range, or −1. */
const eithers = Int8Array.from({ length: 128 }, (_, code) => {
  const value = Number.parseInt(String.fromCharCode(code), 36)
  return Number.isNaN(value) ? -1 : value
})
