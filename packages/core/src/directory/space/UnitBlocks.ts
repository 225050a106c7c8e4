/**
 * The units of each leaf as one block of 16-bit numbers. The header of six numbers has the minimum longitude, latitude
 * (in 1e-7 degrees) and unit id of the leaf, low half first. Then each unit has its differences to these three. So a
 * search reads adjacent memory.
 *
 * A leaf is wide if the units differ by more than 65,535 in one of the three. Then the block has the low halves of the
 * numbers, and `highs` the high halves. The header has the start of the leaf's part of `highs` instead of the minimum
 * longitude, and `wideMark`, which is not a latitude, instead of the minimum latitude.
 */
import type { Arrays } from "../Arrays.ts"
import type { LeafOrder } from "./LeafOrder.ts"

export interface UnitBlocks {
  readonly units: Uint16Array
  readonly highs: Uint16Array
}

export const headerLength = 6
export const unitLength = 3

/** The high half of the header's latitude in a wide leaf. */
export const wideMark = 0x7fff

/** The number with its low half at `at` and its high half after it. */
export const int32At = (numbers: Uint16Array, at: number): number =>
  (numbers[at] as number) | ((numbers[at + 1] as number) << 16)

/** The longitude (field 0), latitude (1) or id (2) of a unit, by its rank in the leaf with the block at `block`. */
export const fieldOf = ({ highs, units }: UnitBlocks, block: number, rank: number, field: number): number => {
  const low = units[block + headerLength + unitLength * rank + field] as number
  if (units[block + 3] !== wideMark) return int32At(units, block + 2 * field) + low
  return low | ((highs[int32At(units, block) + unitLength * rank + field] as number) << 16)
}

export const packUnits = (
  coords: Int32Array,
  ids: Uint16Array | Uint32Array,
  { readLeaf, starts }: Pick<LeafOrder, "readLeaf" | "starts">,
  arrays: Arrays
): UnitBlocks => {
  const leafCount = starts.length - 1
  const count = starts[leafCount] as number
  const leaf: Leaf = { coords, ids, positions: new Uint32Array(maxUnits(starts)), count: 0, least: new Int32Array(3) }
  let wide = 0
  for (let number = 0; number < leafCount; number++) {
    leaf.count = readLeaf(number, leaf.positions)
    if (measure(leaf)) wide += leaf.count
  }
  const units = arrays.uint16s(headerLength * leafCount + unitLength * count)
  const highs = arrays.uint16s(unitLength * wide)
  for (let number = 0, to = 0, toHighs = 0; number < leafCount; number++) {
    leaf.count = readLeaf(number, leaf.positions)
    const isWide = measure(leaf)
    to = putHeader(units, to, isWide ? Int32Array.of(toHighs, wideMark << 16, 0) : leaf.least)
    for (let at = 0; at < leaf.count; at++) {
      for (let field = 0; field < unitLength; field++) {
        const value = valueAt(leaf, at, field)
        units[to++] = isWide ? value : value - (leaf.least[field] as number)
        if (isWide) highs[toHighs++] = value >>> 16
      }
    }
  }
  return { units, highs }
}

/** A leaf that is packed. */
interface Leaf {
  readonly coords: Int32Array
  readonly ids: Uint16Array | Uint32Array
  /** Of its units, in `ids` and in pairs of `coords`. */
  readonly positions: Uint32Array
  /** The number of its units. */
  count: number
  /** The minimum of each field. */
  readonly least: Int32Array
}

const maxUnits = (starts: Uint32Array): number => {
  let most = 0
  for (let at = 1; at < starts.length; at++) most = Math.max(most, (starts[at] as number) - (starts[at - 1] as number))
  return most
}

const valueAt = ({ coords, ids, positions }: Leaf, at: number, field: number): number => {
  const position = positions[at] as number
  return field === 2 ? (ids[position] as number) : (coords[2 * position + field] as number)
}

const putHeader = (units: Uint16Array, at: number, header: Int32Array): number => {
  let to = at
  for (const number of header) {
    units[to++] = number
    units[to++] = number >>> 16
  }
  return to
}

/** Finds the minimum of each field. Returns whether the leaf is wide. */
const measure = (leaf: Leaf): boolean => {
  const { count, least } = leaf
  least.fill(0)
  let isWide = false
  for (let field = 0; field < unitLength && count > 0; field++) {
    let low = Number.POSITIVE_INFINITY
    let high = Number.NEGATIVE_INFINITY
    for (let at = 0; at < count; at++) {
      const value = valueAt(leaf, at, field)
      low = Math.min(low, value)
      high = Math.max(high, value)
    }
    least[field] = low
    isWide ||= high - low > 65_535
  }
  return isWide
}
