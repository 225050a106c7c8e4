/**
 * The units of a directory by their places: a KD-tree made by kdbush, in arrays of its own that are small and quick to
 * search. What kdbush orders as one list of points becomes the values that the tree splits by (`SplitTree`) and the
 * units leaf by leaf (`UnitBlocks`), of which a search reads a few cache lines.
 */
import KDBush from "kdbush"
import { type Arrays, ownArrays } from "../Arrays.ts"
import { release } from "../changes/release.ts"
import { clearBit, emptyBits, hasBit, setBit } from "../codes/BitSet.ts"
import { type LeafNumbers, leafOf, packLeafNumbers } from "./LeafNumbers.ts"
import { leafOrder } from "./LeafOrder.ts"
import { fieldOf, headerLength, int32At, packUnits, type UnitBlocks, unitLength, wideMark } from "./UnitBlocks.ts"

export interface SpatialIndex extends UnitBlocks, LeafNumbers {
  /** The levels of the tree: it has 2^depth leaves. */
  readonly depth: number
  readonly splits: Int32Array
  /**
   * By how many units each leaf begins later than it would if all had equally many; 128 stands for none. One more for
   * the end of the last leaf.
   */
  readonly drifts: Uint8Array
  /**
   * The bits of the units that any search may find, as `BitSet` has them. By the position in the order of the leaves and
   * not by id, as they are then at hand when a leaf is read.
   */
  readonly visible: Uint8Array
}

/** How many units an index has. */
export const unitCount = ({ depth, units }: SpatialIndex): number =>
  (units.length - (headerLength << depth)) / unitLength

/** Where in the order of the leaves a leaf begins; `unitsPerLeaf` is the average. */
export const leafStart = (drifts: Uint8Array, unitsPerLeaf: number, leaf: number): number =>
  ((leaf * unitsPerLeaf) | 0) + (drifts[leaf] as number) - noDrift

/** Where in `units` the block of a leaf is. */
export const blockAt = (leaf: number, start: number): number => headerLength * leaf + unitLength * start

/** Whether any search may find the unit at a position in the order of the leaves. */
export const isVisible = (index: SpatialIndex, position: number): boolean => hasBit(index.visible, position)

/** The same index with bits of its own, for whoever has to hide units. */
export const withOwnVisibility = (index: SpatialIndex): SpatialIndex => ({ ...index, visible: index.visible.slice() })

/** Hides a unit. Only for an index with bits of its own. */
export const hideUnit = (index: SpatialIndex, id: number): void => {
  const leaf = leafOf(index, id)
  clearBit(index.visible, startOf(index, leaf) + rankOf(index, leaf, id))
}

/** Where a unit is, in 1e-7 degrees. */
export const latOf_e7 = (index: SpatialIndex, id: number): number => coordinateOf(index, id, 1)
export const lonOf_e7 = (index: SpatialIndex, id: number): number => coordinateOf(index, id, 0)

/** More levels than an array of units has room for. */
export const maxDepth = 26

/** A leaf has at most so many units before it takes in split points. */
const maxInLeaf = 20
const noDrift = 128

/**
 * Indexes points by unit id: `rowOfUnit` says where each unit's longitude and latitude are, in 1e-7 degrees.
 *
 * @param onRead called once those are not needed any more
 */
export const buildSpatialIndex = (
  rowOfUnit: Uint32Array,
  lons_e7: Int32Array,
  lats_e7: Int32Array,
  activeBits: Uint8Array,
  arrays: Arrays = ownArrays,
  onRead: () => void = () => {}
): SpatialIndex => {
  const count = rowOfUnit.length
  const depth = depthFor(count)
  // The leaves of kdbush have so many points or one more, and are all equally deep.
  const leafSize = Math.floor((count + 1) / 2 ** depth) - 1
  const tree = new KDBush(count, leafSize, Int32Array)
  for (let id = 0; id < count; id++) {
    const row = rowOfUnit[id] as number
    tree.add(lons_e7[row] as number, lats_e7[row] as number)
  }
  onRead()
  tree.finish()
  const coords = tree.coords as Int32Array
  const { order, splits, starts } = leafOrder(coords, depth, arrays)
  const visible = emptyBits(count, arrays)
  const leafOfUnit = new Uint32Array(count)
  const drifts = arrays.bytes(starts.length)
  for (let leaf = 0; leaf < starts.length; leaf++) {
    const start = starts[leaf] as number
    drifts[leaf] = start - Math.floor(leaf * (count / 2 ** depth)) + noDrift
    for (let position = start; position < (starts[leaf + 1] ?? 0); position++) {
      const id = tree.ids[order[position] as number] as number
      leafOfUnit[id] = leaf
      if (hasBit(activeBits, id)) setBit(visible, position)
    }
  }
  const blocks = packUnits(coords, tree.ids, { order, starts }, arrays)
  release(coords)
  release(order)
  const leafNumbers = packLeafNumbers(leafOfUnit, arrays)
  release(leafOfUnit)
  return { depth, splits, drifts, ...blocks, ...leafNumbers, visible }
}

const depthFor = (count: number): number => {
  let depth = 0
  while ((count + 1) / 2 ** depth > maxInLeaf + 1) depth++
  return depth
}

const startOf = (index: SpatialIndex, leaf: number): number =>
  leafStart(index.drifts, unitCount(index) / (1 << index.depth), leaf)

const coordinateOf = (index: SpatialIndex, id: number, field: number): number => {
  const leaf = leafOf(index, id)
  return fieldOf(index, blockAt(leaf, startOf(index, leaf)), rankOf(index, leaf, id), field)
}

/** Which unit of its leaf a unit is. */
const rankOf = (index: SpatialIndex, leaf: number, id: number): number => {
  const { units } = index
  const start = startOf(index, leaf)
  const end = startOf(index, leaf + 1)
  const block = blockAt(leaf, start)
  // Low halves first, as they are at hand; in a wide leaf they may be alike by chance.
  const low = (units[block + 3] === wideMark ? id : id - int32At(units, block + 4)) & 0xffff
  for (let rank = 0, at = block + headerLength + 2; rank < end - start; rank++, at += unitLength) {
    if (units[at] === low && fieldOf(index, block, rank, 2) === id) return rank
  }
  // Only an opened file can have a unit in two places; wherever this one is said to be, nothing else is harmed.
  return 0
}
