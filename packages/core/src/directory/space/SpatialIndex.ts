/**
 * The units of a directory by location: a KD-tree built by kdbush and converted to smaller arrays that are faster to
 * search. The sorted points of kdbush become split values (`SplitTree`) and blocks of units by leaf (`UnitBlocks`), of
 * which a search reads a few cache lines.
 */
import KDBush from "kdbush"
import { type Arrays, ownArrays, release } from "../Arrays.ts"
import { clearBit, emptyBits, hasBit, setBit } from "../codes/BitSet.ts"
import type { UnitRows } from "../codes/CodeOrder.ts"
import { type LeafNumbers, leafOf, packLeafNumbers } from "./LeafNumbers.ts"
import { leafOrder } from "./LeafOrder.ts"
import { fieldOf, headerLength, int32At, packUnits, type UnitBlocks, unitLength, wideMark } from "./UnitBlocks.ts"

export interface SpatialIndex extends UnitBlocks, LeafNumbers {
  /** Number of levels. The tree has 2^depth leaves. */
  readonly depth: number
  readonly splits: Int32Array
  /**
   * The start of each leaf less its start if all leaves had equally many units, plus 128. One more for the end of the
   * last leaf.
   */
  readonly drifts: Uint8Array
  /**
   * The bits of the units that every search may find, see `BitSet`. By position in the order of the leaves and not by
   * id, so that the bits of a leaf are adjacent.
   */
  readonly visible: Uint8Array
}

/** Number of units. */
export const unitCount = ({ depth, units }: SpatialIndex): number =>
  (units.length - (headerLength << depth)) / unitLength

/** The position of a leaf's first unit. `unitsPerLeaf` is the average. */
export const leafStart = (drifts: Uint8Array, unitsPerLeaf: number, leaf: number): number =>
  ((leaf * unitsPerLeaf) | 0) + (drifts[leaf] as number) - noDrift

/** The start of a leaf's block in `units`. */
export const blockAt = (leaf: number, start: number): number => headerLength * leaf + unitLength * start

/** Whether every search may find the unit at a position. */
export const isVisible = (index: SpatialIndex, position: number): boolean => hasBit(index.visible, position)

/** The same index with separate visibility bits, for `hideUnit`. */
export const withOwnVisibility = (index: SpatialIndex): SpatialIndex => ({ ...index, visible: index.visible.slice() })

/** Hides a unit. Only for an index with separate visibility bits. */
export const hideUnit = (index: SpatialIndex, id: number): void => {
  const leaf = leafOf(index, id)
  clearBit(index.visible, startOf(index, leaf) + rankOf(index, leaf, id))
}

/** The location of a unit, in 1e-7 degrees. */
export const latOf_e7 = (index: SpatialIndex, id: number): number => coordinateOf(index, id, 1)
export const lonOf_e7 = (index: SpatialIndex, id: number): number => coordinateOf(index, id, 0)

/** Writes the locations of all units, in 1e-7 degrees by their ids. Leaf by leaf, which is faster than unit by unit. */
export const writePoints = (
  index: SpatialIndex,
  { lats_e7, lons_e7 }: { readonly lats_e7: Int32Array; readonly lons_e7: Int32Array }
): void => {
  for (let leaf = 0; leaf < 1 << index.depth; leaf++) {
    const start = startOf(index, leaf)
    const block = blockAt(leaf, start)
    const units = startOf(index, leaf + 1) - start
    for (let rank = 0; rank < units; rank++) {
      const id = fieldOf(index, block, rank, 2)
      lats_e7[id] = fieldOf(index, block, rank, 1)
      lons_e7[id] = fieldOf(index, block, rank, 0)
    }
  }
}

/** Above the depth of the largest index that fits an array. */
export const maxDepth = 26

/** Maximum number of units in a leaf, split points not counted. */
const maxInLeaf = 20

/** Maximum number of units in a leaf with its split points: at most one from each node above it, see `leafOrder`. */
export const maxUnitsOfLeaf = (depth: number): number => maxInLeaf + 1 + depth

const noDrift = 128

/** The locations of rows, in 1e-7 degrees. */
export interface RowPoints {
  readonly lats_e7: Int32Array
  readonly lons_e7: Int32Array
}

/** Indexes the locations of units, and releases those of the rows. A build needs most memory here. */
export const buildSpatialIndex = (
  units: UnitRows,
  points: RowPoints,
  activeBits: Uint8Array,
  arrays: Arrays = ownArrays
): SpatialIndex => {
  const { count } = units
  const depth = depthFor(count)
  const tree = sortedPoints(units, points, depth)
  const coords = tree.coords as Int32Array
  const { readLeaf, splits, starts } = leafOrder(coords, depth, arrays)
  const drifts = arrays.bytes(starts.length)
  for (let leaf = 0; leaf < starts.length; leaf++) {
    drifts[leaf] = (starts[leaf] as number) - Math.floor(leaf * (count / 2 ** depth)) + noDrift
  }
  const blocks = packUnits(coords, tree.ids, { readLeaf, starts }, arrays)
  release(coords)
  const visible = emptyBits(count, arrays)
  const leafOfUnit = new Uint32Array(count)
  for (let leaf = 0, position = 0; leaf < 1 << depth; leaf++) {
    const block = blockAt(leaf, position)
    const end = starts[leaf + 1] as number
    for (let rank = 0; position < end; rank++, position++) {
      const id = fieldOf(blocks, block, rank, 2)
      leafOfUnit[id] = leaf
      if (hasBit(activeBits, id)) setBit(visible, position)
    }
  }
  const leafNumbers = packLeafNumbers(leafOfUnit, arrays)
  release(leafOfUnit)
  return { depth, splits, drifts, ...blocks, ...leafNumbers, visible }
}

/** The points in the order of kdbush. */
const sortedPoints = ({ count, rowOf }: UnitRows, { lats_e7, lons_e7 }: RowPoints, depth: number): KDBush => {
  // kdbush then makes leaves of this size or one more, all at the same depth.
  const leafSize = Math.floor((count + 1) / 2 ** depth) - 1
  const tree = new KDBush(count, leafSize, Int32Array)
  // One column after the other, so that each can be released before the next arrays fill.
  const { coords } = tree
  for (let id = 0; id < count; id++) coords[2 * id] = lons_e7[rowOf(id)] as number
  release(lons_e7)
  for (let id = 0; id < count; id++) coords[2 * id + 1] = lats_e7[rowOf(id)] as number
  release(lats_e7)
  for (let id = 0; id < count; id++) tree.add(coords[2 * id] as number, coords[2 * id + 1] as number)
  tree.finish()
  return tree
}

/** The depth of an index of so many units. */
export const depthFor = (count: number): number => {
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

/** The rank of a unit in its leaf. */
const rankOf = (index: SpatialIndex, leaf: number, id: number): number => {
  const { units } = index
  const start = startOf(index, leaf)
  const end = startOf(index, leaf + 1)
  const block = blockAt(leaf, start)
  // Low halves are compared first because they are in the block. In a wide leaf they may be equal by chance.
  const low = (units[block + 3] === wideMark ? id : id - int32At(units, block + 4)) & 0xffff
  for (let rank = 0, at = block + headerLength + 2; rank < end - start; rank++, at += unitLength) {
    if (units[at] === low && fieldOf(index, block, rank, 2) === id) return rank
  }
  // Only an altered snapshot can have a unit in another leaf. Any rank is safe then.
  return 0
}
