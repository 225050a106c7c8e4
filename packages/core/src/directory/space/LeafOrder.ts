/**
 * Converts the order of points in kdbush to an order by leaves. kdbush keeps the split point of a node between its
 * halves, and a search would spend more time on these points than on leaves. So each split point moves to the leaf that
 * its coordinates lead to in the second half. A leaf gets at most one from each node above it, and one on average.
 */
import type { Arrays } from "../Arrays.ts"
import { axisOf, lineCount, lineOffset, rootSlot, slotsOfLine } from "./SplitTree.ts"

export interface LeafOrder {
  readonly splits: Int32Array
  /** The number of units before each leaf, and the number of all. */
  readonly starts: Uint32Array
  /**
   * Writes the positions of a leaf's units in the order of kdbush to `positions`; returns their number. A list of all
   * positions would take 4 bytes per unit when memory is at its peak.
   */
  readonly readLeaf: (leaf: number, positions: Uint32Array) => number
}

/** @param coords longitudes and latitudes alternately, in the order of a kdbush with all leaves at `depth` */
export const leafOrder = (coords: Int32Array, depth: number, arrays: Arrays): LeafOrder => {
  const leafCount = 2 ** depth
  const tree = {
    coords,
    depth,
    splits: arrays.int32s(slotsOfLine * lineCount(depth)),
    middles: new Uint32Array(leafCount + 1),
    nodes: new Uint32Array(leafCount)
  }
  // See `Tree.middles`: one more than a position.
  tree.middles[leafCount] = coords.length / 2 + 1
  split(tree, 0, rootSlot(depth), 0, leafCount)
  const homes = new Uint32Array(leafCount)
  const starts = new Uint32Array(leafCount + 1)
  for (let leaf = 1; leaf < leafCount; leaf++) {
    const home = leafBelow(tree, leaf)
    homes[leaf] = home
    starts[home + 1] = (starts[home + 1] as number) + 1
  }
  for (let leaf = 0; leaf < leafCount; leaf++) {
    const own = (tree.middles[leaf + 1] as number) - (tree.middles[leaf] as number) - 1
    starts[leaf + 1] = (starts[leaf + 1] as number) + (starts[leaf] as number) + own
  }
  return { splits: tree.splits, starts, readLeaf: leafReader(tree, starts, homes) }
}

interface Tree {
  readonly coords: Int32Array
  readonly depth: number
  readonly splits: Int32Array
  /** The position of the split point before each leaf, plus 1. The first leaf has none: 0. */
  readonly middles: Uint32Array
  /** The node of the second half that begins with each leaf: line · 32 + slot. */
  readonly nodes: Uint32Array
}

/** As in kdbush, a node splits at its middle point. */
const split = (tree: Tree, line: number, slot: number, leaf: number, leaves: number): void => {
  if (leaves === 1) return
  if (slot >= slotsOfLine) {
    split(tree, slotsOfLine * line + slot + lineOffset(tree.depth), 1, leaf, leaves)
    return
  }
  const half = leaves / 2
  const before = (tree.middles[leaf] as number) - 1
  const middle = (before + (tree.middles[leaf + leaves] as number) - 1) >> 1
  tree.splits[slotsOfLine * line + slot] = tree.coords[2 * middle + axisOf(tree.depth, slot)] as number
  tree.middles[leaf + half] = middle + 1
  tree.nodes[leaf + half] = (line << 5) | (2 * slot + 1)
  split(tree, line, 2 * slot, leaf, half)
  split(tree, line, 2 * slot + 1, leaf + half, half)
}

/** The leaf that gets the split point before a leaf. */
const leafBelow = ({ coords, depth, middles, nodes, splits }: Tree, leaf: number): number => {
  const at = 2 * ((middles[leaf] as number) - 1)
  const lines = splits.length / slotsOfLine
  let line = (nodes[leaf] as number) >>> 5
  let slot = (nodes[leaf] as number) & 31
  for (;;) {
    while (slot < slotsOfLine) {
      const value = coords[at + axisOf(depth, slot)] as number
      slot = 2 * slot + (value < (splits[slotsOfLine * line + slot] as number) ? 0 : 1)
    }
    line = slotsOfLine * line + slot + lineOffset(depth)
    if (line >= lines) return line - lines
    slot = 1
  }
}

const leafReader = ({ middles }: Tree, starts: Uint32Array, homes: Uint32Array): LeafOrder["readLeaf"] => {
  /** The number of split points in the leaves before. */
  const movedBefore = (leaf: number): number => (starts[leaf] as number) - ((middles[leaf] as number) - leaf)
  const moved = new Uint32Array(homes.length)
  const ends = Uint32Array.from(homes, (_, leaf) => movedBefore(leaf + 1))
  for (let leaf = 1; leaf < homes.length; leaf++) {
    const home = homes[leaf] as number
    ends[home] = (ends[home] as number) - 1
    moved[ends[home] as number] = (middles[leaf] as number) - 1
  }
  return (leaf, positions) => {
    let count = 0
    for (let at = middles[leaf] as number; at < (middles[leaf + 1] as number) - 1; at++) positions[count++] = at
    const end = movedBefore(leaf + 1)
    for (let at = movedBefore(leaf); at < end; at++) positions[count++] = moved[at] as number
    return count
  }
}
