/**
 * All units of a directory by their codes, as a tree in typed arrays. A unit's id is its rank in the order of canonical
 * postcodes, so packed codes need not be kept: a unit costs one byte and a bit.
 */

import { canonical, packSegments, segmentValues } from "../PackedCode.ts"
import type { Postcode } from "../Postcode.ts"
import { type Arrays, ownArrays } from "./Arrays.ts"

/** The nodes of one level, in code order; a parent's children are neighbours. */
export interface TreeLevel {
  /** The segment value of each node. */
  readonly values: Uint16Array
  /** Where each node's children begin on the next level (below areas: its unit ids), and one past the last. */
  readonly starts: Uint32Array
  /** How many active units lie below each node. */
  readonly active: Uint32Array
}

export interface SegmentTree {
  /** State, lga, district, area. */
  readonly levels: readonly [TreeLevel, TreeLevel, TreeLevel, TreeLevel]
  /** The unit segment of each unit. */
  readonly units: Uint8Array
  /** A bit for each unit, the lowest bit of a byte first: 1 if it is active. */
  readonly activeBits: Uint8Array
}

/** The tree of packed codes that are in order, each there once. */
export const buildTree = (codes: Float64Array, activeBits: Uint8Array, arrays: Arrays = ownArrays): SegmentTree => {
  const units = arrays.bytes(codes.length)
  const area = group(codes, segmentValues.unit, units, arrays)
  const areaValues = arrays.uint16s(area.parents.length)
  const district = group(area.parents, segmentValues.area, areaValues, arrays)
  const districtValues = arrays.uint16s(district.parents.length)
  const lga = group(district.parents, segmentValues.district, districtValues, arrays)
  const lgaValues = arrays.uint16s(lga.parents.length)
  const state = group(lga.parents, segmentValues.lga, lgaValues, arrays)
  const stateValues = arrays.uint16s(state.parents.length)
  stateValues.set(state.parents)
  const areaActive = sums(area.starts, (id) => (isActiveUnit(activeBits, id) ? 1 : 0), arrays)
  const districtActive = sums(district.starts, (index) => areaActive[index] as number, arrays)
  const lgaActive = sums(lga.starts, (index) => districtActive[index] as number, arrays)
  const stateActive = sums(state.starts, (index) => lgaActive[index] as number, arrays)
  return {
    levels: [
      { values: stateValues, starts: state.starts, active: stateActive },
      { values: lgaValues, starts: lga.starts, active: lgaActive },
      { values: districtValues, starts: district.starts, active: districtActive },
      { values: areaValues, starts: area.starts, active: areaActive }
    ],
    units,
    activeBits
  }
}

/** The id of the unit with these segment values, or −1. */
export const findUnit = (
  tree: SegmentTree,
  stateValue: number,
  lgaValue: number,
  districtValue: number,
  areaValue: number,
  unitValue: number
): number => {
  const [states, lgas, districts, areas] = tree.levels
  const state = indexOf(states.values, 0, states.values.length, stateValue)
  if (state < 0) return -1
  const lga = childOf(states, lgas, state, lgaValue)
  if (lga < 0) return -1
  const district = childOf(lgas, districts, lga, districtValue)
  if (district < 0) return -1
  const area = childOf(districts, areas, district, areaValue)
  if (area < 0) return -1
  return indexOf(tree.units, areas.starts[area] as number, areas.starts[area + 1] as number, unitValue)
}

/** The id of the unit with a packed code, or −1. */
export const findPacked = (tree: SegmentTree, code: number): number => {
  const { area, district, lga, unit } = segmentValues
  const areaCode = Math.floor(code / unit)
  const districtCode = Math.floor(areaCode / area)
  const lgaCode = Math.floor(districtCode / district)
  const state = Math.floor(lgaCode / lga)
  return findUnit(
    tree,
    state,
    lgaCode - state * lga,
    districtCode - lgaCode * district,
    areaCode - districtCode * area,
    code - areaCode * unit
  )
}

/** The postcode of a unit id. */
export const postcodeOf = (tree: SegmentTree, id: number): Postcode => spell(tree, id, canonical)

