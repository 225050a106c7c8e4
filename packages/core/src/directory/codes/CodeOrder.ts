/** Sorts rows by packed code. */
import { segmentValues } from "../../postcode/SegmentValue.ts"
import { release } from "../Arrays.ts"

/** The units by their ids, in code order: how many there are, and the row of each. */
export interface UnitRows {
  readonly count: number
  readonly rowOf: (id: number) => number
}

/** Units whose rows are in code order. */
export const orderedRows = (count: number): UnitRows => ({ count, rowOf: (id) => id })

/**
 * The rows in code order, stable; undefined if they are sorted already.
 *
 * Counting sorts, first by state and then the rows of each state, so that only those of one state are in memory twice.
 * Linear for any distribution.
 */
export const inCodeOrder = (codes: Float64Array): Uint32Array | undefined => {
  if (isSorted(codes)) return undefined
  const { rows, starts } = groupByState(codes)
  const largest = starts.reduce((most, start, state) => Math.max(most, (starts[state + 1] ?? start) - start), 0)
  const digits = new Uint32Array(largest)
  const others = new Uint32Array(largest)
  const { area, district, lga, unit } = segmentValues
  for (let state = 0; state < segmentValues.state; state++) {
    const own = rows.subarray(starts[state], starts[state + 1])
    if (own.length < 2) continue
    const other = others.subarray(0, own.length)
    sortByDigit(codes, own, other, digits, 1, area * unit)
    sortByDigit(codes, other, own, digits, area * unit, district)
    sortByDigit(codes, own, other, digits, area * unit * district, lga)
    own.set(other)
  }
  release(digits)
  release(others)
  return rows
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

const groupByState = (codes: Float64Array): { readonly rows: Uint32Array; readonly starts: Uint32Array } => {
  const { area, district, lga, state, unit } = segmentValues
  const stateOf = (row: number): number => Math.floor((codes[row] as number) / (lga * district * area * unit))
  const starts = new Uint32Array(state + 1)
  for (let row = 0; row < codes.length; row++) {
    const next = stateOf(row) + 1
    starts[next] = (starts[next] as number) + 1
  }
  addUp(starts)
  const rows = new Uint32Array(codes.length)
  const nextPlace = starts.slice()
  for (let row = 0; row < codes.length; row++) {
    const own = stateOf(row)
    rows[nextPlace[own] as number] = row
    nextPlace[own] = (nextPlace[own] as number) + 1
  }
  return { rows, starts }
}

/** Sorts rows by one digit of their codes, in the given base, to `sorted`; `divisor` selects the digit. */
const sortByDigit = (
  codes: Float64Array,
  rows: Uint32Array,
  sorted: Uint32Array,
  digits: Uint32Array,
  divisor: number,
  base: number
): void => {
  const nextPlace = new Uint32Array(base + 1)
  for (let place = 0; place < rows.length; place++) {
    const front = Math.floor((codes[rows[place] as number] as number) / divisor)
    const digit = front - Math.floor(front / base) * base
    digits[place] = digit
    nextPlace[digit + 1] = (nextPlace[digit + 1] as number) + 1
  }
  addUp(nextPlace)
  for (let place = 0; place < rows.length; place++) {
    const digit = digits[place] as number
    const to = nextPlace[digit] as number
    sorted[to] = rows[place] as number
    nextPlace[digit] = to + 1
  }
}

const addUp = (numbers: Uint32Array): void => {
  for (let at = 1; at < numbers.length; at++) numbers[at] = (numbers[at] as number) + (numbers[at - 1] as number)
}
