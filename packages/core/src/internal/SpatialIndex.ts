/**
 * The units of a directory by their places: the arrays of a finished KD-tree.
 *
 * The tree is built by kdbush, which keeps the values it splits by among the points: a walk from the root to a leaf
 * would touch a cache line of points at each level. So the split values are copied into an array of their own, in the
 * order of a heap; its top fits a cache, and the walk reads points only in the leaf where it ends.
 */
import KDBush from "kdbush"
import { type Arrays, ownArrays } from "./Arrays.ts"
import { isActiveUnit } from "./SegmentTree.ts"

export interface SpatialIndex {
  /** A leaf holds at most one point more than this. */
  readonly nodeSize: number
  /** Unit ids in the order of the tree. */
  readonly ids: Uint32Array
  /** Longitude and latitude in turn, in 1e-7 degrees, in the order of the tree. */
  readonly coords: Int32Array
  /** Where in the order of the tree each unit id is: the inverse of `ids`. */
  readonly positions: Uint32Array
  /** The value that each inner node splits by; node 1 is the root, the children of n are 2n and 2n + 1. */
  readonly splits: Int32Array
  /**
   * A bit for each position in the order of the tree, the lowest bit of a byte first: 1 where any search may find the
   * unit. By position and not by id, as a search then learns of a unit's id only once it is sure to want it.
   */
  readonly visible: Uint8Array
}

export const isVisible = (index: SpatialIndex, position: number): boolean =>
  (((index.visible[position >>> 3] as number) >>> (position & 7)) & 1) === 1

/** The same index with bits of its own, for whoever has to hide units. */
export const withOwnVisibility = (index: SpatialIndex): SpatialIndex => ({ ...index, visible: index.visible.slice() })

/** Hides a unit. Only for an index with bits of its own. */
export const hideUnit = (index: SpatialIndex, id: number): void => {
  const position = index.positions[id] as number
  index.visible[position >>> 3] = (index.visible[position >>> 3] as number) & ~(1 << (position & 7))
}

/** Where a unit is, in 1e-7 degrees. */
export const latOf_e7 = (index: SpatialIndex, id: number): number =>
  index.coords[2 * (index.positions[id] as number) + 1] as number

export const lonOf_e7 = (index: SpatialIndex, id: number): number =>
  index.coords[2 * (index.positions[id] as number)] as number

/** Small, since few units lie near one another: a leaf is one or two cache lines. */
const nodeSize = 8

/** Indexes points by unit id: `rowOfUnit` says where each unit's longitude and latitude are, in 1e-7 degrees. */
export const buildSpatialIndex = (
  rowOfUnit: Uint32Array,
  lons_e7: Int32Array,
  lats_e7: Int32Array,
  activeBits: Uint8Array,
  arrays: Arrays = ownArrays
): SpatialIndex => {
  const count = rowOfUnit.length
  const tree = new KDBush(count, nodeSize, Int32Array, arrays.Buffer)
  for (let id = 0; id < count; id++) {
    const row = rowOfUnit[id] as number
    tree.add(lons_e7[row] as number, lats_e7[row] as number)
  }
  tree.finish()
  const ids = tree.ids instanceof Uint32Array ? tree.ids : arrays.uint32s(count)
  if (ids !== tree.ids) ids.set(tree.ids)
  const coords = tree.coords as Int32Array
  const positions = arrays.uint32s(count)
  const visible = arrays.bytes((count + 7) >>> 3)
  for (let position = 0; position < count; position++) {
    const id = ids[position] as number
    positions[id] = position
    if (isActiveUnit(activeBits, id))
      visible[position >>> 3] = (visible[position >>> 3] as number) | (1 << (position & 7))
  }
  const splits = arrays.int32s(heapSize(count))
  copySplits(coords, splits, 1, 0, count - 1, 0)
  return { nodeSize, ids, coords, positions, splits, visible }
}

/** One more than the number of the last inner node there can be. */
const heapSize = (count: number): number => {
  let size = 1
  for (let points = count; points - 1 > nodeSize; points >>>= 1) size *= 2
  return size
}

/** Follows kdbush's rule: a node of more than `nodeSize + 1` points splits at the middle one, by each axis in turn. */
const copySplits = (
  coords: Int32Array,
  splits: Int32Array,
  node: number,
  left: number,
  right: number,
  axis: number
): void => {
  if (right - left <= nodeSize) return
  const middle = (left + right) >> 1
  splits[node] = coords[2 * middle + axis] as number
  copySplits(coords, splits, 2 * node, left, middle - 1, 1 - axis)
  copySplits(coords, splits, 2 * node + 1, middle + 1, right, 1 - axis)
}