/** The packed code of a unit id. */
export const packedOf = (tree: SegmentTree, id: number): number => spell(tree, id, packSegments)

/** Writes the packed codes of all units, in order, to the beginning of an array. */
export const writePacked = (tree: SegmentTree, codes: Float64Array): void => {
  const [states, lgas, districts, areas] = tree.levels
  const { area, district, lga, unit } = segmentValues
  const lgaKeys = appendDigits(Float64Array.from(states.values), states.starts, lgas.values, lga)
  const districtKeys = appendDigits(lgaKeys, lgas.starts, districts.values, district)
  const areaKeys = appendDigits(districtKeys, districts.starts, areas.values, area)
  appendDigits(areaKeys, areas.starts, tree.units, unit, codes)
}

export const isActiveUnit = (activeBits: Uint8Array, id: number): boolean =>
  (((activeBits[id >>> 3] as number) >>> (id & 7)) & 1) === 1

/**
 * The position of the value among those from `start` below `end`, or −1. They rise and none comes twice, so there is no
 * more room before and behind the value than the first and the last one leave: where the numbering has few gaps, hardly
 * any search is left.
 */
export const indexOf = (values: Uint16Array | Uint8Array, start: number, end: number, value: number): number => {
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
 * The first position from `start` below `end` whose value is not below the one asked for; `end` if there is none. Which
 * half it goes on in is computed, not branched to: half of such branches would be mispredicted.
 */
export const lowerBound = (values: Uint16Array | Uint8Array, start: number, end: number, value: number): number => {
  let low = start
  let length = end - start
  while (length > 0) {
    const half = (length + 1) >>> 1
    low += half * +((values[low + half - 1] as number) < value)
    length -= half
  }
  return low
}

interface Groups {
  /** Each key without its last digit, once. */
  readonly parents: Float64Array
  readonly starts: Uint32Array
}

/** Takes the last digit, of the given base, off keys that are in order, and puts it into `digits`. */
const group = (keys: Float64Array, base: number, digits: Uint8Array | Uint16Array, arrays: Arrays): Groups => {
  let count = 0
  for (let index = 0, last = -1; index < keys.length; index++) {
    const parent = Math.floor((keys[index] as number) / base)
    if (parent !== last) count++
    last = parent
  }
  const parents = new Float64Array(count)
  const starts = arrays.uint32s(count + 1)
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
  starts[count] = keys.length
  return { parents, starts }
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

/** Appends a digit of the given base to the key of each parent, for every child that it has. */
const appendDigits = (
  parents: Float64Array,
  starts: Uint32Array,
  digits: Uint8Array | Uint16Array,
  base: number,
  keys: Float64Array = new Float64Array(digits.length)
): Float64Array => {
  for (let parent = 0; parent < parents.length; parent++) {
    const key = (parents[parent] as number) * base
    const end = starts[parent + 1] as number
    for (let child = starts[parent] as number; child < end; child++) keys[child] = key + (digits[child] as number)
  }
  return keys
}

/** Puts a unit's segment values together. */
const spell = <T>(
  tree: SegmentTree,
  id: number,
  join: (state: number, lga: number, district: number, area: number, unit: number) => T
): T => {
  const [states, lgas, districts, areas] = tree.levels
  const area = parentOf(areas.starts, id)
  const district = parentOf(districts.starts, area)
  const lga = parentOf(lgas.starts, district)
  const state = parentOf(states.starts, lga)
  return join(
    states.values[state] as number,
    lgas.values[lga] as number,
    districts.values[district] as number,
    areas.values[area] as number,
    tree.units[id] as number
  )
}

const childOf = (parents: TreeLevel, level: TreeLevel, parent: number, value: number): number =>
  indexOf(level.values, parents.starts[parent] as number, parents.starts[parent + 1] as number, value)

/** The node whose children include the one at `child`. */
const parentOf = (starts: Uint32Array, child: number): number => {
  let low = 0
  let high = starts.length - 2
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] as number) <= child) low = middle
    else high = middle - 1
  }
  return low
}
