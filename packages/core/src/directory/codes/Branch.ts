/**
 * A cursor on a branch of a directory: it descends from the root by segment values and reads the children with an
 * active unit. Completion and listings use it. Its state is in this module until the next descent, so it allocates
 * nothing. Look-ups are deferred until children are read, because only the last branch matters.
 */

import { type Depth, segmentValues } from "../../postcode/SegmentValue.ts"
import { type BranchDepth, branchesFrom } from "../layers/BranchOverlay.ts"
import { absent, active, activeWord, statusIn } from "./AreaUnits.ts"
import { hasBit } from "./BitSet.ts"
import { lowestBit } from "./Bits.ts"
import type { CodeIndex } from "./CodeIndex.ts"
import { indexOf, lowerBound, type SegmentTree } from "./SegmentTree.ts"
import { areaAt } from "./TreeIndex.ts"

/** Moves to the root, whose children are the states. */
export const enterRoot = (index: CodeIndex): void => {
  codes = index
  depth = 0
  first = unknown
}

/** Moves to a child. A missing child has no children. */
export const enterChild = (value: number): void => {
  if (depth === 4) return
  path[depth] = value
  depth = (depth + 1) as Depth
  first = unknown
}

/** Moves to a branch without children. */
export const enterNothing = (): void => {
  codes = undefined
}

/** Moves to a branch by its packed code. */
export const enterBranch = (index: CodeIndex, branchDepth: BranchDepth, branch: number): void => {
  const values = childValues[branchDepth]
  if (branchDepth === 0) enterRoot(index)
  else enterBranch(index, (branchDepth - 1) as BranchDepth, Math.floor(branch / values))
  enterChild(branch % values)
}

/**
 * Reads the children with an active unit and values from `low` (inclusive) to `high` (exclusive), at most `limit`, in
 * order. Returns their number; `childValue` returns them.
 */
export const readChildren = (low: number, high: number, limit: number): number => {
  if (codes === undefined) return 0
  if (depth === 4) {
    const area = areaAt(codes.index, lgaCode(), path[2] as number, path[3] as number)
    if (hasChanged(codes)) return readChangedUnits(codes, area, low, high, limit)
    return area < 0 ? 0 : readUnits(codes.tree.areas.units, area, low, high, limit)
  }
  return codes.overlay[depth].length === 0
    ? readBelow(codes, depth, low, high, limit)
    : readChanged(codes, depth, low, high, limit)
}

/** The segment value of a child of the last read, by its rank from 0. */
export const childValue = (rank: number): number => children[rank] as number

/** Above the values of all segments and the number of children of any branch. */
export const aboveAllValues = 0x1_0000

/** Number of segment values by depth. */
const childValues = [
  segmentValues.state,
  segmentValues.lga,
  segmentValues.district,
  segmentValues.area,
  segmentValues.unit
] as const

let codes: CodeIndex | undefined
/** Of the children. */
let depth: Depth = 0
/** Segment values of the branch. */
const path = new Uint16Array(4)
// Tree indexes of the children, if they are nodes; looked up on first read.
const unknown = -1
let first = unknown
let end = 0
const children = new Uint16Array(aboveAllValues)

/** State and lga as digits. */
const lgaCode = (): number => (path[0] as number) * segmentValues.lga + (path[1] as number)

/** The branch's packed code. */
const packedBranch = (): number => {
  let code = 0
  for (let level = 0; level < depth; level++) {
    code = code * (childValues[level] as number) + (path[level] as number)
  }
  return code
}

const findNodes = ({ levels }: SegmentTree): void => {
  first = 0
  end = levels[0].values.length
  for (let above = 0; above < depth; above++) {
    const { starts, values } = levels[above as 0 | 1 | 2]
    const node = indexOf(values, first, end, path[above] as number)
    first = node < 0 ? 0 : (starts[node] as number)
    end = node < 0 ? 0 : (starts[node + 1] as number)
  }
}

/** The children in the tree, without changes. */
const readBelow = (
  { index, tree }: CodeIndex,
  level: BranchDepth,
  low: number,
  high: number,
  limit: number
): number => {
  const { areas, levels } = tree
  if (first === unknown) findNodes(tree)
  const { active: units, values } = level === 3 ? { active: undefined, values: areas.values } : levels[level]
  let count = 0
  for (let node = lowerBound(values, first, end, low); node < end && count < limit; node++) {
    const value = values[node] as number
    if (value >= high) break
    const leads = units === undefined ? hasBit(index.activeAreas, node) : units[node] !== 0
    if (leads) children[count++] = value
  }
  return count
}

const readUnits = (units: Uint32Array, area: number, low: number, high: number, limit: number): number => {
  const firstWord = low >>> 5
  let count = 0
  for (let word = firstWord; word < 4; word++) {
    let bits = activeWord(units, area, word) & (word === firstWord ? -1 << (low & 31) : -1)
    for (; bits !== 0; bits &= bits - 1) {
      const value = 32 * word + lowestBit(bits)
      if (value >= high || count === limit) return count
      children[count++] = value
    }
  }
  return count
}

/** The children at a level with an overlay. */
const readChanged = (index: CodeIndex, level: BranchDepth, low: number, high: number, limit: number): number => {
  const firstCode = packedBranch() * childValues[level]
  const entries = index.overlay[level]
  let entry = branchesFrom(entries, firstCode + low)
  const lastEntry = branchesFrom(entries, firstCode + Math.min(high, childValues[level]))
  if (entry === lastEntry) return readBelow(index, level, low, high, limit)
  const below = children.slice(0, readBelow(index, level, low, high, aboveAllValues))
  let next = 0
  let count = 0
  while (count < limit) {
    const inTree = next < below.length ? (below[next] as number) : aboveAllValues
    const inOverlay = entry < lastEntry ? Math.floor((entries[entry] as number) / 2) - firstCode : aboveAllValues
    const value = Math.min(inTree, inOverlay)
    if (value >= high) break
    if (value !== inOverlay || (entries[entry] as number) % 2 === 1) children[count++] = value
    if (value === inTree) next++
    if (value === inOverlay) entry++
  }
  return count
}

const hasChanged = ({ changes }: CodeIndex): boolean => {
  if (changes.length === 0) return false
  const area = packedBranch()
  return changes.some((layer) => layer.idsInArea(area).length > 0)
}

/** The units of an area with the layers of changes; the tree may not contain the area. */
const readChangedUnits = (
  { changes, tree }: CodeIndex,
  area: number,
  low: number,
  high: number,
  limit: number
): number => {
  for (let value = 0; value < statuses.length; value++) {
    statuses[value] = area < 0 ? absent : statusIn(tree.areas.units, area, value)
  }
  for (const layer of changes) layer.writeStatuses(packedBranch(), statuses)
  let count = 0
  for (let value = low; value < Math.min(high, statuses.length) && count < limit; value++) {
    if (statuses[value] === active) children[count++] = value
  }
  return count
}

/** By the value of the unit segment. */
const statuses = new Uint8Array(segmentValues.unit)
