/**
 * The units of each leaf as a block of 16-bit numbers, in the order of the leaves: six numbers of header, which are the
 * least longitude, latitude (in 1e-7 degrees) and unit id of the leaf, low half before high half; then for each unit
 * what its own exceed those by. All that a search reads of a leaf lies together.
 *
 * A leaf whose units differ by more than 65,535 in one of them is wide: the blocks have the low halves of the numbers of
 * its units and `highs` the high ones. Its header has, in place of the least ones, where its part of `highs` begins, and
 * `wideMark`, which is no latitude.
 */
import type { Arrays } from "../Arrays.ts"
import type { LeafOrder } from "./LeafOrder.ts"

export interface UnitBlocks {
  readonly units: Uint16Array
  readonly highs: Uint16Array
}

export const headerLength = 6
export const unitLength = 3

/** The high half of the number in the place of the latitude. */
export const wideMark = 0x7fff

/** The number whose halves are at `at` and behind it. */
export const int32At = (numbers: Uint16Array, at: number): number =>
  (numbers[at] as number) | ((numbers[at + 1] as number) << 16)

/** The longitude (field 0), latitude (1) or id (2) of the unit of that rank in the leaf whose block begins at `block`. */
export const fieldOf = ({ highs, units }: UnitBlocks, block: number, rank: number, field: number): number => {
  const low = units[block + headerLength + unitLength * rank + field] as number
  if (units[block + 3] !== wideMark) return int32At(units, block + 2 * field) + low
  return low | ((highs[int32At(units, block) + unitLength * rank + field] as number) << 16)
}

export const packUnits = (
  coords: Int32Array,
  ids: Uint16Array | Uint32Array,
  { order, starts }: Pick<LeafOrder, "order" | "starts">,
  arrays: Arrays
): UnitBlocks => {
  const leafCount = starts.length - 1
  const least = new Int32Array(headerLength / 2)
  let wide = 0
  for (let leaf = 0; leaf < leafCount; leaf++) {
    if (measure(coords, ids, order, starts[leaf] as number, starts[leaf + 1] as number, least)) {
      wide += (starts[leaf + 1] as number) - (starts[leaf] as number)
    }
  }
  const units = arrays.uint16s(headerLength * leafCount + unitLength * order.length)
  const highs = arrays.uint16s(unitLength * wide)
  for (let leaf = 0, to = 0, toHighs = 0; leaf < leafCount; leaf++) {
    const start = starts[leaf] as number
    const end = starts[leaf + 1] as number
    const isWide = measure(coords, ids, order, start, end, least)
    to = putHeader(units, to, isWide ? Int32Array.of(toHighs, wideMark << 16, 0) : least)
    for (let at = start; at < end; at++) {
      const from = order[at] as number
      for (let field = 0; field < unitLength; field++) {
        const value = field === 2 ? (ids[from] as number) : (coords[2 * from + field] as number)
        units[to++] = isWide ? value : value - (least[field] as number)
        if (isWide) highs[toHighs++] = value >>> 16
      }
    }
  }
  return { units, highs }
}

const putHeader = (units: Uint16Array, at: number, header: Int32Array): number => {
  let to = at
  for (const number of header) {
    units[to++] = number
    units[to++] = number >>> 16
  }
  return to
}

/** Finds the least of each field in a leaf; returns whether the leaf is wide. */
const measure = (
  coords: Int32Array,
  ids: Uint16Array | Uint32Array,
  order: Uint32Array,
  start: number,
  end: number,
  least: Int32Array
): boolean => {
  least.fill(0)
  let isWide = false
  for (let field = 0; field < unitLength && start < end; field++) {
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (let at = start; at < end; at++) {
      const from = order[at] as number
      const value = field === 2 ? (ids[from] as number) : (coords[2 * from + field] as number)
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
    least[field] = low
    isWide ||= high - low > 65_535
  }
  return isWide
}
