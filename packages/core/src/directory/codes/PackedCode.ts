/**
 * A postcode as one number: each segment is a digit of its own base, so that numbers sort as canonical postcodes do and
 * the largest stays far below 2^53. For generators and importers that handle millions of codes without making strings.
 */
import type { Postcode } from "../../postcode/Postcode.ts"

/** How many values each segment has. Within a segment digits come before letters, as in ASCII. */
export const segmentValues = { state: 26 * 26, lga: 100, district: 36 * 36 * 36, area: 26 * 26, unit: 100 } as const

/** Every packed code is below this. */
export const packedCodes =
  segmentValues.state * segmentValues.lga * segmentValues.district * segmentValues.area * segmentValues.unit

/** Joins five segment values, each from 0 to its number of values less 1. They are not checked. */
export const packSegments = (state: number, lga: number, district: number, area: number, unit: number): number =>
  (((state * segmentValues.lga + lga) * segmentValues.district + district) * segmentValues.area + area) *
    segmentValues.unit +
  unit

/**
 * `LA-12-A03-BG-07` → its number.
 *
 * ```ts
 * unpack(pack(postcode)) === postcode
 * ```
 */
export const pack = (postcode: Postcode): number =>
  packSegments(
    stateValueAt(postcode),
    lgaValueAt(postcode),
    districtValueAt(postcode),
    areaValueAt(postcode),
    unitValueAt(postcode)
  )

/** The postcode of a number that `pack` or `packSegments` gave. */
export const unpack = (packed: number): Postcode => {
  const area = Math.floor(packed / segmentValues.unit)
  const district = Math.floor(area / segmentValues.area)
  const lga = Math.floor(district / segmentValues.district)
  const state = Math.floor(lga / segmentValues.lga)
  return canonical(
    state,
    lga - state * segmentValues.lga,
    district - lga * segmentValues.district,
    area - district * segmentValues.area,
    packed - area * segmentValues.unit
  )
}

/** The canonical postcode of five segment values. */
export const canonical = (state: number, lga: number, district: number, area: number, unit: number): Postcode =>
  String.fromCharCode(
    65 + Math.trunc(state / 26),
    65 + (state % 26),
    45,
    48 + Math.trunc(lga / 10),
    48 + (lga % 10),
    45,
    base36(Math.trunc(district / 1296)),
    base36(Math.trunc(district / 36) % 36),
    base36(district % 36),
    45,
    65 + Math.trunc(area / 26),
    65 + (area % 26),
    45,
    48 + Math.trunc(unit / 10),
    48 + (unit % 10)
  ) as Postcode

/** The value of the state of a canonical postcode. */
export const stateValueAt = (postcode: Postcode): number => letters(postcode, 0)

/** The value of the LGA of a canonical postcode. */
export const lgaValueAt = (postcode: Postcode): number => digits(postcode, 3)

/** The value of the district of a canonical postcode. */
export const districtValueAt = (postcode: Postcode): number =>
  (either(postcode, 6) * 36 + either(postcode, 7)) * 36 + either(postcode, 8)

/** The value of the area of a canonical postcode. */
export const areaValueAt = (postcode: Postcode): number => letters(postcode, 10)

/** The value of the unit of a canonical postcode. */
export const unitValueAt = (postcode: Postcode): number => digits(postcode, 13)

const letters = (text: string, at: number): number => (text.charCodeAt(at) - 65) * 26 + text.charCodeAt(at + 1) - 65

const digits = (text: string, at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48

const either = (text: string, at: number): number => {
  const code = text.charCodeAt(at)
  return code < 58 ? code - 48 : code - 55
}

const base36 = (value: number): number => (value < 10 ? 48 + value : 55 + value)
