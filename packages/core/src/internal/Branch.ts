/**
 * One branch of a directory at a time: a walk from the root down by segment values, then the children that lead to an
 * active unit. Completion and listings read by it. The walk is held in this module until the next one begins, so it
 * allocates nothing.
 */
import { segmentValues } from "../PackedCode.ts"
import { type BranchDepth, branchesFrom } from "./BranchOverlay.ts"
import { areaKey, mayHoldCode } from "./ChangeFilter.ts"
import type { CodeIndex } from "./CodeIndex.ts"
import { absent, active, retired } from "./Layer.ts"
import { indexOf, isActiveUnit, lowerBound, type SegmentTree } from "./SegmentTree.ts"
import type { Depth } from "./SegmentValue.ts"

/** Begins at the root, whose children are the states. */
export const enterRoot = (index: CodeIndex): void => {
  codes = index
  depth = 0
  code = 0
  first = 0
  end = index.tree.levels[0].values.length
}

/** Goes on to the branch of one child. It has no children if there is no such child. */
export const enterChild = (value: number): void => {
  if (depth === 4) return
  const { starts, values } = (codes as CodeIndex).tree.levels[depth]
  const node = indexOf(values, first, end, value)
  first = node < 0 ? 0 : (starts[node] as number)
  end = node < 0 ? 0 : (starts[node + 1] as number)
  code = code * childValues[depth] + value
  depth = (depth + 1) as Depth
}

/** Goes on to a branch without children. */
export const enterNothing = (): void => {
  codes = undefined
}

/** Enters a branch by its packed code. */
export const enterBranch = (index: CodeIndex, branchDepth: BranchDepth, branch: number): void => {
  const values = childValues[branchDepth]
  if (branchDepth === 0) enterRoot(index)
  else enterBranch(index, (branchDepth - 1) as BranchDepth, Math.floor(branch / values))
  enterChild(branch % values)
}

/**
 * Reads the children that lead to an active unit, or are one themselves, and whose values are at least `low` and below
 * `high`: the first `limit` of them in order. Returns how many there are; `childValue` has them.
 */
export const readChildren = (low: number, high: number, limit: number): number => {
  if (codes === undefined) return 0
  if (depth === 4)
    return mayHaveChanged(codes) ? readChangedUnits(codes, low, high, limit) : readUnits(codes.tree, low, high, limit)
  return codes.overlay[depth].length === 0
    ? readNodes(codes.tree, depth, low, high, limit)
    : readChangedNodes(codes, depth, low, high, limit)
}

/** The segment value of a child that was read last, by its rank from 0. */
export const childValue = (rank: number): number => children[rank] as number

/** A value above those of all segments, and more than any branch has children. */
export const aboveAllValues = 0x1_0000

/** How many values the segment of each depth has. */
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
/** The branch's packed code. */
let code = 0
// Its children in the tree.
let first = 0
let end = 0
const children = new Uint16Array(aboveAllValues)

const readNodes = (tree: SegmentTree, level: BranchDepth, low: number, high: number, limit: number): number => {
  const { active: units, values } = tree.levels[level]
  let count = 0
  for (let node = lowerBound(values, first, end, low); node < end && count < limit; node++) {
    const value = values[node] as number
    if (value >= high) break
    if (units[node] !== 0) children[count++] = value
  }
  return count
}

/** The same where the overlay has something to say of this level. */
const readChangedNodes = (
  { overlay, tree }: CodeIndex,
  level: BranchDepth,
  low: number,
  high: number,
  limit: number
): number => {
  const firstCode = code * childValues[level]
  const entries = overlay[level]
  let entry = branchesFrom(entries, firstCode + low)
  const lastEntry = branchesFrom(entries, firstCode + Math.min(high, childValues[level]))
  if (entry === lastEntry) return readNodes(tree, level, low, high, limit)
  const { active: units, values } = tree.levels[level]
  let node = lowerBound(values, first, end, low)
  let count = 0
  while (count < limit) {
    const inTree = node < end ? (values[node] as number) : aboveAllValues
    const inOverlay = entry < lastEntry ? Math.floor((entries[entry] as number) / 2) - firstCode : aboveAllValues
    const value = Math.min(inTree, inOverlay)
    if (value >= high) break
    const isLive = value === inOverlay ? (entries[entry] as number) % 2 === 1 : units[node] !== 0
    if (isLive) children[count++] = value
    if (value === inTree) node++
    if (value === inOverlay) entry++
  }
  return count
}

const readUnits = (tree: SegmentTree, low: number, high: number, limit: number): number => {
  const { activeBits, units } = tree
  let count = 0
  for (let id = lowerBound(units, first, end, low); id < end && count < limit; id++) {
    const value = units[id] as number
    if (value >= high) break
    if (isActiveUnit(activeBits, id)) children[count++] = value
  }
  return count
}

const mayHaveChanged = ({ changes, filter }: CodeIndex): boolean =>
  changes.length > 0 && (filter === undefined || mayHoldCode(filter, areaKey(code)))

/** The same with what the layers of changes say of the area's units. */
const readChangedUnits = ({ changes, tree }: CodeIndex, low: number, high: number, limit: number): number => {
  states.fill(absent)
  for (let id = first; id < end; id++) {
    states[tree.units[id] as number] = isActiveUnit(tree.activeBits, id) ? active : retired
  }
  for (const layer of changes) layer.writeStates(code, states)
  let count = 0
  for (let value = low; value < Math.min(high, states.length) && count < limit; value++) {
    if (states[value] === active) children[count++] = value
  }
  return count
}

/** By the value of the unit segment. */
const states = new Uint8Array(segmentValues.unit)
