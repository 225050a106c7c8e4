/**
 * One branch of a directory at a time, with the children that it has in all layers together: a walk from the root down
 * by segment values, then along the children in code order. Completion and listings read by it.
 *
 * Each layer that has children here contributes a run of neighbouring nodes, and the runs are merged by value. The walk
 * is held in arrays of this module until the next one begins, so it allocates nothing.
 */
import type { Layer } from "./Layer.ts"
import { indexOf, isActiveUnit, lowerBound, type SegmentTree } from "./SegmentTree.ts"
import type { Depth } from "./SegmentValue.ts"

/** Begins at the root, whose children are the states. */
export const enterRoot = (layers: ReadonlyArray<Layer>): void => {
  depth = 0
  runs = 0
  for (const { tree } of layers) {
    trees[runs] = tree
    firsts[runs] = 0
    ends[runs++] = tree.levels[0].values.length
  }
}

/** Goes on to the branch of one child. It has no children if there is no such child. */
export const enterChild = (value: number): void => {
  const level = depth as 0 | 1 | 2 | 3
  let kept = 0
  for (let run = 0; run < runs; run++) {
    const tree = trees[run] as SegmentTree
    const { starts, values } = tree.levels[level]
    const node = indexOf(values, firsts[run] as number, ends[run] as number, value)
    if (node < 0) continue
    trees[kept] = tree
    firsts[kept] = starts[node] as number
    ends[kept++] = starts[node + 1] as number
  }
  runs = kept
  depth = (level + 1) as Depth
}

/** Goes on to a branch without children. */
export const enterNothing = (): void => {
  runs = 0
}

/**
 * Reads the children that lead to an active unit, or are one themselves, and whose values are at least `low` and below
 * `high`: the first `limit` of them in order. Returns how many there are; `childValue` has them.
 */
export const readChildren = (low: number, high: number, limit: number): number => {
  if (runs > 1) return readMany(low, high, limit)
  if (runs === 0) return 0
  return depth === 4 ? readUnits(low, high, limit) : readNodes(depth, low, high, limit)
}

/** The segment value of a child that was read last, by its rank from 0. */
export const childValue = (rank: number): number => children[rank] as number

/** A value above those of all segments, and more than any branch has children. */
export const aboveAllValues = 0x1_0000

let depth: Depth = 0
let runs = 0
// By run, older layers first: its tree, its children, and in `at` the next of them to read.
const trees: Array<SegmentTree> = []
const firsts: Array<number> = []
const ends: Array<number> = []
const at: Array<number> = []
const children = new Uint16Array(aboveAllValues)

const readNodes = (level: 0 | 1 | 2 | 3, low: number, high: number, limit: number): number => {
  const { active, values } = (trees[0] as SegmentTree).levels[level]
  const end = ends[0] as number
  let count = 0
  for (let node = lowerBound(values, firsts[0] as number, end, low); node < end && count < limit; node++) {
    const value = values[node] as number
    if (value >= high) break
    if (active[node] !== 0) children[count++] = value
  }
  return count
}

const readUnits = (low: number, high: number, limit: number): number => {
  const { activeBits, units } = trees[0] as SegmentTree
  const end = ends[0] as number
  let count = 0
  for (let id = lowerBound(units, firsts[0] as number, end, low); id < end && count < limit; id++) {
    const value = units[id] as number
    if (value >= high) break
    if (isActiveUnit(activeBits, id)) children[count++] = value
  }
  return count
}

const readMany = (low: number, high: number, limit: number): number => {
  for (let run = 0; run < runs; run++) {
    at[run] = lowerBound(valuesOf(trees[run] as SegmentTree), firsts[run] as number, ends[run] as number, low)
  }
  let count = 0
  while (count < limit) {
    const value = leastValue()
    if (value >= high) break
    if (passChild(value)) children[count++] = value
  }
  return count
}

/** The least value that the runs have left; one above all if they have none. */
const leastValue = (): number => {
  let least = aboveAllValues
  for (let run = 0; run < runs; run++) {
    const node = at[run] as number
    if (node < (ends[run] as number)) least = Math.min(least, valuesOf(trees[run] as SegmentTree)[node] as number)
  }
  return least
}

/** Passes a child in all runs that have it; returns whether it leads to an active unit. */
const passChild = (value: number): boolean => {
  let active = 0
  for (let run = 0; run < runs; run++) {
    const tree = trees[run] as SegmentTree
    const node = at[run] as number
    if (node >= (ends[run] as number) || valuesOf(tree)[node] !== value) continue
    at[run] = node + 1
    // Of a unit the newest layer knows the state; of a branch each layer knows what it changed.
    if (depth === 4) active = isActiveUnit(tree.activeBits, node) ? 1 : 0
    else active = (active + (tree.levels[depth].active[node] as number)) >>> 0
  }
  return active > 0
}

const valuesOf = (tree: SegmentTree): Uint16Array | Uint8Array => (depth === 4 ? tree.units : tree.levels[depth].values)
