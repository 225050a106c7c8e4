/**
 * All units of a directory by code, as a tree in typed arrays. A unit's id is its rank in the order of canonical
 * postcodes, so codes need not be stored: a unit takes about four bits in the bitmaps of its area.
 */

import { segmentValues } from "../../postcode/SegmentValue.ts"
import { type Arrays, ownArrays } from "../Arrays.ts"
import {
  activeIn,
  activeWord,
  addUnit,
  beginArea,
  existingWord,
  firstIdIn,
  maxUnits,
  unitsIn,
  wordsPerArea
} from "./AreaUnits.ts"
import { emptyBits, hasBit, setBit } from "./BitSet.ts"
import { lowestBit } from "./Bits.ts"
import type { UnitRows } from "./CodeOrder.ts"

/** The nodes of one level, in code order; siblings are adjacent. */
export interface TreeLevel {
  /** The segment value of each node. */
  readonly values: Uint16Array
  /** Start of each node's children in the next level, and the end of the last. */
  readonly starts: Uint32Array
  /** Number of active units of each node. */
  readonly active: Uint32Array
}

/** The lowest level, in code order. */
export interface AreaLevel {
  /** The segment value of each area. */
  readonly values: Uint16Array
  /** Its units, see `AreaUnits`. */
  readonly units: Uint32Array
}

export interface SegmentTree {
  /** State, lga, district. */
  readonly levels: readonly [TreeLevel, TreeLevel, TreeLevel]
  readonly areas: AreaLevel
}

/**
 * Builds the tree of units with distinct codes.
 *
 * @param codes the packed codes of the rows
 * @param activeBits the bits of active units, see `BitSet`
 * @throws RangeError if there are too many units for ids
 */
export const buildTree = (
  units: UnitRows,
  codes: Float64Array,
  activeBits: Uint8Array,
  arrays: Arrays = ownArrays
): SegmentTree => {
  if (units.count > maxUnits) throw new RangeError(`units: expected at most ${maxUnits}, found ${units.count}`)
  const area = groupUnits(units, codes, activeBits, arrays)
  const areaValues = arrays.uint16s(area.parents.length)
  const district = group(area.parents, segmentValues.area, areaValues, arrays)
  const districtValues = arrays.uint16s(district.parents.length)
  const lga = group(district.parents, segmentValues.district, districtValues, arrays)
  const lgaValues = arrays.uint16s(lga.parents.length)
  const state = group(lga.parents, segmentValues.lga, lgaValues, arrays)
  const stateValues = arrays.uint16s(state.parents.length)
  stateValues.set(state.parents)
  const districtActive = sums(district.starts, (index) => activeIn(area.units, index), arrays)
  const lgaActive = sums(lga.starts, (index) => districtActive[index] as number, arrays)
  const stateActive = sums(state.starts, (index) => lgaActive[index] as number, arrays)
  return {
    levels: [
      { values: stateValues, starts: state.starts, active: stateActive },
      { values: lgaValues, starts: lga.starts, active: lgaActive },
      { values: districtValues, starts: district.starts, active: districtActive }
    ],
    areas: { values: areaValues, units: area.units }
  }
}

/** The number of units. */
export const treeSize = ({ areas: { units, values } }: SegmentTree): number =>
  values.length === 0 ? 0 : firstIdIn(units, values.length - 1) + unitsIn(units, values.length - 1)

/** Writes the sorted packed codes of all units to an array. */
export const writePacked = ({ areas, levels }: SegmentTree, codes: Float64Array): void => {
  const [states, lgas, districts] = levels
  const { area, district, lga, unit } = segmentValues
  const lgaCodes = appendDigits(Float64Array.from(states.values), states.starts, lgas.values, lga)
  const districtCodes = appendDigits(lgaCodes, lgas.starts, districts.values, district)
  const areaCodes = appendDigits(districtCodes, districts.starts, areas.values, area)
  let id = 0
  for (let at = 0; at < areaCodes.length; at++) {
    const firstCode = (areaCodes[at] as number) * unit
    for (let word = 0; word < 4; word++) {
      for (let bits = existingWord(areas.units, at, word); bits !== 0; bits &= bits - 1) {
        codes[id++] = firstCode + 32 * word + lowestBit(bits)
      }
    }
  }
}

