/** Sorts rows by packed code. */
import { segmentValues } from "../../postcode/SegmentValue.ts"

/**
 * The rows in code order, stable; undefined if they are sorted already.
 *
 * Three counting sorts by groups of segments, the last group first: stable, and linear for any distribution.
 */
export const inCodeOrder = (codes: Float64Array): Uint32Array | undefined => {
  if (isSorted(codes)) return undefined
  const { area, district, lga, state, unit } = segmentValues
  const byAreaAndUnit = sortByDigit(codes, identity(codes.length), 1, area * unit)
  const byDistrict = sortByDigit(codes, byAreaAndUnit, area * unit, district)
  return sortByDigit(codes, byDistrict, area * unit * district, state * lga)
}

export const identity = (length: number): Uint32Array => {
  const rows = new Uint32Array(length)
  for (let row = 0; row < length; row++) rows[row] = row
  return rows
}

/** The index of the first of the sorted codes that is at least `code`. */
export const firstFrom = (codes: Float64Array, code: number): number => {
  let low = 0
  let high = codes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((codes[middle] as number) < code) low = middle + 1
    else high = middle
  }
  return low
}

const isSorted = (codes: Float64Array): boolean => {
  for (let row = 1; row < codes.length; row++) if ((codes[row] as number) < (codes[row - 1] as number)) return false
  return true
}

/** Sorts rows by one digit of their codes, in the given base; `divisor` selects the digit. */
const sortByDigit = (codes: Float64Array, rows: Uint32Array, divisor: number, base: number): Uint32Array => {
  const digits = new Uint32Array(rows.length)
  const nextPlace = new Uint32Array(base + 1)
  for (let place = 0; place < rows.length; place++) {
    const front = Math.floor((codes[rows[place] as number] as number) / divisor)
    const digit = front - Math.floor(front / base) * base
    digits[place] = digit
    nextPlace[digit + 1] = (nextPlace[digit + 1] as number) + 1
  }
  for (let digit = 1; digit < base; digit++) {
    nextPlace[digit] = (nextPlace[digit] as number) + (nextPlace[digit - 1] as number)
  }
  const sorted = new Uint32Array(rows.length)
  for (let place = 0; place < rows.length; place++) {
    const digit = digits[place] as number
    const to = nextPlace[digit] as number
    sorted[to] = rows[place] as number
    nextPlace[digit] = to + 1
  }
  return sorted
}
