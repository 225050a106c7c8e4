/**
 * A postcode as one number below 2^53, with one digit per segment. Packed codes sort as canonical postcodes do, and
 * generators and importers handle millions of them without creating strings.
 */
import type { Postcode } from "../../postcode/Postcode.ts"
import { lastPackedCode, readCanonical } from "../../postcode/SegmentReader.ts"
import { segmentValues } from "../../postcode/SegmentValue.ts"

/** Every packed code is below this. */
export const packedCodes =
  segmentValues.state * segmentValues.lga * segmentValues.district * segmentValues.area * segmentValues.unit

/** Joins five segment values, each from 0 to its number of values less 1. The range is not checked. */
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
 *
 * @throws RangeError if the postcode, against its type, is not canonical
 */
export const pack = (postcode: Postcode): number => {
  if (!readCanonical(postcode)) throw new RangeError("postcode: expected canonical format, like LA-12-A03-BG-07")
  return lastPackedCode()
}

/** The postcode of a packed code. */
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

const base36 = (value: number): number => (value < 10 ? 48 + value : 55 + value)