/** The bits of active units, as in `buildTree`. */
export const activeBitsOf = (tree: SegmentTree): Uint8Array => {
  const { units, values } = tree.areas
  const activeBits = emptyBits(treeSize(tree))
  let id = 0
  for (let area = 0; area < values.length; area++) {
    for (let word = 0; word < 4; word++) {
      const active = activeWord(units, area, word)
      for (let bits = existingWord(units, area, word); bits !== 0; bits &= bits - 1) {
        if ((active & bits & -bits) !== 0) setBit(activeBits, id)
        id++
      }
    }
  }
  return activeBits
}

/**
 * The index of a value in `start` (inclusive) to `end` (exclusive), or −1. Values are distinct and ascending, so the
 * first and the last one bound the index: with few gaps in the numbering, hardly any search remains.
 */
export const indexOf = (values: Uint16Array, start: number, end: number, value: number): number => {
  if (start >= end) return -1
  let high = start + value - (values[start] as number)
  if (high < start) return -1
  if (high < end && values[high] === value) return high
  let low = end - 1 - ((values[end - 1] as number) - value)
  if (low >= end) return -1
  if (low < start) low = start
  if (high > end) high = end
  const found = lowerBound(values, low, high, value)
  return found < end && values[found] === value ? found : -1
}

/**
 * The first index in `start` (inclusive) to `end` (exclusive) with at least the given value; `end` if there is none.
 * The half is computed, because branches would be mispredicted half of the time.
 */
export const lowerBound = (values: Uint16Array, start: number, end: number, value: number): number => {
  let low = start
  let length = end - start
  while (length > 0) {
    const half = (length + 1) >>> 1
    low += half * +((values[low + half - 1] as number) < value)
    length -= half
  }
  return low
}

/** Removes the unit segment from the codes of the units. */
const groupUnits = ({ count, rowOf }: UnitRows, codes: Float64Array, activeBits: Uint8Array, arrays: Arrays) => {
  const codeOf = (id: number): number => codes[rowOf(id)] as number
  const parents = new Float64Array(countParents(count, codeOf, segmentValues.unit))
  const units = arrays.uint32s(wordsPerArea * parents.length)
  for (let id = 0, area = -1; id < count; id++) {
    const code = codeOf(id)
    const parent = Math.floor(code / segmentValues.unit)
    if (area < 0 || parent !== parents[area]) {
      parents[++area] = parent
      beginArea(units, area, id)
    }
    addUnit(units, area, code - parent * segmentValues.unit, hasBit(activeBits, id))
  }
  return { parents, units }
}

interface Groups {
  /** Each distinct key without its last digit. */
  readonly parents: Float64Array
  readonly starts: Uint32Array
}

/** Removes the last digit, of the given base, from sorted keys and writes it to `digits`. */
const group = (keys: Float64Array, base: number, digits: Uint16Array, arrays: Arrays): Groups => {
  const parents = new Float64Array(countParents(keys.length, (index) => keys[index] as number, base))
  const starts = arrays.uint32s(parents.length + 1)
  for (let index = 0, last = -1, next = 0; index < keys.length; index++) {
    const key = keys[index] as number
    const parent = Math.floor(key / base)
    digits[index] = key - parent * base
    if (parent !== last) {
      starts[next] = index
      parents[next++] = parent
    }
    last = parent
  }
  starts[parents.length] = keys.length
  return { parents, starts }
}

/** Number of distinct keys without the last digit. */
const countParents = (keys: number, keyAt: (index: number) => number, base: number): number => {
  let count = 0
  for (let index = 0, last = -1; index < keys; index++) {
    const parent = Math.floor(keyAt(index) / base)
    if (parent !== last) count++
    last = parent
  }
  return count
}

const sums = (starts: Uint32Array, valueAt: (child: number) => number, arrays: Arrays): Uint32Array => {
  const result = arrays.uint32s(starts.length - 1)
  for (let index = 0; index < result.length; index++) {
    let sum = 0
    for (let child = starts[index] as number; child < (starts[index + 1] as number); child++) sum += valueAt(child)
    result[index] = sum
  }
  return result
}

/** Appends the digit of each child, of the given base, to its parent's key. */
const appendDigits = (parents: Float64Array, starts: Uint32Array, digits: Uint16Array, base: number): Float64Array => {
  const keys = new Float64Array(digits.length)
  for (let parent = 0; parent < parents.length; parent++) {
    const key = (parents[parent] as number) * base
    const end = starts[parent + 1] as number
    for (let child = starts[parent] as number; child < end; child++) keys[child] = key + (digits[child] as number)
  }
  return keys
}
