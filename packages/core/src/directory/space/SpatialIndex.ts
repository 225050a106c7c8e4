/**
 * The units of a directory by location: a KD-tree built by kdbush and converted to smaller arrays that are faster to
 * search. The sorted points of kdbush become split values (`SplitTree`) and blocks of units by leaf (`UnitBlocks`), of
 * which a search reads a few cache lines.
 */
import KDBush from "kdbush"
import { type Arrays, ownArrays, release } from "../Arrays.ts"
import { clearBit, emptyBits, hasBit, setBit } from "../codes/BitSet.ts"
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
      lons_e7[id] = fieldOf(index, block, rank, 0)
      lats_e7[id] = fieldOf(index, block, rank, 1)
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

/**
 * Indexes the locations of units.
 *
 * @param rowOfUnit row of each unit in `lons_e7` and `lats_e7`, by id
 * @param onRead called when these three arrays are no longer needed
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
  // kdbush then makes leaves of this size or one more, all at the same depth.
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
